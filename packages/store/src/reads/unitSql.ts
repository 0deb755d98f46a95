import { raw, type Sql } from '../filters/sql.ts';
import { stepMs } from '../rows/rollUp.ts';
import { type BucketWidth, type Calendar, type Offset, shiftOf, unitMs } from '../statistics/calendar.ts';

/**
 * The number of the unit (minute, hour, local day) that an instant falls into, as SQL for both databases. `at` is an
 * expression of this package and not before `from`; the numbers come from the calendar.
 */
export function unitSql(
  at: string,
  offsets: readonly Offset[],
  width: BucketWidth,
  { from }: { readonly from: number },
): Sql {
  const shifts = offsets.map(({ since, ms }) => ({ since, shift: shiftOf(ms, width) }));
  const last = shifts.at(-1)?.shift ?? 0;
  const changes = shifts
    .slice(1)
    .map(({ since }, index) => `WHEN ${at} < ${since} THEN ${shifts[index]?.shift ?? 0}`);
  const shift = changes.length === 0 ? `${last}` : `CASE ${changes.join(' ')} ELSE ${last} END`;
  const local = `(${at} + ${shift})`;
  return raw(from > latestBefore1970 ? `(${local} / ${unitMs(width)})` : floorDivide(local, unitMs(width)));
}

/** The same, computed in JavaScript. */
export function unitAt(at: number, offsets: readonly Offset[], width: BucketWidth): number {
  const { ms = 0 } = offsets.findLast(({ since }) => since <= at) ?? offsets[0] ?? {};
  return Math.floor((at + shiftOf(ms, width)) / unitMs(width));
}

/** Later instants are after 1970 in every time zone. */
const latestBefore1970 = 2 * unitMs('day');

/** Both databases round a division towards zero, which is wrong before 1970. */
const floorDivide = (value: string, by: number): string =>
  `((${value} - ((${value} % ${by}) + ${by}) % ${by}) / ${by})`;

/** Whether no step of the roll-up crosses the boundary of a unit. */
export function fitsSteps(
  calendar: Calendar,
  window: { from: number; to: number },
  width: BucketWidth,
): boolean {
  if (width === 'minute') return false;
  return calendar
    .offsets(window.from, window.to)
    .every(({ since, ms }) => ms % stepMs === 0 && (!Number.isFinite(since) || since % stepMs === 0));
}
