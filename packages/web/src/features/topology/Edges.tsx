import type { BranchType, RelationType } from '@millrace/contract';
import { memo, useMemo } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './Edges.module.css';
import { arrowOf, curveOf, dotOf, pathOf } from './edgePath.ts';
import type { GraphLayout, PlacedEdge } from './layout/layout.ts';
import type { Orientation } from './layout/metrics.ts';

/** All edges in one drawing: a thousand of them cost a few paths, not a thousand components. */
export const Edges = memo(function Edges({
  layout,
  orientation,
}: {
  layout: GraphLayout;
  orientation: Orientation;
}) {
  const strokes = useMemo(() => strokesOf(layout, orientation), [layout, orientation]);
  const lookOf = edgeStyles(layout);
  return (
    <>
      <svg className={styles.edges} width={layout.width} height={layout.height} aria-hidden="true">
        {strokes.map(({ look, lines, arrows, ports }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strokes have no other name, and drawing one again costs nothing.
          <g key={index} data-look={look}>
            <path className={styles.edge} d={lines} />
            {arrows !== '' && <path className={styles.arrow} d={arrows} />}
            {ports !== '' && <path className={styles.port} d={ports} />}
          </g>
        ))}
      </svg>
      {layout.edges.map(
        (edge) =>
          edge.label && <EdgeLabel key={edge.id} edge={edge} look={lookOf(edge)} label={edge.label} />,
      )}
    </>
  );
});

function EdgeLabel({
  edge,
  look,
  label,
}: {
  edge: PlacedEdge;
  look: EdgeStyle;
  label: NonNullable<PlacedEdge['label']>;
}) {
  const { t } = useTranslation();
  const isError = edge.edge.relation.relationType === 'ERROR' && edge.edge.relation.value === undefined;
  return (
    <span
      className={styles.label}
      data-look={look}
      title={label.text}
      style={{ transform: `translate(${label.x}px, ${label.y}px) translate(-50%, -50%)` }}
    >
      {isError ? t('topology.onError') : label.text}
    </span>
  );
}

type EdgeStyle = 'plain' | 'error' | 'late' | 'dynamic';

const looks: Partial<Record<RelationType, EdgeStyle>> = {
  ERROR: 'error',
  FINALLY: 'late',
  AFTER_EXECUTION: 'late',
  DYNAMIC: 'dynamic',
};

/** How each edge looks. Every step of an error branch is drawn as one, not only the first. */
function edgeStyles(layout: GraphLayout): (edge: PlacedEdge) => EdgeStyle {
  const branches = new Map<string, BranchType | undefined>(
    layout.nodes.map(({ uid, node }) => [uid, node.branchType]),
  );
  return ({ edge }) =>
    looks[edge.relation.relationType ?? 'SEQUENTIAL'] ??
    (branches.get(edge.source) === 'ERROR' ? 'error' : 'plain');
}

interface EdgeStroke {
  readonly look: EdgeStyle;
  lines: string;
  arrows: string;
  ports: string;
}

/** Few enough that strokes out of view cost nothing to paint, enough that a thousand edges need few elements. */
const EDGES_IN_STROKE = 50;
const PORT_RADIUS = 3;

/** The edges that look the same and stand near each other, as one path: a browser counts elements, not lines. */
function strokesOf(layout: GraphLayout, orientation: Orientation): EdgeStroke[] {
  const lookOf = edgeStyles(layout);
  const strokes: EdgeStroke[] = [];
  for (let start = 0; start < layout.edges.length; start += EDGES_IN_STROKE) {
    const near = new Map<EdgeStyle, EdgeStroke>();
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
