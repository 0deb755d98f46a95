import { limitOf, orderBy } from '../filters/sort.ts';
import { compileTriggerFilters, triggerSortFields } from '../filters/triggerFilters.ts';
import type { TriggerRecord } from '../port/op.ts';
import type { Page, TriggerQuery, TriggerSource } from '../port/queries.ts';
import type { Store } from '../port/store.ts';
import { readable } from '../rows/readable.ts';
import { encodeText } from '../rows/text.ts';
import { decodeTrigger, salvageTrigger, triggerColumns, triggerKey } from '../rows/triggerRow.ts';
import type { Queries } from './queries.ts';

export async function getTrigger(
  queries: Queries,
  namespace: string,
  flowId: string,
  triggerId: string,
): Promise<TriggerRecord | undefined> {
  const rows = await queries.point(
    `SELECT ${triggerColumns} FROM triggers WHERE namespace = ? AND flow_id = ? AND trigger_id = ?`,
    triggerKey({ namespace, flowId, triggerId }),
  );
  return rows[0] === undefined ? undefined : salvageTrigger(rows[0]);
}

export async function dueTriggers(
  queries: Queries,
  now: number,
  limit: number,
  from: TriggerSource,
): Promise<TriggerRecord[]> {
  const group = typeof from === 'object' ? [encodeText(from.workerGroup)] : [];
  // Unreadable rows are always the most overdue, so the same number of rows is read in addition.
  for (let unreadable = 0; ; ) {
    const wanted = limit + unreadable;
    const rows = await queries.point(
      `SELECT data FROM triggers WHERE disabled = 0 AND execution_id IS NULL AND next_at <= ?
         ${typeof from === 'object' ? 'AND worker_group = ?' : sources[from]}
       ORDER BY next_at, namespace, flow_id, trigger_id LIMIT ?`,
      [now, ...group, wanted],
    );
    const found = readable(rows, decodeTrigger);
    if (found.length >= limit || rows.length < wanted) return found.slice(0, limit);
    unreadable = rows.length - found.length;
  }
}

const sources = {
  all: '',
  ungrouped: 'AND worker_group IS NULL',
  grouped: 'AND worker_group IS NOT NULL',
} as const;

/** Hides leftover rows of triggers whose flow is gone. */
const hasFlow =
  'EXISTS (SELECT 1 FROM flows f WHERE f.namespace = triggers.namespace AND f.id = triggers.flow_id AND f.latest = 1 AND f.deleted = 0)';

export async function listTriggers(queries: Queries, query: TriggerQuery): Promise<Page<TriggerRecord>> {
  const where = compileTriggerFilters(query.filters, queries.dialect);
  const order = orderBy('triggers', triggerSortFields, query, {
    sort: [{ field: 'namespace', descending: false }],
    tiebreak: ['namespace', 'flow_id', 'trigger_id'],
  });
  const { limit, offset } = limitOf(query);
  const from = `FROM triggers WHERE ${hasFlow} AND ${where.text}`;
  const [rows, counts] = await Promise.all([
    queries.scan(`SELECT ${triggerColumns} ${from} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...where.params,
      limit,
      offset,
    ]),
    queries.scan(`SELECT count(*) AS total ${from}`, where.params),
  ]);
  return { results: rows.map(salvageTrigger), total: Number(counts[0]?.total ?? 0) };
}

export async function listFlowTriggers(
  queries: Queries,
  namespace: string,
  flowId: string,
): Promise<TriggerRecord[]> {
  const rows = await queries.point(
    `SELECT ${triggerColumns} FROM triggers WHERE namespace = ? AND flow_id = ? ORDER BY trigger_id`,
    [encodeText(namespace), encodeText(flowId)],
  );
  return rows.map(salvageTrigger);
}

export async function lockedTriggers(
  queries: Queries,
  { executionId, after, limit }: Parameters<Store['lockedTriggers']>[0],
): Promise<TriggerRecord[]> {
  const [comparison, bound] = executionId === undefined ? ['>', after ?? ''] : ['=', executionId];
  const rows = await queries.point(
    `SELECT data FROM triggers WHERE execution_id IS NOT NULL AND execution_id ${comparison} ?
     ORDER BY execution_id LIMIT ?`,
    [encodeText(bound), limit],
  );
  return readable(rows, decodeTrigger);
}

export async function getSetting(queries: Queries, key: string): Promise<unknown> {
  const rows = await queries.point('SELECT value FROM settings WHERE key = ?', [encodeText(key)]);
  return rows[0] === undefined ? undefined : JSON.parse(String(rows[0].value));
}
