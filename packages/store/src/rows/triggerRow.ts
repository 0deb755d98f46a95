import { mainTenant } from '@millrace/contract';
import type { TriggerRecord } from '../port/op.ts';
import { parseDocument, salvaged, toDocument } from './readable.ts';
import { searchText } from './searchText.ts';
import { decodeText, encodeOptional, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

interface TriggerKey {
  readonly namespace: string;
  readonly flowId: string;
  readonly triggerId: string;
}

export const triggerKey = ({ namespace, flowId, triggerId }: TriggerKey): SqlValue[] => [
  encodeText(namespace),
  encodeText(flowId),
  encodeText(triggerId),
];

/** The whole record is in `data`; the other columns serve the scheduler and the lists. */
export function encodeTrigger(trigger: TriggerRecord): SqlValue[] {
  return [
    ...triggerKey(trigger),
    trigger.nextAt ?? null,
    trigger.disabled ? 1 : 0,
    encodeOptional(trigger.executionId),
    trigger.updatedAt,
    encodeOptional(trigger.type),
    searchText(trigger.namespace, trigger.flowId, trigger.triggerId, trigger.executionId),
    encodeOptional(trigger.workerGroup),
    toDocument(trigger),
  ];
}

// `as`: written by `encodeTrigger`.
export const decodeTrigger = (row: Row): TriggerRecord => parseDocument(row.data, fields) as TriggerRecord;
const fields = {
  namespace: 'string',
  flowId: 'string',
  triggerId: 'string',
  disabled: 'boolean',
  updatedAt: 'number',
} as const;

/** The columns that `salvageTrigger` needs. */
export const triggerColumns =
  'namespace, flow_id, trigger_id, next_at, disabled, execution_id, updated_at, type, worker_group, data';

export const salvageTrigger = (row: Row): TriggerRecord => salvaged(row, decodeTrigger, fromColumns);

function fromColumns(row: Row): TriggerRecord {
  const text = (value: SqlValue | undefined) => (value == null ? undefined : decodeText(String(value)));
  const [type, workerGroup, executionId] = [row.type, row.worker_group, row.execution_id].map(text);
  return {
    tenantId: mainTenant,
    namespace: decodeText(String(row.namespace)),
    flowId: decodeText(String(row.flow_id)),
    triggerId: decodeText(String(row.trigger_id)),
    ...(type === undefined ? {} : { type }),
    ...(workerGroup === undefined ? {} : { workerGroup }),
    ...(executionId === undefined ? {} : { executionId }),
    ...(row.next_at == null ? {} : { nextAt: Number(row.next_at) }),
    disabled: Number(row.disabled) === 1,
    updatedAt: Number(row.updated_at),
  };
}
