import { always, raw, sql } from '../filters/sql.ts';
import type { FlowKey } from '../port/flowKey.ts';
import type { ListedExecution } from '../port/queries.ts';
import { decodeListedExecution, type ExecutionRow } from '../rows/executionRow.ts';
import { encodeText } from '../rows/text.ts';
import { executionColumns } from './executions.ts';
import type { Queries } from './queries.ts';

/** One index lookup per flow, however many executions it has. */
export async function latestExecutions(
  queries: Queries,
  flows: readonly FlowKey[],
  by: 'end' | 'start',
): Promise<ListedExecution[]> {
  if (flows.length === 0) return [];
  const pairs = queries.dialect.flowPairs(
    JSON.stringify(flows.map(({ namespace, id }) => [encodeText(namespace), encodeText(id)])),
  );
  const [ended, date] =
    by === 'end' ? [raw('l.end_date IS NOT NULL'), raw('l.end_date')] : [always, raw('l.start_date')];
  const rows = await queries.scan(
    sql`SELECT ${executionColumns} FROM executions WHERE seq IN (
      SELECT (SELECT l.seq FROM executions l WHERE l.namespace = p.namespace AND l.flow_id = p.flow_id AND ${ended}
              ORDER BY ${date} DESC, l.seq DESC LIMIT 1)
      FROM (${pairs}) p)`,
  );
  // `as`: the columns are those of the statement.
  return rows.map((row) => ({ execution: decodeListedExecution(row as unknown as ExecutionRow) }));
}

/** Counts flows and their triggers, in all namespaces or in one. */
export async function countFlowsAndTriggers(
  queries: Queries,
  namespace?: string,
): Promise<{ flows: number; triggers: number }> {
  const inside = namespace === undefined ? always : sql`f.namespace = ${encodeText(namespace)}`;
  const current = sql`f.latest = 1 AND f.deleted = 0 AND ${inside}`;
  const rows = await queries.scan(
    sql`SELECT (SELECT count(*) FROM flows f WHERE ${current}) AS flows,
      (SELECT count(*) FROM flows f JOIN triggers t ON t.namespace = f.namespace AND t.flow_id = f.id WHERE ${current})
        AS triggers`,
  );
  return { flows: Number(rows[0]?.flows ?? 0), triggers: Number(rows[0]?.triggers ?? 0) };
}
