import type { RelationType } from '@millrace/contract';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Edges.module.css';
import { pathOf } from './edgePath.ts';
import type { GraphLayout, PlacedEdge } from './layout/layout.ts';

type Look = 'plain' | 'error' | 'late' | 'dynamic';

const looks: Partial<Record<RelationType, Look>> = {
  ERROR: 'error',
  FINALLY: 'late',
  AFTER_EXECUTION: 'late',
  DYNAMIC: 'dynamic',
};

/** All edges in one drawing: a thousand of them cost a thousand paths, not a thousand components. */
export const Edges = memo(function Edges({ layout }: { layout: GraphLayout }) {
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
            d={pathOf(edge.points)}
            markerEnd={`url(#topology-arrow-${lookOf(edge)})`}
          />
        ))}
      </svg>
      {layout.edges.map((edge) => edge.label && <EdgeLabel key={edge.id} edge={edge} label={edge.label} />)}
    </>
  );
});

const lookOf = (edge: PlacedEdge): Look => looks[edge.edge.relation.relationType ?? 'SEQUENTIAL'] ?? 'plain';

function EdgeLabel({ edge, label }: { edge: PlacedEdge; label: NonNullable<PlacedEdge['label']> }) {
  const { t } = useTranslation();
  const isError = edge.edge.relation.relationType === 'ERROR' && edge.edge.relation.value === undefined;
  return (
    <span
      className={styles.label}
      data-look={lookOf(edge)}
      title={label.text}
      style={{ transform: `translate(${label.x}px, ${label.y}px) translate(-50%, -50%)` }}
    >
      {isError ? t('topology.onError') : label.text}
    </span>
  );
}
