import { Graph, layout } from '@dagrejs/dagre';
import { type FreeLayout, linkKey, linksBetween, type Route } from './freeLayout.ts';

/** The inside of a Dag, with crossings minimised. Only ever reached by a dynamic import. */
export const layoutWithDagre: FreeLayout = (boxes, links, metrics) => {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: metrics.gapAcross, ranksep: metrics.gapAlong });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { source, target } of links) {
    // A node outside the block is laid out as a point, so that edges to it get their own route.
    graph.setNode(source, { width: 0, height: 0 });
    graph.setNode(target, { width: 0, height: 0 });
  }
  for (const box of boxes) graph.setNode(box.uid, { width: box.across, height: box.along });
  for (const { source, target } of links) graph.setEdge(source, target);
  layout(graph);

  const corners = boxes.map((box) => {
    const { x, y } = graph.node(box.uid);
    return { box, along: y - box.along / 2, across: x - box.across / 2 };
  });
  const start = Math.min(...corners.map((corner) => corner.along));
  const end = Math.max(...corners.map(({ box, along }) => along + box.along));
  const bends = (source: string, target: string): Route => {
    const points: { x: number; y: number }[] = graph.edge(source, target)?.points ?? [];
    return points
      .slice(1, -1)
      .filter(({ y }) => y >= start && y <= end)
      .map(({ x, y }) => ({ along: y, across: x }));
  };
  const inside = new Set(linksBetween(boxes, links));
  const routed = links
    .map((link) => ({ link, route: bends(link.source, link.target) }))
    .filter(({ link, route }) => inside.has(link) || route.length > 0);

  const sides = [
    ...corners.flatMap(({ box, across }) => [across, across + box.across]),
    ...routed.flatMap(({ route }) => route.map((point) => point.across)),
  ];
  const side = Math.min(...sides);
  return {
    along: end - start,
    across: Math.max(...sides) - side,
    at: new Map(
      corners.map(({ box, along, across }) => [box.uid, { along: along - start, across: across - side }]),
    ),
    routes: new Map(
      routed.map(({ link, route }) => [
        linkKey(link.source, link.target),
        route.map((point) => ({ along: point.along - start, across: point.across - side })),
      ]),
    ),
  };
};
