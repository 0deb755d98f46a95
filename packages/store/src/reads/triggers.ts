import type { TriggerRecord } from '../port/op.ts';
import { encodeText } from '../rows/text.ts';
import { decodeTrigger } from '../rows/triggerRow.ts';
import type { Queries } from './queries.ts';

export async function getTrigger(
  queries: Queries,
  namespace: string,
  flowId: string,
  triggerId: string,
): Promise<TriggerRecord | undefined> {
  const rows = await queries.point(
    'SELECT data FROM triggers WHERE namespace = ? AND flow_id = ? AND trigger_id = ?',
    [encodeText(namespace), encodeText(flowId), encodeText(triggerId)],
  );
  return rows[0] === undefined ? undefined : decodeTrigger(rows[0]);
}

export async function dueTriggers(queries: Queries, now: number, limit: number): Promise<TriggerRecord[]> {
  const rows = await queries.point(
    `SELECT data FROM triggers WHERE disabled = 0 AND next_at <= ?
     ORDER BY next_at, namespace, flow_id, trigger_id LIMIT ?`,
    [now, limit],
  );
  return rows.map(decodeTrigger);
}

export async function getSetting(queries: Queries, key: string): Promise<unknown> {
  const rows = await queries.point('SELECT value FROM settings WHERE key = ?', [encodeText(key)]);
  return rows[0] === undefined ? undefined : JSON.parse(String(rows[0].value));
}
