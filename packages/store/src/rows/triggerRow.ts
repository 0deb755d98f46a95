import type { TriggerRecord } from '../port/op.ts';
import { encodeOptional, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

/** The whole record is in `data`; the other columns serve the scheduler and the lists. */
export function encodeTrigger(trigger: TriggerRecord): SqlValue[] {
  return [
    encodeText(trigger.namespace),
    encodeText(trigger.flowId),
    encodeText(trigger.triggerId),
    trigger.nextAt ?? null,
    trigger.disabled ? 1 : 0,
    encodeOptional(trigger.executionId),
    trigger.updatedAt,
    JSON.stringify(trigger),
  ];
}

// `as`: written by `encodeTrigger`.
export const decodeTrigger = (row: Row): TriggerRecord => JSON.parse(String(row.data)) as TriggerRecord;
