import type { BranchType, RelationType } from '@millrace/contract';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Edges.module.css';
import { curveOf, pathOf } from './edgePath.ts';
import type { GraphLayout, PlacedEdge } from './layout/layout.ts';
import type { Orientation } from './layout/metrics.ts';

type Look = 'plain' | 'error' | 'late' | 'dynamic';

const looks: Partial<Record<RelationType, Look>> = {
  ERROR: 'error',
  FINALLY: 'late',
  AFTER_EXECUTION: 'late',
  DYNAMIC: 'dynamic',
};

/** All edges in one drawing: a thousand of them cost a thousand paths, not a thousand components. */
export const Edges = memo(function Edges({
  layout,
  orientation,
}: {
  layout: GraphLayout;
  orientation: Orientation;
}) {
  const branches = branchesOf(layout);
  const lookOf = ({ edge }: PlacedEdge): Look =>
    looks[edge.relation.relationType ?? 'SEQUENTIAL'] ??
    (branches.get(edge.source) === 'ERROR' ? 'error' : 'plain');
  return (
    <>
      <svg className={styles.edges} width={layout.width} height={layout.height} aria-hidden="true">
        <defs>
          {(['plain', 'error', 'late', 'dynamic'] as const).map((look) => (
            <marker
              key={look}
              id={`topology-arrow-${look}`}
              className={styles.arrow}
              data-look={look}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0.8 7 4 0 7.2Z" />
            </marker>
          ))}
        </defs>
        {layout.edges.map((edge) => (
          <path
            key={edge.id}
            className={styles.edge}
            data-look={lookOf(edge)}
            d={edge.isCurve ? curveOf(edge.points, orientation) : pathOf(edge.points)}
            markerEnd={edge.hasArrow ? `url(#topology-arrow-${lookOf(edge)})` : undefined}
          />
        ))}
        {layout.edges.map(
          ({ id, leavesHeader, points: [first] }) =>
            leavesHeader &&
            first && <circle key={id} className={styles.port} cx={first.x} cy={first.y} r="3" />,
        )}
      </svg>
      {layout.edges.map(
        (edge) =>
          edge.label && <EdgeLabel key={edge.id} edge={edge} look={lookOf(edge)} label={edge.label} />,
      )}
    </>
  );
});

/** Every step of an error branch is drawn as one, not only the first. */
function branchesOf(layout: GraphLayout): ReadonlyMap<string, BranchType | undefined> {
  return new Map(layout.nodes.map(({ uid, node }) => [uid, node.branchType]));
}

function EdgeLabel({
  edge,
  look,
  label,
}: {
  edge: PlacedEdge;
  look: Look;
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
