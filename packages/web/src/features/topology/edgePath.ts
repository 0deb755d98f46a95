import type { Point } from './layout/layout.ts';
import type { Orientation } from './layout/metrics.ts';

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
