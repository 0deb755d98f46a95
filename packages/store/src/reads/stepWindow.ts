import { raw, sql } from '../filters/sql.ts';
import { stepMs } from '../rows/rollUp.ts';
import type { Queries } from './queries.ts';

/** A table of dated rows and the column of their date. Constants of this package. */
export interface DatedTable {
  readonly table: string;
  readonly date: string;
}

/**
 * The part of a window that the roll-up covers (`firstStep <= step < endStep`), and the rest as spans of
 * milliseconds.
 */
export interface StepWindow {
  readonly firstStep: number;
  readonly endStep: number;
  readonly edges: readonly (readonly [from: number, to: number])[];
}

/**
 * A window seldom begins and ends at a step. When the part of the step outside the window has no rows
 * (usually because the window ends now), the whole step is used; otherwise the rows of the part inside are
 * counted.
 */
export async function stepWindow(
  queries: Queries,
  { table, date }: DatedTable,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<StepWindow> {
  const [fromStep, toStep] = [Math.floor(from / stepMs), Math.floor(to / stepMs)];
  const has = (after: number, before: number) =>
    sql`CASE WHEN EXISTS (SELECT 1 FROM ${raw(table)} WHERE ${raw(date)} >= ${after} AND ${raw(date)} < ${before})
      THEN 1 ELSE 0 END`;
  const rows = await queries.scan(
    sql`SELECT ${has(fromStep * stepMs, from)} AS earlier, ${has(to, (toStep + 1) * stepMs)} AS later`,
  );
  const firstStep = Number(rows[0]?.earlier) === 0 ? fromStep : fromStep + 1;
  const endStep = Number(rows[0]?.later) === 0 && to % stepMs !== 0 ? toStep + 1 : toStep;
  if (firstStep >= endStep) return { firstStep: 0, endStep: 0, edges: [[from, to]] };
  const edges: (readonly [number, number])[] = [];
  if (firstStep * stepMs > from) edges.push([from, firstStep * stepMs]);
  if (endStep * stepMs < to) edges.push([endStep * stepMs, to]);
  return { firstStep, endStep, edges };
}
