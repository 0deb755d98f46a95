import { logLevels } from '@millrace/contract';
import { compileLogFilters, logSortFields, logWords } from '../filters/logFilters.ts';
import { limitOf, orderBy } from '../filters/sort.ts';
import { type Sql, sql } from '../filters/sql.ts';
import type { ExecutionLogQuery, Filter, LogQuery, LogWalk, Page, StoredLog } from '../port/store.ts';
import { logColumns } from '../rows/columns.ts';
import { decodeLog } from '../rows/logRow.ts';
import { rollUpSubjects, wholeNamespace } from '../rows/rollUp.ts';
import { encodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import { addUpRows, countRows } from './countRows.ts';
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

/** Words are looked for in the order the entries were stored, which is that of time but for a moment. */
export async function searchLogs(queries: Queries, query: LogQuery): Promise<Page<StoredLog>> {
  const order = orderBy('logs', logSortFields, query, {
    sort: [{ field: 'timestamp', descending: true }],
    tiebreak: ['id'],
  });
  const words = query.sort === undefined || query.sort.length === 0 ? logWords(query.filters) : undefined;
  if (words !== undefined && queries.dialect.findLogs !== undefined) {
    const rest = compileLogFilters(
      query.filters.filter((filter) => filter !== words.filter),
      queries.dialect,
    );
    return searchWords(queries, query, queries.dialect.findLogs(words.words, words.names, rest));
  }
  const where = compileLogFilters(query.filters, queries.dialect);
  const { limit, offset } = limitOf(query);
  const [rows, total] = await Promise.all([
    queries.scan(`SELECT ${columns} FROM logs WHERE ${where.text} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...where.params,
      limit,
      offset,
    ]),
    countLogs(queries, query.filters, where),
  ]);
  return { results: rows.map(decodeLog), total };
}

/**
 * First the few entries that the index does not have yet, then those it has, the newest first: nothing is collected
 * and sorted, however common the words are. An entry that is indexed in between is found twice and taken once.
 */
async function searchWords(
  queries: Queries,
  query: LogQuery,
  { fresh, indexed }: { readonly fresh: Sql; readonly indexed: Sql },
): Promise<Page<StoredLog>> {
  const { limit, offset } = limitOf(query);
  const select = (from: Sql, some: number): Promise<readonly Row[]> =>
    queries.scan(
      `SELECT ${columns.replace('id,', 'logs.id,')} FROM ${from.text} ORDER BY ${from === indexed ? 'log_search.rowid' : 'logs.id'} DESC LIMIT ?`,
      [...from.params, some],
    );
  const newest = await select(fresh, offset + limit);
  const older = await select(indexed, offset + limit);
  const found = new Map([...newest, ...older].map((row) => [Number(row.id), row]));
  const page = [...found.values()].sort((a, b) => Number(b.id) - Number(a.id)).slice(offset, offset + limit);
  // One statement, so that an entry is either still fresh or indexed already.
  const both = sql(
    `(SELECT 1 AS found FROM ${fresh.text} UNION ALL SELECT 1 FROM ${indexed.text}) f`,
    ...fresh.params,
    ...indexed.params,
  );
  return { results: page.map(decodeLog), total: (await countRows(queries, both)).total };
}

const rolledUp = new Set(['namespace', 'flowId', 'scope', 'level']);

/** From the roll-up where it knows the number, otherwise counted on the rows. */
async function countLogs(queries: Queries, filters: readonly Filter[], where: Sql): Promise<number> {
  if (!filters.every(({ field }) => rolledUp.has(field)))
    return (await countRows(queries, sql(`logs WHERE ${where.text}`, ...where.params))).total;
  const ofFlows = filters.some(({ field }) => field === 'flowId');
  const sum = sql(
    `SELECT coalesce(sum(n), 0) AS total FROM (SELECT n, namespace, flow_id, CAST(word AS INTEGER) AS level
       FROM roll_up WHERE subject = ${rollUpSubjects.logs} AND flow_id ${ofFlows ? '<>' : '='} '${wholeNamespace}') r
     WHERE ${where.text}`,
    ...where.params,
  );
  return (await addUpRows(queries, sum)).total;
}
