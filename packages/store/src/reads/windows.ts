import type { FlowEventRecord } from '../port/op.ts';
import type { StoredWindow } from '../port/queries.ts';
import { flowEventColumns } from '../rows/columns.ts';
import { readable } from '../rows/readable.ts';
import { triggerKey } from '../rows/triggerRow.ts';
import { decodeFlowEvent, decodeWindow } from '../rows/windowRow.ts';
import type { Queries } from './queries.ts';

export async function listWindows(
  queries: Queries,
  namespace: string,
  flowId: string,
  triggerId: string,
): Promise<StoredWindow[]> {
  const rows = await queries.point(
    `SELECT version, data FROM trigger_windows WHERE namespace = ? AND flow_id = ? AND trigger_id = ?
     ORDER BY condition_id`,
    triggerKey({ namespace, flowId, triggerId }),
  );
  return readable(rows, decodeWindow);
}

export async function openFlowEvents(
  queries: Queries,
  before: number,
  limit: number,
): Promise<FlowEventRecord[]> {
  const rows = await queries.point(
    `SELECT ${flowEventColumns.join(', ')} FROM flow_events WHERE at < ?
     ORDER BY at, execution_id, position, namespace, flow_id, trigger_id LIMIT ?`,
    [before, limit],
  );
  return rows.map(decodeFlowEvent);
}
