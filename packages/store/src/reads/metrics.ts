import type { MetricRecord } from '@millrace/contract';
import { ascending, nullable } from '../filters/list.ts';
import { raw, type Sql, sql } from '../filters/sql.ts';
import {
  type MetricQuery,
  type MetricSum,
  type MetricSumQuery,
  metricSpans,
  type Page,
} from '../port/queries.ts';
import { parseDocument, readable } from '../rows/readable.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import type { Queries } from './queries.ts';
import { readPage, type TableList } from './readPage.ts';

// `as`: written by `encodeMetric`.
const decode = (row: Row): MetricRecord =>
  parseDocument(row.data, { name: 'string', value: 'number', at: 'number' }) as MetricRecord;

export async function listMetrics(queries: Queries, executionId: string): Promise<MetricRecord[]> {
  const rows = await queries.scan(
    sql`SELECT data FROM metrics WHERE execution_id = ${encodeText(executionId)} ORDER BY id`,
  );
  return readable(rows, decode);
}

const metricList: TableList<MetricRecord> = {
  name: 'metrics',
  table: 'metrics',
  columns: 'data',
  decode,
  fields: {},
  sort: {
    namespace: 'namespace',
    flowId: 'flow_id',
    taskId: nullable('task_id'),
    executionId: nullable('execution_id'),
    taskRunId: nullable('task_run_id'),
    taskrunId: nullable('task_run_id'),
    name: 'name',
    timestamp: 'at',
    value: nullable('value'),
    id: 'id',
  },
  defaultSort: ascending('id'),
  key: ['id'],
};

/** `taskId` wins over `taskRunId`. */
export function searchMetrics(queries: Queries, query: MetricQuery): Promise<Page<MetricRecord>> {
  const { executionId, taskId, taskRunId } = query;
  const parts = [sql`execution_id = ${encodeText(executionId)}`];
  if (taskId !== undefined) parts.push(sql`task_id = ${encodeText(taskId)}`);
  else if (taskRunId !== undefined) parts.push(sql`task_run_id = ${encodeText(taskRunId)}`);
  return readPage(queries, metricList, query, ...parts);
}

/**
 * A loose index scan from one name to the next, because a flow may have written each name a million times.
 */
export async function listMetricNames(
  queries: Queries,
  namespace: string,
  flowId: string,
  taskId?: string,
): Promise<string[]> {
  const flow = ofFlow(namespace, flowId, taskId);
  const rows = await queries.scan(
    sql`WITH RECURSIVE names (name) AS (
        SELECT min(name) FROM metrics WHERE ${flow}
        UNION ALL
        SELECT (SELECT min(m.name) FROM metrics m WHERE ${flow} AND m.name > names.name)
        FROM names WHERE names.name IS NOT NULL
      )
      SELECT name FROM names WHERE name IS NOT NULL`,
  );
  return rows.map((row) => decodeText(String(row.name)));
}

export async function listMetricTasks(
  queries: Queries,
  namespace: string,
  flowId: string,
): Promise<string[]> {
  const rows = await queries.scan(
    sql`SELECT DISTINCT task_id FROM metrics WHERE ${ofFlow(namespace, flowId)} AND task_id IS NOT NULL ORDER BY task_id`,
  );
  return rows.map((row) => decodeText(String(row.task_id)));
}

/** The width is part of the SQL text, because SQLite would use floating-point division with a parameter. */
export async function sumMetrics(queries: Queries, query: MetricSumQuery): Promise<MetricSum[]> {
  const widthMs = metricSpans[query.span];
  const rows = await queries.scan(
    sql`SELECT at / ${raw(widthMs)} AS span, count(value) AS n, sum(value) AS total, min(value) AS least, max(value) AS most
      FROM metrics WHERE ${ofFlow(query.namespace, query.flowId, query.taskId)} AND name = ${encodeText(query.name)}
        AND at >= ${query.from} AND at < ${query.to} AND value IS NOT NULL
      GROUP BY 1 ORDER BY 1`,
  );
  return rows.map((row) => ({
    at: Number(row.span) * widthMs,
    count: Number(row.n),
    sum: Number(row.total),
    min: Number(row.least),
    max: Number(row.most),
  }));
}

function ofFlow(namespace: string, flowId: string, taskId?: string): Sql {
  const flow = sql`namespace = ${encodeText(namespace)} AND flow_id = ${encodeText(flowId)}`;
  return taskId === undefined ? flow : sql`${flow} AND task_id = ${encodeText(taskId)}`;
}
