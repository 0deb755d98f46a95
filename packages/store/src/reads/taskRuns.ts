import type { TaskRunRecord } from '@millrace/contract';
import { type ExecutionCondition, isOnFlow, whereOf } from '../filters/executionFilters.ts';
import { descending, limitOf, nullable, orderBy, type SortedList } from '../filters/list.ts';
import { and, raw, type Sql, sql } from '../filters/sql.ts';
import { listOf } from '../filters/value.ts';
import type { FoundTaskRun, Page, TaskRunQuery } from '../port/queries.ts';
import { checkState } from '../rows/executionRow.ts';
import { readable } from '../rows/readable.ts';
import { rollUpSubjects } from '../rows/rollUp.ts';
import { decodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import { countInRollUp, countInTime } from './countRows.ts';
import { executionConditions } from './executionConditions.ts';
import type { Queries } from './queries.ts';
import { isEntryOf, smallestLabel } from './smallestLabel.ts';

const withExecutions = (join: string): Sql =>
  raw(`(SELECT e.seq, e.id, e.namespace, e.flow_id,
  e.trigger_execution_id, t.id AS task_run_id, t.task_id, t.state, t.start_date, t.duration, t.data AS task_run
  FROM task_runs t ${join} e.id = t.execution_id) executions`);

/**
 * Task runs joined with their executions under the alias `executions`, so that the filters of executions
 * apply. State and dates are those of the task run.
 */
export const taskRunsOfExecutions = withExecutions('JOIN executions e ON');
/** The same with task runs as the outer table: SQLite would otherwise read all executions and sort. */
const taskRunsInOrder = withExecutions('CROSS JOIN executions e WHERE');
/** Must equal the condition of the partial index: SQLite uses the index only for the same text. */
const lookedFor = ['FAILED', 'WARNING', 'KILLED', 'CANCELLED', 'RETRIED', 'SKIPPED', 'PAUSED'];
const isLookedFor = raw(`executions.state IN (${lookedFor.map((state) => `'${state}'`).join(', ')})`);

/**
 * Above this number of matches, scanning back in time until the page is full is faster than sorting all
 * matches.
 */
const manyMatches = 5_000;
const fewInState = 100;
const fewLabelled = 2_000;

const taskRunList: SortedList = {
  name: 'task runs',
  sort: {
    'state.startDate': 'executions.start_date',
    'state.duration': nullable('executions.duration'),
    'state.current': 'executions.state',
    taskId: 'executions.task_id',
    namespace: 'executions.namespace',
    flowId: 'executions.flow_id',
    executionId: 'executions.id',
    id: 'executions.task_run_id',
  },
  defaultSort: descending('state.startDate'),
  key: ['executions.id', 'executions.task_run_id'],
};

export async function searchTaskRuns(queries: Queries, query: TaskRunQuery): Promise<Page<FoundTaskRun>> {
  const order = orderBy(taskRunList, query);
  const { limit, offset } = limitOf(query);
  const conditions = await executionConditions(queries, query.filters);
  const isIndexed = query.filters.some(
    (filter) =>
      filter.field === 'state' &&
      (filter.operation === 'EQUALS' || filter.operation === 'IN') &&
      listOf(filter).every((state) => lookedFor.includes(state)),
  );
  const known = await knownTotal(queries, conditions);
  if (known !== undefined && offset >= known) return { results: [], total: known };
  const { where, isFew } = await narrow(queries, conditions, known);
  const more = await readRows(queries, {
    from: isFew ? taskRunsOfExecutions : taskRunsInOrder,
    where: isIndexed ? and(where, isLookedFor) : where,
    order: isFew ? expression(order) : order,
    limit: limit + 1,
    offset,
  });
  const rows = more.slice(0, limit);
  const isEnd = more.length <= limit && (more.length > 0 || offset === 0);
  const total =
    known ??
    (isEnd
      ? offset + rows.length
      : await countInTime(queries, sql`${taskRunsOfExecutions} WHERE ${where}`, offset + more.length));
  return { results: decode(rows), total };
}

interface Wanted {
  readonly from: Sql;
  readonly where: Sql;
  readonly order: Sql;
  readonly limit: number;
  readonly offset: number;
}

const readRows = (queries: Queries, { from, where, order, limit, offset }: Wanted): Promise<readonly Row[]> =>
  queries.scan(
    sql`SELECT executions.namespace, executions.flow_id, executions.task_run FROM ${from}
      WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}`,
  );

/**
 * Sorts by an expression, so that with few matches the planner uses the conditions' indexes, not that of the
 * date.
 */
const expression = (order: Sql): Sql =>
  raw(order.text.replaceAll('executions.start_date', '(executions.start_date + 0)'));

const decode = (rows: readonly Row[]): FoundTaskRun[] =>
  readable(rows, (row) => {
    // `as`: written by `encodeTaskRun`.
    const taskRun = JSON.parse(String(row.task_run)) as TaskRunRecord;
    checkState(taskRun);
    return {
      namespace: decodeText(String(row.namespace)),
      flowId: decodeText(String(row.flow_id)),
      taskRun,
    };
  });

/** A rare label drives the query; otherwise the number of matches decides, when it is known. */
async function narrow(
  queries: Queries,
  conditions: readonly ExecutionCondition[],
  total: number | undefined,
): Promise<{ readonly where: Sql; readonly isFew: boolean }> {
  const smallest = total === undefined ? await smallestLabel(queries, conditions, fewLabelled) : undefined;
  if (smallest === undefined || smallest.size === fewLabelled) {
    // The states in `lookedFor` have an index in the order of the date.
    const isFew = total !== undefined && total <= (conditions.some(isOnState) ? fewInState : manyMatches);
    return { where: isFew ? whereOf(conditions) : and(...conditions.map(hideNames)), isFew };
  }
  const others = conditions.filter((condition) => condition !== smallest.label);
  const ids = sql`SELECT d.execution_id FROM execution_labels d WHERE ${isEntryOf(smallest.label, [])}`;
  return { where: and(sql`executions.id IN (${ids})`, whereOf(others)), isFew: true };
}

const isOnState = (condition: ExecutionCondition): boolean =>
  condition.kind === 'rollUp' && condition.field === 'state';

/**
 * When scanning back in time, the planner must not use the index of the namespace or flow; it may use that of
 * the state.
 */
function hideNames(condition: ExecutionCondition): Sql {
  const { where } = condition;
  if (condition.kind !== 'rollUp' || condition.field === 'state') return where;
  // Uses a column of both tables: SQLite would build a filter from a condition on executions alone, reading
  // all of them.
  return sql`coalesce(${where}, executions.task_run_id IS NULL)`;
}

/** From the roll-up, when every condition is on its columns. */
async function knownTotal(
  queries: Queries,
  conditions: readonly ExecutionCondition[],
): Promise<number | undefined> {
  if (conditions.some(({ kind }) => kind !== 'rollUp')) return undefined;
  return countInRollUp(queries, {
    subject: rollUpSubjects.taskRuns,
    word: raw('word AS state'),
    where: whereOf(conditions),
    ofFlows: conditions.some(isOnFlow),
  });
}
