import type { BranchType, RelationType } from '@millrace/contract';
import { arrowOf, curveOf, dotOf, pathOf } from './edgePath.ts';
import type { GraphLayout, PlacedEdge } from './layout/layout.ts';
import type { Orientation } from './layout/metrics.ts';

export type EdgeLook = 'plain' | 'error' | 'late' | 'dynamic';

const looks: Partial<Record<RelationType, EdgeLook>> = {
  ERROR: 'error',
  FINALLY: 'late',
  AFTER_EXECUTION: 'late',
  DYNAMIC: 'dynamic',
};

/** How each edge looks. Every step of an error branch is drawn as one, not only the first. */
export function looksOf(layout: GraphLayout): (edge: PlacedEdge) => EdgeLook {
  const branches = new Map<string, BranchType | undefined>(
    layout.nodes.map(({ uid, node }) => [uid, node.branchType]),
  );
  return ({ edge }) =>
    looks[edge.relation.relationType ?? 'SEQUENTIAL'] ??
    (branches.get(edge.source) === 'ERROR' ? 'error' : 'plain');
}

export interface EdgeStroke {
  readonly look: EdgeLook;
  lines: string;
  arrows: string;
  ports: string;
}

/** So few that those out of sight cost nothing to paint, so many that a thousand edges are a handful of elements. */
const EDGES_IN_STROKE = 50;
const PORT_RADIUS = 3;

/** The edges that look the same and stand near each other, as one path: a browser counts elements, not lines. */
export function strokesOf(layout: GraphLayout, orientation: Orientation): EdgeStroke[] {
  const lookOf = looksOf(layout);
  const strokes: EdgeStroke[] = [];
  for (let start = 0; start < layout.edges.length; start += EDGES_IN_STROKE) {
    const near = new Map<EdgeLook, EdgeStroke>();
    for (const edge of layout.edges.slice(start, start + EDGES_IN_STROKE)) {
      const look = lookOf(edge);
      const stroke = near.get(look) ?? { look, lines: '', arrows: '', ports: '' };
      near.set(look, stroke);
      const { points, isCurve, hasArrow, leavesHeader } = edge;
      stroke.lines += isCurve ? curveOf(points, orientation) : pathOf(points);
      if (hasArrow) stroke.arrows += arrowOf(points, isCurve ? orientation : undefined);
      if (leavesHeader && points[0]) stroke.ports += dotOf(points[0], PORT_RADIUS);
    }
    strokes.push(...near.values());
  }
  return strokes;
}
