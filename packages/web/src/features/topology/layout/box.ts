import type { Block, Branch } from './decompose.ts';
import type { FreeLayout, Route } from './freeLayout.ts';
import type { Metrics } from './metrics.ts';

/**
 * A measured rectangle. `along` runs with the flow, `across` beside it, whatever the orientation; `axis` is
 * where, across, the line of the flow passes. Sizes are known bottom-up, `place` then runs top-down.
 */
export interface Box {
  readonly along: number;
  readonly across: number;
  readonly axis: number;
  place(along: number, across: number): void;
}

export interface Placing {
  readonly metrics: Metrics;
  readonly freeLayout: FreeLayout;
  boxOf(uid: string): Box;
  keepLane(link: string, across: number): void;
  keepRoute(link: string, route: Route): void;
}

export function measure(block: Block, placing: Placing): Box {
  if (block.kind === 'item') return placing.boxOf(block.uid);
  if (block.kind === 'series') return measureSeries(block.blocks, placing);
  if (block.kind === 'branches') return measureBranches(block.branches, placing);
  return measureFree(block, placing);
}

function measureSeries(blocks: readonly Block[], placing: Placing): Box {
  const boxes = blocks.map((block) => measure(block, placing));
  const gap = placing.metrics.gapAlong;
  const axis = Math.max(0, ...boxes.map((box) => box.axis));
  const along = boxes.reduce((sum, box) => sum + box.along, 0) + gap * Math.max(0, boxes.length - 1);
  return {
    along,
    across: axis + Math.max(0, ...boxes.map((box) => box.across - box.axis)),
    axis,
    place(start, side) {
      let at = start;
      for (const box of boxes) {
        box.place(at, side + axis - box.axis);
        at += box.along + gap;
      }
    },
  };
}

function measureBranches(branches: readonly Branch[], placing: Placing): Box {
  const gap = placing.metrics.gapAcross;
  let across = 0;
  const laid = branches.map((branch) => {
    const box =
      branch.bypass === undefined ? measure(branch.block, placing) : measureLane(branch.bypass, placing);
    const offset = across;
    across += box.across + gap;
    return { box, offset, aside: branch.aside };
  });
  const line = laid.filter(({ aside }) => !aside);
  const [first, last] = line.length > 0 ? [line[0]!, line.at(-1)!] : [laid[0]!, laid.at(-1)!];
  return {
    along: Math.max(...laid.map(({ box }) => box.along)),
    across: across - gap,
    axis: (first.offset + first.box.axis + last.offset + last.box.axis) / 2,
    place(start, side) {
      for (const { box, offset } of laid) box.place(start, side + offset);
    },
  };
}

const LANE = 48;

/** Room for an edge that passes by the other branches, such as an If without an else. */
const measureLane = (link: string, placing: Placing): Box => ({
  along: 0,
  across: LANE,
  axis: LANE / 2,
  place: (_start, side) => placing.keepLane(link, side + LANE / 2),
});

function measureFree(block: Extract<Block, { kind: 'free' }>, placing: Placing): Box {
  const boxes = new Map(block.uids.map((uid) => [uid, placing.boxOf(uid)]));
  const laid = placing.freeLayout(
    [...boxes].map(([uid, box]) => ({ uid, along: box.along, across: box.across })),
    block.links,
    placing.metrics,
  );
  return {
    along: laid.along,
    across: laid.across,
    axis: laid.across / 2,
    place(start, side) {
      for (const [uid, box] of boxes) {
        const at = laid.at.get(uid)!;
        box.place(start + at.along, side + at.across);
      }
      for (const [link, route] of laid.routes)
        placing.keepRoute(
          link,
          route.map((point) => ({ along: start + point.along, across: side + point.across })),
        );
    },
  };
}
