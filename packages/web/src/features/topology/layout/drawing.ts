import type { GraphNode } from '@millrace/contract';
import { type Box, measure, type Placing } from './box.ts';
import { decompose } from './decompose.ts';
import { layerFreely, linksBetween, type Route } from './freeLayout.ts';
import type { LayoutOptions } from './layout.ts';
import { linkKey } from './linkKey.ts';
import { kindOf, sizeOf } from './metrics.ts';
import { type Link, labelOf, type Scope } from './scope.ts';

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
