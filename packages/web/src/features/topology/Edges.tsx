import { memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './Edges.module.css';
import { type EdgeLook, looksOf, strokesOf } from './edgeStrokes.ts';
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
  const lookOf = looksOf(layout);
  return (
    <>
      <svg className={styles.edges} width={layout.width} height={layout.height} aria-hidden="true">
        {strokes.map(({ look, lines, arrows, ports }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strokes have no other name, and drawing one anew costs nothing.
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
  look: EdgeLook;
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
