import type { FlowGraph } from '@millrace/contract';
import { Drawing, type LayoutOptions } from './drawing.ts';
import { linkKey } from './freeLayout.ts';
import {
  type GraphLayout,
  kindOf,
  type PlacedCluster,
  type PlacedEdge,
  type Point,
  sizeOf,
} from './layout.ts';
import { type Link, labelOf, readScopes, type Scope } from './scope.ts';

/** Draws a flow graph: sizes bottom-up, places top-down. Pure, and the same for the same graph. */
export function layoutGraph(graph: FlowGraph, options: LayoutOptions): GraphLayout {
  const drawing = new Drawing(options);
  const top = drawing.measureContent(readScopes(graph));
  top.place(0, 0);
  const turn = (along: number, across: number): Point =>
    drawing.isVertical ? { x: across, y: along } : { x: along, y: across };
  const extent = (along: number, across: number) => {
    const { x, y } = turn(along, across);
    return { width: x, height: y };
  };
  return {
    ...extent(top.along, top.across),
    nodes: drawing.nodes.map(({ uid, node, along, across }) => ({
      uid,
      node,
      kind: kindOf(node),
      ...turn(along, across),
      ...sizeOf(node, options.metrics),
    })),
    clusters: drawing.scopes.slice(1).map((scope) => {
      const frame = drawing.frames.get(scope.uid)!;
      const { cluster, parents } = scope.cluster!;
      return {
        uid: scope.uid,
        depth: parents.length,
        role: roleOf(scope),
        ...turn(frame.start, frame.side),
        ...extent(frame.along, frame.across),
        ...(cluster.branchType && { branchType: cluster.branchType }),
        ...(scope.header && { header: scope.header }),
      };
    }),
    edges: routeLinks(drawing, turn),
    hasFreePart: drawing.hasFreePart,
  };
}

function roleOf(scope: Scope): PlacedCluster['role'] {
  if (scope.cluster?.cluster.type === 'SubflowGraphCluster') return 'subflow';
  return scope.header ? 'task' : 'triggers';
}

type Turn = (along: number, across: number) => Point;
type Place = { readonly along: number; readonly across: number };

/** Every edge as a path of right angles: down from its source, across just before its target, down into it. */
function routeLinks(drawing: Drawing, turn: Turn): PlacedEdge[] {
  return drawing.scopes.flatMap((scope) => {
    const labelled = new Set(scope.links.flatMap((link) => (labelOf(link) === undefined ? [] : link.source)));
    // Nothing leads to a trigger: the ways from the root of their box would say otherwise.
    return scope.links.flatMap((link) =>
      scope.cluster && !scope.header && link.source === scope.start
        ? []
        : routeLink(drawing, { scope, isLabelled: labelled.has(link.source) }, link, turn),
    );
  });
}

interface Surroundings {
  readonly scope: Scope;
  /** A link of the same source has a word. */
  readonly isLabelled: boolean;
}

function routeLink(
  drawing: Drawing,
  { scope, isLabelled }: Surroundings,
  link: Link,
  turn: Turn,
): PlacedEdge[] {
  const own = drawing.frames.get(scope.uid);
  const source = drawing.frames.get(link.source);
  const target = drawing.frames.get(link.target);
  const from = source
    ? { along: source.start + source.along, across: source.axis }
    : own && link.source === scope.start && { along: own.inner, across: own.axis };
  const to = target
    ? { along: target.start, across: target.axis }
    : own && link.target === scope.end && { along: own.start + own.along, across: own.axis };
  if (!from || !to) return [];

  const { gapAlong, padding, entry, labelledEntry } = drawing.options.metrics;
  const text = labelOf(link);
  const room = Math.max(0, to.along - from.along) / 2;
  const before = Math.min((target ? gapAlong : padding) / 2, room);
  // Out of a header all branches part at the same height, above the words that some of them carry.
  const after = Math.min(source ? gapAlong / 2 : isLabelled ? labelledEntry * 0.35 : entry / 2, room);
  const parting = from.along + after;
  const bend = source || !target ? to.along - before : Math.min(parting, to.along);

  const key = linkKey(link.source, link.target);
  const lane = drawing.lanes.get(key);
  const route = drawing.routes.get(key);
  const path = ((): Place[] => {
    if (lane !== undefined) return throughLane(from, to, { lane, parting, bend: to.along - before });
    if (route && source && target && drawing.isInside(link)) return [from, ...route, to];
    if (route?.length) return throughRoute(from, to, route, { parting, bend: to.along - before });
    return from.across === to.across ? [from, to] : corner(from, to, bend);
  })();
  const labelAt =
    lane === undefined
      ? { along: bend, across: to.across }
      : { along: (from.along + to.along) / 2, across: lane };
  return [
    {
      id: `${link.edge.source}>${link.edge.target}>${text ?? ''}`,
      edge: link.edge,
      points: path.map(({ along, across }) => turn(along, across)),
      isCurve: lane === undefined && route !== undefined && drawing.isInside(link),
      hasArrow: target !== undefined && !drawing.isDot(link.target),
      leavesHeader: !source,
      ...(text !== undefined && { label: { ...turn(labelAt.along, labelAt.across), text } }),
    },
  ];
}

const corner = (from: Place, to: Place, bend: number): Place[] => [
  from,
  { along: bend, across: from.across },
  { along: bend, across: to.across },
  to,
];

const throughLane = (
  from: Place,
  to: Place,
  way: { lane: number; parting: number; bend: number },
): Place[] => [
  from,
  { along: way.parting, across: from.across },
  { along: way.parting, across: way.lane },
  { along: way.bend, across: way.lane },
  { along: way.bend, across: to.across },
  to,
];

/** Between a free block and what lies outside it: along the way that was kept free, then as everywhere else. */
const throughRoute = (
  from: Place,
  to: Place,
  route: readonly Place[],
  way: { parting: number; bend: number },
): Place[] => [
  from,
  { along: way.parting, across: from.across },
  { along: way.parting, across: route[0]!.across },
  ...route,
  { along: way.bend, across: route.at(-1)!.across },
  { along: way.bend, across: to.across },
  to,
];
