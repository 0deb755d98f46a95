import { describe, expect, it } from 'vitest';
import type { PlacedNode } from './layout/layout.ts';
import { openingView, viewAt } from './useViewport.ts';

/** A column of tasks below a wide row of triggers. */
const tall = (width: number) => ({
  width,
  height: 4_000,
  nodes: [{ x: 0, y: 0, width: 200, height: 60 } as PlacedNode],
});

describe('a graph when it opens', () => {
  it('is whole where it can be read whole', () => {
    const view = openingView({ ...tall(400), height: 500 }, { width: 800, height: 600 }, 'vertical');
    expect(view.zoom).toBeGreaterThan(1);
  });

  it('begins at its top, with its breadth in view, where it is too tall', () => {
    const { x, y, zoom } = openingView(tall(600), { width: 390, height: 400 }, 'vertical');
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + 600 * zoom).toBeLessThanOrEqual(390);
    expect(y).toBe(24);
  });

  it('begins with its first task where the breadth could not be read either', () => {
    const { x, zoom } = openingView(tall(5_000), { width: 390, height: 400 }, 'vertical');
    expect(zoom).toBe(0.55);
    expect(x + 100 * zoom).toBe(195);
  });

  it('begins on the way of the tasks, not beside it where the triggers stand', () => {
    const graph = tall(5_000);
    const trigger = { x: 0, y: 0, width: 200, height: 60, kind: 'trigger' } as PlacedNode;
    const start = { x: 994, y: 100, width: 12, height: 12, kind: 'dot' } as PlacedNode;
    const { x, zoom } = openingView(
      { ...graph, nodes: [trigger, start] },
      { width: 390, height: 400 },
      'vertical',
    );
    expect(x + 1_000 * zoom).toBe(195);
  });

  it('lies on its side when it is drawn that way', () => {
    const flat = { width: 4_000, height: 600, nodes: tall(0).nodes };
    const { x, y, zoom } = openingView(flat, { width: 400, height: 390 }, 'horizontal');
    expect(x).toBe(24);
    expect(y + 600 * zoom).toBeLessThanOrEqual(390);
  });

  it('comes to a task at its end without empty space behind it', () => {
    const box = { width: 400, height: 300 };
    const at = (x: number) =>
      viewAt({ x, y: 20, width: 100, height: 60 }, 1, { width: 4_000, height: 100 }, box);
    expect(at(3_900).x).toBe(400 - 24 - 4_000);
    expect(at(2_000)).toEqual({ x: 200 - 2_050, y: 100, zoom: 1 });
  });
});
