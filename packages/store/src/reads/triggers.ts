import { date, id, namespace, scope, text, words } from '../filters/fields.ts';
import { ascending, nullable } from '../filters/list.ts';
import { always, raw, type Sql, sql } from '../filters/sql.ts';
import type { TriggerRecord } from '../port/op.ts';
import type { Page, TriggerQuery, TriggerSource } from '../port/queries.ts';
import type { Store } from '../port/store.ts';
import { readable } from '../rows/readable.ts';
import { encodeText } from '../rows/text.ts';
import { decodeTrigger, salvageTrigger, triggerColumns } from '../rows/triggerRow.ts';
import type { Queries } from './queries.ts';
import { readPage, type TableList } from './readPage.ts';

const isOfFlow = (namespace: string, flowId: string): Sql =>
  sql`namespace = ${encodeText(namespace)} AND flow_id = ${encodeText(flowId)}`;

export async function getTrigger(
  queries: Queries,
  namespace: string,
  flowId: string,
  triggerId: string,
): Promise<TriggerRecord | undefined> {
  const rows = await queries.point(
    sql`SELECT ${raw(triggerColumns)} FROM triggers WHERE ${isOfFlow(namespace, flowId)} AND trigger_id = ${encodeText(triggerId)}`,
  );
  return rows[0] === undefined ? undefined : salvageTrigger(rows[0]);
}

export async function dueTriggers(
  queries: Queries,
  now: number,
  limit: number,
  from: TriggerSource,
): Promise<TriggerRecord[]> {
  const source =
    typeof from === 'object' ? sql`worker_group = ${encodeText(from.workerGroup)}` : sources[from];
  // Unreadable rows are always the most overdue, so the same number of rows is read in addition.
  for (let unreadable = 0; ; ) {
    const wanted = limit + unreadable;
    const rows = await queries.point(
      sql`SELECT data FROM triggers WHERE disabled = 0 AND execution_id IS NULL AND next_at <= ${now} AND ${source}
        ORDER BY next_at, namespace, flow_id, trigger_id LIMIT ${wanted}`,
    );
    const found = readable(rows, decodeTrigger);
    if (found.length >= limit || rows.length < wanted) return found.slice(0, limit);
    unreadable = rows.length - found.length;
  }
}

const sources = {
  all: always,
  ungrouped: raw('worker_group IS NULL'),
  grouped: raw('worker_group IS NOT NULL'),
} as const;

/** Hides leftover rows of triggers whose flow is gone. */
const hasFlow = sql`EXISTS (SELECT 1 FROM flows f
  WHERE f.namespace = triggers.namespace AND f.id = triggers.flow_id AND f.latest = 1 AND f.deleted = 0)`;

export const triggerList: TableList<TriggerRecord> = {
  name: 'triggers',
  table: 'triggers',
  columns: triggerColumns,
  decode: salvageTrigger,
  fields: {
    q: words(['namespace', 'flow_id', 'trigger_id', 'execution_id']),
    scope,
    namespace,
    flowId: text('flow_id'),
    triggerId: id('trigger_id'),
    executionId: id('execution_id'),
    type: id('type'),
    nextExecutionDate: date('next_at'),
    // No trigger is evaluated by a worker, so no row has one.
    workerId: id('CAST(NULL AS TEXT)'),
  },
  sort: {
    namespace: 'namespace',
    flowId: 'flow_id',
    triggerId: 'trigger_id',
    executionId: nullable('execution_id'),
    nextExecutionDate: nullable('next_at'),
    updatedDate: 'updated_at',
    disabled: 'disabled',
  },
  defaultSort: ascending('namespace'),
  key: ['namespace', 'flow_id', 'trigger_id'],
};

export const listTriggers = (queries: Queries, query: TriggerQuery): Promise<Page<TriggerRecord>> =>
  readPage(queries, triggerList, query, hasFlow);

export async function listFlowTriggers(
  queries: Queries,
  namespace: string,
  flowId: string,
): Promise<TriggerRecord[]> {
  const rows = await queries.point(
    sql`SELECT ${raw(triggerColumns)} FROM triggers WHERE ${isOfFlow(namespace, flowId)} ORDER BY trigger_id`,
  );
  return rows.map(salvageTrigger);
}

export async function lockedTriggers(
  queries: Queries,
  { executionId, after, limit }: Parameters<Store['lockedTriggers']>[0],
): Promise<TriggerRecord[]> {
  const [comparison, bound] = executionId === undefined ? ['>', after ?? ''] : ['=', executionId];
  const rows = await queries.point(
    sql`SELECT data FROM triggers WHERE execution_id IS NOT NULL AND execution_id ${raw(comparison)} ${encodeText(bound)}
      ORDER BY execution_id LIMIT ${limit}`,
  );
  return readable(rows, decodeTrigger);
}

export async function getSetting(queries: Queries, key: string): Promise<unknown> {
  const rows = await queries.point(sql`SELECT value FROM settings WHERE key = ${encodeText(key)}`);
  return rows[0] === undefined ? undefined : JSON.parse(String(rows[0].value));
}
