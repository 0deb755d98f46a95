import { logLevels } from '@millrace/contract';
import { compileLogFilters, logSortFields } from '../filters/logFilters.ts';
import { limitOf, orderBy } from '../filters/sort.ts';
import { type Sql, sql } from '../filters/sql.ts';
import type { ExecutionLogQuery, LogQuery, Page, StoredLog } from '../port/store.ts';
import { logColumns } from '../rows/columns.ts';
import { decodeLog } from '../rows/logRow.ts';
import { encodeText } from '../rows/text.ts';
import type { Queries } from './queries.ts';

const columns = ['id', ...logColumns].join(', ');

/** `taskId` wins over `taskRunId`; `attempt` only narrows a task run. */
export async function listLogs(queries: Queries, query: ExecutionLogQuery): Promise<StoredLog[]> {
  const where: Sql[] = [sql('execution_id = ?', encodeText(query.executionId))];
  if (query.afterId !== undefined) where.push(sql('id > ?', query.afterId));
  if (query.minLevel !== undefined) where.push(sql('level >= ?', logLevels.indexOf(query.minLevel)));
  if (query.taskId !== undefined) where.push(sql('task_id = ?', encodeText(query.taskId)));
  else if (query.taskRunId !== undefined) {
    where.push(sql('task_run_id = ?', encodeText(query.taskRunId)));
    if (query.attempt !== undefined) where.push(sql('attempt = ?', query.attempt));
  }
  const limit = query.limit === undefined ? sql('') : sql(' LIMIT ?', query.limit);
  const rows = await queries.scan(
    `SELECT ${columns} FROM logs WHERE ${where.map((part) => part.text).join(' AND ')} ORDER BY id${limit.text}`,
    [...where.flatMap((part) => part.params), ...limit.params],
  );
  return rows.map(decodeLog);
}

export async function searchLogs(queries: Queries, query: LogQuery): Promise<Page<StoredLog>> {
  const where = compileLogFilters(query.filters, queries.dialect);
  const order = orderBy('logs', logSortFields, query, {
    sort: [{ field: 'timestamp', descending: true }],
    tiebreak: ['id'],
  });
  const { limit, offset } = limitOf(query);
  const [rows, counts] = await Promise.all([
    queries.scan(`SELECT ${columns} FROM logs WHERE ${where.text} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...where.params,
      limit,
      offset,
    ]),
    queries.scan(`SELECT count(*) AS total FROM logs WHERE ${where.text}`, where.params),
  ]);
  return { results: rows.map(decodeLog), total: Number(counts[0]?.total ?? 0) };
}
