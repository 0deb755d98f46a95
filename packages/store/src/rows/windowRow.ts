import type { FlowEventRecord, WindowRecord } from '../port/op.ts';
import type { StoredWindow } from '../port/queries.ts';
import { parseDocument } from './readable.ts';
import { decodeText, encodeText } from './text.ts';
import { triggerKey } from './triggerRow.ts';
import type { Row, SqlValue } from './value.ts';

export const windowKey = (
  window: Pick<WindowRecord, 'namespace' | 'flowId' | 'triggerId' | 'conditionId'>,
): SqlValue[] => [...triggerKey(window), encodeText(window.conditionId)];

// `as`: written from a WindowRecord.
export const decodeWindow = (row: Row): StoredWindow => ({
  ...(parseDocument(row.data, { start: 'number', end: 'number', results: 'object' }) as WindowRecord),
  version: Number(row.version),
});

/** All columns except the date, which is not part of the key. */
export const encodeFlowEvent = (event: FlowEventRecord): SqlValue[] => [
  encodeText(event.executionId),
  event.position,
  ...triggerKey(event),
];

export const decodeFlowEvent = (row: Row): FlowEventRecord => ({
  executionId: decodeText(String(row.execution_id)),
  position: Number(row.position),
  namespace: decodeText(String(row.namespace)),
  flowId: decodeText(String(row.flow_id)),
  triggerId: decodeText(String(row.trigger_id)),
  at: Number(row.at),
});
