import type { FlowGraph } from '@millrace/contract';
import { Drawing } from './drawing.ts';
import type { GraphLayout, LayoutOptions, PlacedCluster, Point } from './layout.ts';
import { kindOf, sizeOf } from './metrics.ts';
import { routeLinks } from './routeLinks.ts';
import { readScopes, type Scope } from './scope.ts';

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
