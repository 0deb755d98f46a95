import type { BranchType, GraphEdge, GraphNode } from '@millrace/contract';
import type { FreeLayout } from './freeLayout.ts';
import type { Metrics, Orientation, PlacedKind } from './metrics.ts';

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

export interface LayoutOptions {
  readonly orientation: Orientation;
  readonly metrics: Metrics;
  readonly freeLayout?: FreeLayout;
}
