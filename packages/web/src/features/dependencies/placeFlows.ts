import { Graph, layout } from '@dagrejs/dagre';
import type { FlowTopology } from '@millrace/contract';

export const cardWidth = 200;
export const cardHeight = 52;

/** Where the upper left corner of each flow's card goes, from left to right or from the top down. */
export function placeFlows(
  { nodes, edges }: FlowTopology,
  { isUpright = false } = {},
): Map<string, { x: number; y: number }> {
  const graph = new Graph();
  graph.setGraph({ rankdir: isUpright ? 'TB' : 'LR', nodesep: 24, ranksep: isUpright ? 64 : 110 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { uid } of nodes) graph.setNode(uid, { width: cardWidth, height: cardHeight });
  for (const { source, target } of edges) graph.setEdge(source, target);
  layout(graph);
  return new Map(
    nodes.map(({ uid }) => {
      const { x, y } = graph.node(uid);
      return [uid, { x: x - cardWidth / 2, y: y - cardHeight / 2 }];
    }),
  );
}
