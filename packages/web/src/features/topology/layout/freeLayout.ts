import type { Metrics } from './layout.ts';
import type { Link } from './scope.ts';

export type Route = readonly { readonly along: number; readonly across: number }[];

export interface FreeBox {
  readonly uid: string;
  readonly along: number;
  readonly across: number;
}

export interface FreeResult {
  readonly along: number;
  readonly across: number;
  /** The near corner of every box. */
  readonly at: ReadonlyMap<string, { along: number; across: number }>;
  /** Bends between the two ends of a link, by link key. Every link between two boxes has an entry. */
  readonly routes: ReadonlyMap<string, Route>;
}

/** Places what is not series-parallel. Pure; the better one arrives later and replaces `layerFreely`. */
export type FreeLayout = (boxes: readonly FreeBox[], links: readonly Link[], metrics: Metrics) => FreeResult;

/** One layer per step of dependency, in the order of the text. Good enough until dagre is loaded. */
export const layerFreely: FreeLayout = (boxes, links, metrics) => {
  const inside = linksBetween(boxes, links);
  const layerOf = layerByDependency(boxes, inside);
  const layers: FreeBox[][] = [];
  for (const box of boxes) {
    const layer = layerOf.get(box.uid)!;
    layers[layer] = [...(layers[layer] ?? []), box];
  }
  const widthOf = (layer: readonly FreeBox[]) =>
    layer.reduce((sum, box) => sum + box.across, 0) + metrics.gapAcross * (layer.length - 1);
  const across = Math.max(0, ...layers.map(widthOf));
  const at = new Map<string, { along: number; across: number }>();
  let along = 0;
  for (const layer of layers) {
    let side = (across - widthOf(layer)) / 2;
    for (const box of layer) {
      at.set(box.uid, { along, across: side });
      side += box.across + metrics.gapAcross;
    }
    along += Math.max(...layer.map((box) => box.along)) + metrics.gapAlong;
  }
  const routes = new Map(inside.map(({ source, target }) => [linkKey(source, target), []]));
  return { along: Math.max(0, along - metrics.gapAlong), across, at, routes };
};

export function linksBetween(boxes: readonly FreeBox[], links: readonly Link[]): Link[] {
  const uids = new Set(boxes.map((box) => box.uid));
  return links.filter(({ source, target }) => uids.has(source) && uids.has(target));
}

function layerByDependency(boxes: readonly FreeBox[], links: readonly Link[]): Map<string, number> {
  const before = new Map<string, string[]>(boxes.map((box) => [box.uid, []]));
  for (const { source, target } of links) before.get(target)?.push(source);
  const layers = new Map<string, number>();
  const visiting = new Set<string>();
  const layerOf = (uid: string): number => {
    const known = layers.get(uid);
    if (known !== undefined || visiting.has(uid)) return known ?? 0;
    visiting.add(uid);
    const layer = Math.max(-1, ...(before.get(uid) ?? []).map(layerOf)) + 1;
    layers.set(uid, layer);
    return layer;
  };
  const deepest = boxes.map((box) => layerOf(box.uid));
  // Layers are dense by construction, except when a circle was cut: squeeze the numbering.
  const used = [...new Set(deepest)].sort((a, b) => a - b);
  return new Map(boxes.map((box) => [box.uid, used.indexOf(layers.get(box.uid)!)]));
}

/** The name of a link inside its scope. */
export const linkKey = (source: string, target: string): string => `${source}>${target}`;
