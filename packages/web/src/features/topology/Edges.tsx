import type { BranchType, RelationType } from '@millrace/contract';
import { memo, useMemo } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import styles from './Edges.module.css';
import type { GraphLayout, Orientation, PlacedEdge, Point } from './layout/layout.ts';

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

const RADIUS = 8;

/** An SVG path through the points, with round corners. */
export function pathOf(points: readonly Point[]): string {
  const [first] = points;
  if (!first) return '';
  let path = `M${first.x} ${first.y}`;
  for (let i = 1; i < points.length; i += 1) {
    const corner = points[i]!;
    const before = points[i - 1]!;
    const after = points[i + 1];
    if (!after) {
      path += `L${corner.x} ${corner.y}`;
      continue;
    }
    const radius = Math.min(RADIUS, distance(before, corner) / 2, distance(corner, after) / 2);
    const enter = towards(corner, before, radius);
    const leave = towards(corner, after, radius);
    path += `L${enter.x} ${enter.y}Q${corner.x} ${corner.y} ${leave.x} ${leave.y}`;
  }
  return path;
}

/** A curve through the points that leaves and reaches each of them in the direction of the flow. */
export function curveOf(points: readonly Point[], orientation: Orientation): string {
  const [first] = points;
  if (!first) return '';
  let path = `M${first.x} ${first.y}`;
  for (let i = 1; i < points.length; i += 1) {
    const from = points[i - 1]!;
    const to = points[i]!;
    const middle = orientation === 'vertical' ? (from.y + to.y) / 2 : (from.x + to.x) / 2;
    path +=
      orientation === 'vertical'
        ? `C${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`
        : `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
  }
  return path;
}

const ARROW_LENGTH = 9.2;
const ARROW_HALF_BREADTH = 4.2;

/** The head of an arrow along the last step of the points; along the flow where they are joined by a curve. */
export function arrowOf(points: readonly Point[], along?: Orientation): string {
  const end = points.at(-1);
  const before = points.at(-2);
  if (!end || !before) return '';
  const from = along === 'vertical' ? { x: end.x, y: before.y } : along ? { x: before.x, y: end.y } : before;
  const back = towards(end, from, ARROW_LENGTH);
  const aside = ARROW_HALF_BREADTH / ARROW_LENGTH;
  const [dx, dy] = [(end.y - back.y) * aside, (end.x - back.x) * aside];
  return `M${round(back.x + dx)} ${round(back.y - dy)}L${end.x} ${end.y}L${round(back.x - dx)} ${round(back.y + dy)}Z`;
}

/** A dot of the given radius, as a part of a path. */
export const dotOf = ({ x, y }: Point, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

const round = (value: number): number => Math.round(value * 100) / 100;

const distance = (a: Point, b: Point): number => Math.hypot(b.x - a.x, b.y - a.y);

function towards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * by) / length, y: from.y + ((to.y - from.y) * by) / length };
}
