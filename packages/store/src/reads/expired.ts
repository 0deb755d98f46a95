import { namespaceFilter } from '../filters/namespace.ts';
import { always, and, not, type Sql, sql } from '../filters/sql.ts';
import type { ExpiredExecution, ExpiredQuery, NamespaceScope } from '../port/retention.ts';
import { decodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

/**
 * Bounded by the start date, which has an index: an execution that started later cannot have ended earlier.
 */
export async function expiredExecutions(queries: Queries, query: ExpiredQuery): Promise<ExpiredExecution[]> {
  const rows = await queries.scan(
    sql`SELECT id, namespace, flow_id FROM executions
      WHERE start_date < ${query.before} AND closed_at < ${query.before} AND ${scopeOf(queries, query)}
      ORDER BY start_date LIMIT ${query.limit}`,
  );
  return rows.map((row) => ({
    id: decodeText(String(row.id)),
    namespace: decodeText(String(row.namespace)),
    flowId: decodeText(String(row.flow_id)),
  }));
}

/** Log entries of triggers, which are not deleted with an execution. */
export async function expiredLogs(queries: Queries, query: ExpiredQuery): Promise<number[]> {
  const rows = await queries.scan(
    sql`SELECT id FROM logs WHERE execution_id IS NULL AND at < ${query.before} AND ${scopeOf(queries, query)}
      ORDER BY at LIMIT ${query.limit}`,
  );
  return rows.map((row) => Number(row.id));
}

function scopeOf({ dialect }: Queries, { within, except }: NamespaceScope): Sql {
  const inside = (namespace: string): Sql =>
    namespaceFilter({ field: 'namespace', operation: 'PREFIX', value: namespace }, dialect);
  return and(
    within === undefined ? always : inside(within),
    ...except.map((namespace) => not(inside(namespace))),
  );
}
