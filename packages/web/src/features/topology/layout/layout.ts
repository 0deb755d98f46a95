import type { BranchType, GraphEdge, GraphNode } from '@millrace/contract';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacedNode extends Rectangle {
  readonly uid: string;
  readonly kind: PlacedKind;
  readonly node: GraphNode;
}

export interface PlacedCluster extends Rectangle {
  readonly uid: string;
  readonly depth: number;
  readonly role: 'task' | 'subflow' | 'triggers';
  readonly branchType?: BranchType;
  readonly header?: GraphNode;
}

export interface PlacedEdge {
  readonly id: string;
  readonly edge: GraphEdge;
  readonly points: readonly Point[];
  /** Drawn as a curve rather than with corners. */
  readonly isCurve: boolean;
  /** False where the flow only passes: the end of a box, a dot. */
  readonly hasArrow: boolean;
  /** True where the edge leaves the header of a box. */
  readonly leavesHeader: boolean;
  readonly label?: Point & { readonly text: string };
}

export interface GraphLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly clusters: readonly PlacedCluster[];
  readonly edges: readonly PlacedEdge[];
  /** True when some part is not series-parallel, so that a better free layout would show. */
  readonly hasFreePart: boolean;
}

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

type PlacedKind = 'task' | 'trigger' | 'dot' | 'marker';

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
