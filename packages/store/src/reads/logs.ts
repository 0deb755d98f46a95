import { logLevels } from '@millrace/contract';
import { limitOf, orderBy } from '../filters/list.ts';
import { compileLogFilters, logList, logWords } from '../filters/logFilters.ts';
import { always, and, hideFromPlanner, raw, type Sql, sql, values } from '../filters/sql.ts';
import type { Filter } from '../port/filter.ts';
import type {
  ExecutionLogQuery,
  LogContext,
  LogContextQuery,
  LogQuery,
  LogWalk,
  Page,
  StoredLog,
} from '../port/queries.ts';
import { logColumns } from '../rows/columns.ts';
import { decodeLog } from '../rows/logRow.ts';
import { rollUpSubjects } from '../rows/rollUp.ts';
import { encodeText } from '../rows/text.ts';
import { countInRollUp, countRows } from './countRows.ts';
import { findLogs } from './findLogs.ts';
import type { Queries } from './queries.ts';

const columns = raw(['id', ...logColumns].join(', '));

/** `taskId` wins over `taskRunId`; `attempt` only narrows a task run. */
export async function listLogs(queries: Queries, query: ExecutionLogQuery): Promise<StoredLog[]> {
  const where: Sql[] = [sql`execution_id = ${encodeText(query.executionId)}`];
  if (query.afterId !== undefined) where.push(sql`id > ${query.afterId}`);
  if (query.minLevel !== undefined) where.push(sql`level >= ${logLevels.indexOf(query.minLevel)}`);
  if (query.taskId !== undefined) where.push(sql`task_id = ${encodeText(query.taskId)}`);
  else if (query.taskRunId !== undefined) {
    where.push(sql`task_run_id = ${encodeText(query.taskRunId)}`);
    if (query.attempt !== undefined) where.push(sql`attempt = ${query.attempt}`);
  }
  const limit = query.limit === undefined ? sql`` : sql` LIMIT ${query.limit}`;
  const rows = await queries.scan(
    sql`SELECT ${columns} FROM logs WHERE ${and(...where)} ORDER BY id${limit}`,
  );
  return rows.map(decodeLog);
}

/** More entries of one millisecond are not compared. */
const maxOfMillisecond = 5_000;

/** The index of the time finds the entry: an execution may have very many. */
export async function logsAround(queries: Queries, query: LogContextQuery): Promise<LogContext | undefined> {
  const { at, lines, message } = query;
  const executionId = encodeText(query.executionId);
  const ofExecution = sql`execution_id = ${executionId}`;
  const candidates = await queries.scan(
    sql`SELECT ${columns} FROM logs WHERE at = ${at} AND ${hideFromPlanner(ofExecution)} ORDER BY id LIMIT ${maxOfMillisecond}`,
  );
  const sameTime = candidates.map(decodeLog);
  const entry = message === undefined ? sameTime[0] : sameTime.find((log) => log.message.startsWith(message));
  if (!entry) return undefined;
  const beside = (comparison: '<' | '>', direction: 'ASC' | 'DESC') =>
    queries.scan(
      sql`SELECT ${columns} FROM logs WHERE ${ofExecution} AND id ${raw(comparison)} ${entry.id}
        ORDER BY id ${raw(direction)} LIMIT ${lines}`,
    );
  const [before, after] = await Promise.all([beside('<', 'DESC'), beside('>', 'ASC')]);
  return {
    entries: [...before.map(decodeLog).reverse(), entry, ...after.map(decodeLog)],
    index: before.length,
  };
}

/** Keyset pagination: the last page costs no more than the first, and entries do not move between pages. */
export async function walkLogs(queries: Queries, { filters, after, limit }: LogWalk): Promise<StoredLog[]> {
  const where = compileLogFilters(filters, queries.dialect);
  // The index uses the first comparison; the second one distinguishes entries of the same millisecond.
  const further = after ? sql`at >= ${after.at} AND (at > ${after.at} OR id > ${after.id})` : always;
  const rows = await queries.scan(
    sql`SELECT ${columns} FROM logs WHERE ${where} AND ${further} ORDER BY at, id LIMIT ${limit}`,
  );
  return rows.map(decodeLog);
}

/** A word search has its own query; see `findLogs`. */
export async function searchLogs(queries: Queries, query: LogQuery): Promise<Page<StoredLog>> {
  const order = orderBy(logList, query);
  const { limit, offset } = limitOf(query);
  const words = query.sort === undefined || query.sort.length === 0 ? logWords(query.filters) : undefined;
  if (words !== undefined) {
    const filters = query.filters.filter((filter) => filter !== words.filter);
    const { ids, total } = await findLogs(queries, { ...words, filters, limit, offset });
    return { results: await readLogs(queries, ids), total };
  }
  const where = compileLogFilters(query.filters, queries.dialect);
  const known = await countNames(queries, query.filters);
  const isByTime = order.text.startsWith('at ');
  const found = isByTime && known > manyMatches ? hideNames(queries, query.filters) : where;
  const [rows, total] = await Promise.all([
    queries.scan(
      sql`SELECT ${columns} FROM logs WHERE ${found} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
    ),
    query.filters.every(isRolledUp) ? known : countRows(queries, sql`logs WHERE ${found}`),
  ]);
  return { results: rows.map(decodeLog), total };
}

/**
 * Above this number of entries, scanning back in time is faster than collecting those of a namespace or a
 * flow.
 */
const manyMatches = 5_000;

/** The planner must not use the index of the namespace or flow; it may use that of the date or level. */
function hideNames(queries: Queries, filters: readonly Filter[]): Sql {
  const isName = ({ field }: Filter): boolean => ['namespace', 'flowId', 'scope'].includes(field);
  return and(
    ...filters.map((filter) => {
      const where = compileLogFilters([filter], queries.dialect);
      return isName(filter) ? hideFromPlanner(where) : where;
    }),
  );
}

/** In the order of the ids. */
async function readLogs(queries: Queries, ids: readonly number[]): Promise<StoredLog[]> {
  if (ids.length === 0) return [];
  const rows = await queries.scan(sql`SELECT ${columns} FROM logs WHERE id IN (${values(ids)})`);
  const logs = new Map(rows.map((row) => [Number(row.id), decodeLog(row)]));
  return ids.flatMap((id) => logs.get(id) ?? []);
}

const rolledUp = new Set(['namespace', 'flowId', 'scope', 'level']);
const isRolledUp = ({ field }: Filter): boolean => rolledUp.has(field);

/** Counts the entries that match the filters covered by the roll-up. */
function countNames(queries: Queries, filters: readonly Filter[]): Promise<number> {
  const known = filters.filter(isRolledUp);
  return countInRollUp(queries, {
    subject: rollUpSubjects.logs,
    word: raw('CAST(word AS INTEGER) AS level'),
    where: compileLogFilters(known, queries.dialect),
    ofFlows: known.some(({ field }) => field === 'flowId'),
  });
}
