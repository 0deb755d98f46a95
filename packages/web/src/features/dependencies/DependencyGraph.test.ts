import { describe, expect, it } from 'vitest';
import { cardHeight, placeFlows } from './DependencyGraph.tsx';

const flow = (id: string) => ({ uid: id, namespace: 'shop', id });
const topology = {
  nodes: [flow('alone'), flow('first'), flow('then'), flow('also alone')],
  edges: [{ source: 'first', target: 'then', relation: 'FLOW_TASK' as const }],
};

describe('the places of flows', () => {
  it('go from left to right where there is room', () => {
    const places = placeFlows(topology);
    expect(places.get('then')!.x).toBeGreaterThan(places.get('first')!.x);
    expect(places.get('then')!.y).toBe(places.get('first')!.y);
  });

  it('go from the top down on a phone, and those that nothing joins stand below each other', () => {
    const places = placeFlows(topology, { isUpright: true });
    const inOrder = ['first', 'then', 'alone', 'also alone'].map((id) => places.get(id)!);
    expect(new Set(inOrder.map(({ x }) => x)).size).toBe(1);
    for (const [index, { y }] of inOrder.entries()) {
      if (index > 0) expect(y).toBeGreaterThan(inOrder[index - 1]!.y + cardHeight);
    }
  });
});
