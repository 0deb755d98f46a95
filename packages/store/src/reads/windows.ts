import { raw, sql } from '../filters/sql.ts';
import type { FlowEventRecord } from '../port/op.ts';
import type { StoredWindow } from '../port/queries.ts';
import { flowEventColumns } from '../rows/columns.ts';
import { readable } from '../rows/readable.ts';
import { encodeText } from '../rows/text.ts';
import { decodeFlowEvent, decodeWindow } from '../rows/windowRow.ts';
import type { Queries } from './queries.ts';

export async function listWindows(
  queries: Queries,
  namespace: string,
  flowId: string,
  triggerId: string,
): Promise<StoredWindow[]> {
  const rows = await queries.point(
    sql`SELECT version, data FROM trigger_windows WHERE namespace = ${encodeText(namespace)}
        AND flow_id = ${encodeText(flowId)} AND trigger_id = ${encodeText(triggerId)}
      ORDER BY condition_id`,
  );
  return readable(rows, decodeWindow);
}

export async function openFlowEvents(
  queries: Queries,
  before: number,
  limit: number,
): Promise<FlowEventRecord[]> {
  const rows = await queries.point(
    sql`SELECT ${raw(flowEventColumns.join(', '))} FROM flow_events WHERE at < ${before}
      ORDER BY at, execution_id, position, namespace, flow_id, trigger_id LIMIT ${limit}`,
  );
  return rows.map(decodeFlowEvent);
}
