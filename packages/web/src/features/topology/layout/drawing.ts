import type { GraphNode } from '@millrace/contract';
import { type Block, type Branch, decompose } from './decompose.ts';
import { type FreeLayout, layerFreely, linkKey, linksBetween, type Route } from './freeLayout.ts';
import { kindOf, type Metrics, type Orientation, sizeOf } from './layout.ts';
import { type Link, labelOf, type Scope } from './scope.ts';

export interface LayoutOptions {
  readonly orientation: Orientation;
  readonly metrics: Metrics;
  readonly freeLayout?: FreeLayout;
}

/** A placed rectangle in flow coordinates; `inner` is where edges to the first children begin. */
export interface Frame {
  readonly start: number;
  readonly side: number;
  readonly along: number;
  readonly across: number;
  readonly axis: number;
  readonly inner: number;
}

/** What one layout run has placed so far, in flow coordinates. */
export class Drawing {
  readonly nodes: { uid: string; node: GraphNode; along: number; across: number }[] = [];
  readonly frames = new Map<string, Frame>();
  readonly lanes = new Map<string, number>();
  readonly routes = new Map<string, Route>();
  readonly scopes: Scope[] = [];
  readonly #inside = new Set<string>();
  readonly #dots = new Set<string>();
  readonly options: LayoutOptions;
  hasFreePart = false;

  constructor(options: LayoutOptions) {
    this.options = options;
  }

  get isVertical(): boolean {
    return this.options.orientation === 'vertical';
  }

  /** True for a link between two members of one free block. */
  isInside(link: Link): boolean {
    return this.#inside.has(linkKey(link.source, link.target));
  }

  isDot(uid: string): boolean {
    return this.#dots.has(uid);
  }

  measureContent(scope: Scope): Box {
    this.scopes.push(scope);
    const items = new Map(scope.items.map((item) => [item.uid, item]));
    const { metrics, freeLayout = layerFreely } = this.options;
    const placing: Placing = {
      metrics,
      freeLayout: (boxes, links, given) => {
        this.hasFreePart = true;
        for (const { source, target } of linksBetween(boxes, links))
          this.#inside.add(linkKey(source, target));
        return freeLayout(boxes, links, given);
      },
      boxOf: (uid) => {
        const item = items.get(uid)!;
        return item.kind === 'node' ? this.#nodeBox(item.node) : this.#scopeBox(item.scope);
      },
      keepLane: (link, across) => this.lanes.set(link, across),
      keepRoute: (link, route) => this.routes.set(link, route),
    };
    return measure(decompose(scope), placing);
  }

  #nodeBox(node: GraphNode): Box {
    const { width, height } = sizeOf(node, this.options.metrics);
    const [along, across] = this.isVertical ? [height, width] : [width, height];
    return {
      along,
      across,
      axis: across / 2,
      place: (start, side) => {
        if (kindOf(node) === 'dot') this.#dots.add(node.uid);
        this.nodes.push({ uid: node.uid, node, along: start, across: side });
        this.frames.set(node.uid, {
          start,
          side,
          along,
          across,
          axis: side + across / 2,
          inner: start + along,
        });
      },
    };
  }

  #scopeBox(scope: Scope): Box {
    const { metrics } = this.options;
    const content = this.measureContent(scope);
    // The header lies on top: at the near end of a vertical flow, beside the line of a horizontal one.
    const isLabelled = scope.links.some((link) => link.source === scope.start && labelOf(link) !== undefined);
    const entry = isLabelled ? metrics.labelledEntry : metrics.entry;
    const before = this.isVertical ? metrics.header + entry : entry;
    const beside = this.isVertical ? metrics.padding : metrics.header + metrics.padding / 2;
    const minAcross = this.isVertical ? metrics.task.width + 2 * metrics.padding : metrics.header;
    const minAlong = this.isVertical ? metrics.header : metrics.task.width + 2 * metrics.padding;
    const wantedAcross = beside + content.across + metrics.padding;
    const across = Math.max(wantedAcross, minAcross);
    const along = Math.max(before + content.along + metrics.padding, minAlong);
    const shift = beside + (this.isVertical ? (across - wantedAcross) / 2 : 0);
    return {
      along,
      across,
      axis: shift + content.axis,
      place: (start, side) => {
        const axis = side + shift + content.axis;
        const inner = this.isVertical ? start + metrics.header : start;
        this.frames.set(scope.uid, { start, side, along, across, axis, inner });
        content.place(start + before + (along - before - metrics.padding - content.along) / 2, side + shift);
      },
    };
  }
}

/**
 * A measured rectangle. `along` runs with the flow, `across` beside it, whatever the orientation; `axis` is
 * where, across, the line of the flow passes. Sizes are known bottom-up, `place` then runs top-down.
 */
interface Box {
  readonly along: number;
  readonly across: number;
  readonly axis: number;
  place(along: number, across: number): void;
}

interface Placing {
  readonly metrics: Metrics;
  readonly freeLayout: FreeLayout;
  boxOf(uid: string): Box;
  keepLane(link: string, across: number): void;
  keepRoute(link: string, route: Route): void;
}

function measure(block: Block, placing: Placing): Box {
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
