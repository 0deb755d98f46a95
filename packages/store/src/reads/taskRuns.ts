import type { TaskRunRecord } from '@millrace/contract';
import { compileExecutionFilters, isOnFlow } from '../filters/executionFilters.ts';
import { limitOf, orderBy, type SortField } from '../filters/sort.ts';
import { join, sql } from '../filters/sql.ts';
import type { FoundTaskRun, Page, TaskRunQuery } from '../port/store.ts';
import { checkState } from '../rows/executionRow.ts';
import { readable } from '../rows/readable.ts';
import { rollUpSubjects, wholeNamespace } from '../rows/rollUp.ts';
import { decodeText } from '../rows/text.ts';
import { addUpRows, countRows, type RowCount } from './countRows.ts';
import type { Queries } from './queries.ts';
import { type ResolvedCondition, resolveWords } from './resolveWords.ts';
import { whereOf } from './total.ts';

/**
 * Task runs with what is asked of their executions, under that name, so that the filters of executions fit. State and
 * dates are those of the task run.
 */
export const taskRunsOfExecutions = `(SELECT e.seq, e.id, e.namespace, e.flow_id, e.trigger_execution_id,
  t.id AS task_run_id, t.task_id, t.state, t.start_date, t.duration, t.data AS task_run
  FROM task_runs t JOIN executions e ON e.id = t.execution_id) executions`;

/** From so many matches on, going back in time until a page is full is shorter than collecting and sorting them all. */
const manyMatches = 5_000;

const sortFields: Readonly<Record<string, SortField>> = {
  'state.startDate': { column: 'executions.start_date' },
  'state.duration': { column: 'executions.duration', nullable: true },
  'state.current': { column: 'executions.state' },
  taskId: { column: 'executions.task_id' },
  namespace: { column: 'executions.namespace' },
  flowId: { column: 'executions.flow_id' },
  executionId: { column: 'executions.id' },
  id: { column: 'executions.task_run_id' },
};

export async function searchTaskRuns(queries: Queries, query: TaskRunQuery): Promise<Page<FoundTaskRun>> {
  const order = orderBy('task runs', sortFields, query, {
    sort: [{ field: 'state.startDate', descending: true }],
    tiebreak: ['executions.id', 'executions.task_run_id'],
  });
  const { limit, offset } = limitOf(query);
  const conditions = await resolveWords(queries, compileExecutionFilters(query.filters, queries.dialect));
  const { total, isCurrent } = await totalOf(queries, conditions);
  if (isCurrent && offset >= total) return { results: [], total };
  const where = join(conditions.map(whereOf), ' AND ');
  // An expression has no index: with few matches the conditions shall lead the way, not the date.
  const by =
    total > manyMatches ? order : order.replaceAll('executions.start_date', '(executions.start_date + 0)');
  const rows = await queries.scan(
    `SELECT executions.namespace, executions.flow_id, executions.task_run FROM ${taskRunsOfExecutions}
     WHERE ${where.text} ORDER BY ${by} LIMIT ? OFFSET ?`,
    [...where.params, limit, offset],
  );
  const results = readable(rows, (row) => {
    // `as`: written by `encodeTaskRun`.
    const taskRun = JSON.parse(String(row.task_run)) as TaskRunRecord;
    checkState(taskRun);
    return {
      namespace: decodeText(String(row.namespace)),
      flowId: decodeText(String(row.flow_id)),
      taskRun,
    };
  });
  return { results, total };
}

/** From the roll-up when every condition is on its columns; otherwise the rows are counted. */
async function totalOf(queries: Queries, conditions: readonly ResolvedCondition[]): Promise<RowCount> {
  const where = join(conditions.map(whereOf), ' AND ');
  if (conditions.some(({ kind }) => kind !== 'rollUp'))
    return countRows(queries, sql(`${taskRunsOfExecutions} WHERE ${where.text}`, ...where.params));
  const ofFlows = conditions.some(isOnFlow);
  return addUpRows(
    queries,
    sql(
      `SELECT coalesce(sum(n), 0) AS total FROM (SELECT n, namespace, flow_id, word AS state FROM roll_up
         WHERE subject = ${rollUpSubjects.taskRuns} AND flow_id ${ofFlows ? '<>' : '='} '${wholeNamespace}') r
       WHERE ${where.text}`,
      ...where.params,
    ),
  );
}
