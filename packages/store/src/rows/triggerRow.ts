import type { TriggerRecord } from '../port/op.ts';
import { searchText } from './searchText.ts';
import { encodeOptional, encodeText } from './text.ts';
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
    JSON.stringify(trigger),
  ];
}

// `as`: written by `encodeTrigger`.
export const decodeTrigger = (row: Row): TriggerRecord => JSON.parse(String(row.data)) as TriggerRecord;
