import { type Execution, type GraphNode, isTerminal } from '@millrace/contract';
import type { Node } from '@xyflow/react';
import type { FoldedRuns } from '../iterations/index.ts';
import type { GraphLayout } from './layout/layout.ts';
import type { ClusterData, Marks, NodeData } from './nodes.tsx';
import { findIcon, type Icons } from './PluginIcon.tsx';
import { type RunsByTask, summarizeRuns } from './runSummary.ts';

interface Shown {
  readonly runs: RunsByTask;
  readonly loops: FoldedRuns['loops'];
  readonly icons: Icons | undefined;
  readonly execution?: Execution | undefined;
  readonly selectedTaskId?: string | undefined;
  readonly marks?: Marks | undefined;
}

export const taskIdOf = (node: GraphNode | undefined): string | undefined =>
  node?.task?.id ?? node?.triggerDeclaration?.id;

/** Boxes first, so that what stands inside them is drawn on top and comes later in the tab order. */
export function toFlowNodes(layout: GraphLayout, shown: Shown): Node<NodeData | ClusterData>[] {
  const { runs, loops, icons, execution, selectedTaskId, marks } = shown;
  const iconOf = (node: GraphNode | undefined) =>
    findIcon(icons, (node?.task ?? node?.triggerDeclaration)?.type ?? '');
  const isOver = execution !== undefined && isTerminal(execution.state.current);
  const stateOf = (node: GraphNode | undefined) => {
    const run = node?.task && execution ? summarizeRuns(node, runs, loops) : undefined;
    const mark = marks?.get(taskIdOf(node) ?? '');
    return { run, isUnused: isOver && node?.task !== undefined && !run, mark };
  };
  const isSelected = (node: GraphNode | undefined) =>
    selectedTaskId !== undefined && taskIdOf(node) === selectedTaskId;

  const clusters = layout.clusters
    .toSorted((a, b) => a.depth - b.depth)
    .map((placed) => ({
      id: placed.uid,
      type: 'cluster',
      ...boxOf(placed),
      zIndex: placed.depth,
      // The background can be dragged through a box; only its header is a target.
      style: withoutPointer,
      data: { placed, icon: iconOf(placed.header), ...stateOf(placed.header) },
      selected: isSelected(placed.header),
      focusable: placed.header !== undefined,
      ariaLabel: taskIdOf(placed.header) ?? '',
    }));
  const nodes = layout.nodes.map((placed) => ({
    id: placed.uid,
    type: placed.kind,
    ...boxOf(placed),
    zIndex: 1000,
    ...(taskIdOf(placed.node) === undefined && { style: withoutPointer }),
    data: { placed, icon: iconOf(placed.node), ...stateOf(placed.node) },
    selected: isSelected(placed.node),
    focusable: taskIdOf(placed.node) !== undefined,
    ariaLabel: taskIdOf(placed.node) ?? '',
  }));
  return [...clusters, ...nodes];
}

const withoutPointer = { pointerEvents: 'none' } as const;

/**
 * Sizes are given, so that nothing is measured and the first picture is the final one. An empty list of handles
 * says that there are none to find: without it every node is drawn once, in sight or not.
 */
const boxOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
  position: { x, y },
  width,
  height,
  measured: { width, height },
  handles: [],
});
