import type { Node } from '@xyflow/react';
import type { ClusterData, NodeData } from './nodes.tsx';

type FlowNode = Node<NodeData | ClusterData>;

/** Nodes that look the same stay the same objects, so that a keystroke or a selection redraws only what it changes. */
export function keepNodes(known: readonly FlowNode[], next: readonly FlowNode[]): FlowNode[] {
  const byId = new Map(known.map((node) => [node.id, node]));
  return next.map((node) => {
    const old = byId.get(node.id);
    return old && lookOf(old) === lookOf(node) ? old : node;
  });
}

const looks = new WeakMap<FlowNode, string>();

function lookOf(node: FlowNode): string {
  let look = looks.get(node);
  if (look === undefined) {
    const { placed, run, isUnused, icon } = node.data;
    const shown = 'node' in placed ? placed.node : placed.header;
    const definition = shown?.task ?? shown?.triggerDeclaration;
    look = JSON.stringify([
      [node.type, node.position, node.width, node.height, node.zIndex, node.selected],
      [definition?.id, definition?.type, definition?.disabled, shown?.branchType, placed.uid],
      [run, isUnused, icon?.length],
    ]);
    looks.set(node, look);
  }
  return look;
}
