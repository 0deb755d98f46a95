import { Graph, layout } from '@dagrejs/dagre';
import type { FlowTopology } from '@millrace/contract';

export const cardWidth = 200;
export const cardHeight = 52;

/** Where the upper left corner of each flow's card goes, from left to right or from the top down. */
export function placeFlows(
  { nodes, edges }: FlowTopology,
  { isUpright = false } = {},
): Map<string, { x: number; y: number }> {
  const joined = new Set(edges.flatMap(({ source, target }) => [source, target]));
  // Side by side, many that are not joined would make all of them tiny.
  const inColumn = isUpright ? nodes.filter(({ uid }) => !joined.has(uid)) : [];
  const graph = new Graph();
  graph.setGraph({ rankdir: isUpright ? 'TB' : 'LR', nodesep: 24, ranksep: isUpright ? 64 : 110 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) {
    if (!inColumn.includes(node)) graph.setNode(node.uid, { width: cardWidth, height: cardHeight });
  }
  for (const { source, target } of edges) graph.setEdge(source, target);
  layout(graph);
  const { width = cardWidth, height = 0 } = graph.graph();
  return new Map(
    nodes.map((node) => {
      const row = inColumn.indexOf(node);
      if (row >= 0)
        return [node.uid, { x: (width - cardWidth) / 2, y: height + 24 + row * (cardHeight + 12) }];
      const { x, y } = graph.node(node.uid);
      return [node.uid, { x: x - cardWidth / 2, y: y - cardHeight / 2 }];
    }),
  );
}
