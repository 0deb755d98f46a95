import type { Sql } from '../filters/sql.ts';
import type { Queries } from './queries.ts';

/** Up to here rows are counted for every page; the number of more may be a few seconds old. */
const countedAnew = 10_000;

export interface RowCount {
  readonly total: number;
  /** False: it was counted a moment ago. */
  readonly isCurrent: boolean;
}

/** How many rows a FROM with its WHERE has. */
export async function countRows(queries: Queries, from: Sql): Promise<RowCount> {
  const few = await queries.scan(
    `SELECT count(*) AS total FROM (SELECT 1 FROM ${from.text} LIMIT ${countedAnew}) c`,
    from.params,
  );
  const total = Number(few[0]?.total ?? 0);
  if (total < countedAnew) return { total, isCurrent: true };
  return {
    total: await queries.tally(`SELECT count(*) AS total FROM ${from.text}`, from.params),
    isCurrent: false,
  };
}
