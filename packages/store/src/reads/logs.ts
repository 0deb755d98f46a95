import { logLevels } from '@millrace/contract';
import { compileLogFilters, logSortFields, logWords } from '../filters/logFilters.ts';
import { limitOf, orderBy } from '../filters/sort.ts';
import { hideFromPlanner, join, placeholders, type Sql, sql } from '../filters/sql.ts';
import type { Filter } from '../port/filter.ts';
import type { ExecutionLogQuery, LogQuery, LogWalk, Page, StoredLog } from '../port/store.ts';
import { logColumns } from '../rows/columns.ts';
import { decodeLog } from '../rows/logRow.ts';
import { dayTotals, rollUpSubjects, wholeNamespace } from '../rows/rollUp.ts';
import { encodeText } from '../rows/text.ts';
import { addUpRows, countRows } from './countRows.ts';
import { findLogs } from './findLogs.ts';
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

/** By key, not by offset: the last page costs no more than the first, and nothing moves from one to another. */
export async function walkLogs(queries: Queries, { filters, after, limit }: LogWalk): Promise<StoredLog[]> {
  const where = compileLogFilters(filters, queries.dialect);
  // The first comparison is what an index can begin with; the second one tells entries of one millisecond apart.
  const further = after ? sql(' AND at >= ? AND (at > ? OR id > ?)', after.at, after.at, after.id) : sql('');
  const rows = await queries.scan(
    `SELECT ${columns} FROM logs WHERE ${where.text}${further.text} ORDER BY at, id LIMIT ?`,
    [...where.params, ...further.params, limit],
  );
  return rows.map(decodeLog);
}

/** Words are looked for by themselves; see `findLogs`. */
export async function searchLogs(queries: Queries, query: LogQuery): Promise<Page<StoredLog>> {
  const order = orderBy('logs', logSortFields, query, {
    sort: [{ field: 'timestamp', descending: true }],
    tiebreak: ['id'],
  });
  const { limit, offset } = limitOf(query);
  const words = query.sort === undefined || query.sort.length === 0 ? logWords(query.filters) : undefined;
  if (words !== undefined) {
    const filters = query.filters.filter((filter) => filter !== words.filter);
    const { ids, total } = await findLogs(queries, { ...words, filters, limit, offset });
    return { results: await readLogs(queries, ids), total };
  }
  const where = compileLogFilters(query.filters, queries.dialect);
  const known = await countNames(queries, query.filters);
  const isByTime = order.startsWith('at ');
  const found = isByTime && known > manyMatches ? hideNames(queries, query.filters) : where;
  const [rows, total] = await Promise.all([
    queries.scan(`SELECT ${columns} FROM logs WHERE ${found.text} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...found.params,
      limit,
      offset,
    ]),
    query.filters.every(isRolledUp)
      ? known
      : countRows(queries, sql(`logs WHERE ${found.text}`, ...found.params)).then((counted) => counted.total),
  ]);
  return { results: rows.map(decodeLog), total };
}

/** From so many entries on, going back in time is shorter than collecting those of a namespace or a flow. */
const manyMatches = 5_000;

/** Namespace and flow must not choose the index; the date and the level may. */
function hideNames(queries: Queries, filters: readonly Filter[]): Sql {
  const isName = ({ field }: Filter): boolean => ['namespace', 'flowId', 'scope'].includes(field);
  return join(
    filters.map((filter) => {
      const where = compileLogFilters([filter], queries.dialect);
      return isName(filter) ? hideFromPlanner(where) : where;
    }),
    ' AND ',
  );
}

/** In the order of the ids. */
async function readLogs(queries: Queries, ids: readonly number[]): Promise<StoredLog[]> {
  if (ids.length === 0) return [];
  const rows = await queries.scan(
    `SELECT ${columns} FROM logs WHERE id IN (${placeholders(ids.length)})`,
    ids,
  );
  const logs = new Map(rows.map((row) => [Number(row.id), decodeLog(row)]));
  return ids.flatMap((id) => logs.get(id) ?? []);
}

const rolledUp = new Set(['namespace', 'flowId', 'scope', 'level']);
const isRolledUp = ({ field }: Filter): boolean => rolledUp.has(field);

/** How many entries meet those of the filters that the roll-up knows. */
function countNames(queries: Queries, filters: readonly Filter[]): Promise<number> {
  const known = filters.filter(isRolledUp);
  const where = compileLogFilters(known, queries.dialect);
  const ofFlows = known.some(({ field }) => field === 'flowId');
  return addUpRows(
    queries,
    sql(
      `SELECT coalesce(sum(n), 0) AS total FROM (SELECT n, namespace, flow_id, CAST(word AS INTEGER) AS level
         FROM roll_up WHERE subject = ${rollUpSubjects.logs + (ofFlows ? 0 : dayTotals)}
           AND flow_id ${ofFlows ? '<>' : '='} '${wholeNamespace}') r
       WHERE ${where.text}`,
      ...where.params,
    ),
  );
}
