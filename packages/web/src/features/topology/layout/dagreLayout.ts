import { Graph, layout } from '@dagrejs/dagre';
import { linkKey } from './decompose.ts';
import type { FreeLayout, Route } from './freeLayout.ts';

/** The inside of a Dag, with crossings minimised. Only ever reached by a dynamic import. */
export const layoutWithDagre: FreeLayout = (boxes, links, metrics) => {
  const graph = new Graph();
  graph.setGraph({
    rankdir: 'TB',
    nodesep: metrics.gapAcross,
    ranksep: metrics.gapAlong,
    marginx: 0,
    marginy: 0,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const box of boxes) graph.setNode(box.uid, { width: box.across, height: box.along });
  for (const { source, target } of links) graph.setEdge(source, target);
  layout(graph);
  const at = new Map(
    boxes.map((box) => {
      const { x, y } = graph.node(box.uid);
      return [box.uid, { along: y - box.along / 2, across: x - box.across / 2 }];
    }),
  );
  const routes = new Map<string, Route>(
    links.map(({ source, target }) => {
      const points: { x: number; y: number }[] = graph.edge(source, target)?.points ?? [];
      return [linkKey(source, target), points.slice(1, -1).map(({ x, y }) => ({ along: y, across: x }))];
    }),
  );
  const size = graph.graph();
  return { along: size.height ?? 0, across: size.width ?? 0, at, routes };
};
