import type { GraphNode } from '@millrace/contract';

export type Orientation = 'vertical' | 'horizontal';

export interface Metrics {
  readonly task: { readonly width: number; readonly height: number };
  readonly header: number;
  readonly gapAlong: number;
  /** Room between the header of a box and its first members: plain, and where edges carry a word. */
  readonly entry: number;
  readonly labelledEntry: number;
  readonly gapAcross: number;
  readonly padding: number;
}

/** Sizes in pixels. A task with a state line is taller; words on edges need more room along a horizontal flow. */
export const metricsFor = (hasStates: boolean, orientation: Orientation): Metrics => ({
  task: { width: 208, height: hasStates ? 74 : 48 },
  header: 38,
  gapAlong: orientation === 'vertical' ? 44 : 72,
  entry: 20,
  labelledEntry: orientation === 'vertical' ? 40 : 84,
  gapAcross: 28,
  padding: 20,
});

export type PlacedKind = 'task' | 'trigger' | 'dot' | 'marker';

const DOT = { width: 12, height: 12 };
const MARKER = { width: 112, height: 24 };

export function kindOf(node: GraphNode): PlacedKind {
  if (node.type === 'GraphTrigger') return 'trigger';
  if (node.type === 'GraphTask' || node.type === 'SubflowGraphTask') return 'task';
  return node.type === 'GraphClusterRoot' || node.type === 'GraphClusterEnd' ? 'dot' : 'marker';
}

export function sizeOf(node: GraphNode, metrics: Metrics): { width: number; height: number } {
  const kind = kindOf(node);
  if (kind === 'dot') return DOT;
  if (kind === 'marker') return MARKER;
  return kind === 'trigger' ? { ...metrics.task, height: 48 } : metrics.task;
}
