import type { FlowGraph, GraphNode } from '@millrace/contract';
import { controlTypeOf } from '@millrace/engine';
import type { Part } from '../edits/slot.ts';

/** The task or trigger of the node around an element of the page; none for the buttons on a node. */
export function partAt(target: EventTarget | null, graph: FlowGraph): Part | undefined {
  const element = target instanceof Element ? target : undefined;
  if (element?.closest('button')) return undefined;
  return partOf(nodeAt(element, graph), graph);
}

export function nodeAt(element: Element | undefined, graph: FlowGraph): GraphNode | undefined {
  const uid = element?.closest<HTMLElement>('.react-flow__node')?.dataset.id?.replace(/^cluster_/, '');
  return graph.nodes.find((node) => node.uid === uid);
}

export function partOf(node: GraphNode | undefined, graph: FlowGraph): Part | undefined {
  if (node?.triggerDeclaration) return { kind: 'trigger', id: node.triggerDeclaration.id };
  if (!node?.task || isGenerated(node, graph)) return undefined;
  return { kind: 'task', id: node.task.id };
}

/** The steps of a ForEachItem are drawn inside it, but written nowhere. */
const isGenerated = ({ uid, task }: GraphNode, { clusters }: FlowGraph): boolean =>
  controlTypeOf(task?.type ?? '') === 'core.flow.ForEachItem' &&
  !clusters.some(({ cluster }) => cluster.taskNode?.uid === uid);
