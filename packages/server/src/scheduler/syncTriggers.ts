import { isDeepStrictEqual } from 'node:util';
import type { Flow, TriggerDefinition } from '@millrace/contract';
import { mainTenant } from '@millrace/contract';
import {
  enableTrigger,
  newTriggerState,
  scheduleDates,
  shortType,
  type TriggerState,
  triggerTypeOf,
  withNext,
} from '@millrace/engine';
import type { Op, TriggerRecord } from '@millrace/store';
import { readWorkerGroup } from '../worker/remote/workerGroup.ts';
import { putAsRead } from './changeTrigger.ts';
import { isEvaluated, stateOf, withoutEvaluation, withState } from './triggerState.ts';
import { serverZone } from './zone.ts';

export interface FlowChange {
  /** The flow as it was, with defaults filled in; undefined for a new one. */
  readonly before: Flow | undefined;
  /** The flow as it will be; undefined when it is deleted. */
  readonly after: Flow | undefined;
  readonly rows: readonly TriggerRecord[];
  readonly now: number;
}

/** The trigger operations for a flow that is saved or deleted; committed together with it. */
export function syncTriggers({ before, after, rows, now }: FlowChange): Op[] {
  const declared = after?.triggers ?? [];
  const gone = rows.filter(({ triggerId }) => !declared.some(({ id }) => id === triggerId));
  const ops: Op[] = gone.flatMap(({ namespace, flowId, triggerId }) => [
    { op: 'trigger.delete', namespace, flowId, triggerId },
    { op: 'window.clear', namespace, flowId, triggerId },
  ]);
  if (!after) return ops;
  for (const trigger of declared) {
    const row = rows.find(({ triggerId }) => triggerId === trigger.id);
    const known = before?.triggers?.find(({ id }) => id === trigger.id);
    if (!row) ops.push({ op: 'trigger.put', trigger: newRow(after, trigger, now), expectUpdatedAt: null });
    else if (row.problem !== undefined || !known || !isDeepStrictEqual(known, trigger))
      ops.push(...reset(row, after, trigger, now));
    else if (before && isActive(before, known) !== isActive(after, trigger)) {
      const state = stateOf(row);
      const next = isActive(after, trigger) ? resumed(trigger, state, now) : withNext(state, undefined);
      ops.push(putAsRead(row, withState(withoutEvaluation(row), next, now)));
    }
  }
  return ops;
}

/** Whether the trigger and its flow are enabled by their author. */
export const isActive = (flow: Flow, trigger: TriggerDefinition): boolean =>
  !flow.disabled && trigger.disabled !== true;

/** The row of a trigger that is seen for the first time. */
export function newRow(flow: Flow, trigger: TriggerDefinition, now: number): TriggerRecord {
  return {
    tenantId: mainTenant,
    namespace: flow.namespace,
    flowId: flow.id,
    triggerId: trigger.id,
    type: triggerTypeOf(trigger.type) ?? shortType(trigger.type),
    ...groupOf(trigger),
    ...firstState(flow, trigger, now, false),
    updatedAt: now,
  };
}

/**
 * Schedules wait for a date, and polling and realtime triggers start at once; a trigger that its author
 * disabled has no next date.
 */
function firstState(flow: Flow, trigger: TriggerDefinition, now: number, disabled: boolean): TriggerState {
  const isWaiting = !disabled && isActive(flow, trigger);
  if (isEvaluated(trigger)) return isWaiting ? { disabled, nextAt: now } : { disabled };
  if (!scheduleDates(trigger, serverZone)) return { disabled };
  return { ...newTriggerState(trigger, now, serverZone, !isWaiting), disabled };
}

/** A changed trigger starts over; it stays disabled if it was, and waits for its running execution. */
export function reset(row: TriggerRecord, flow: Flow, trigger: TriggerDefinition, now: number): Op[] {
  const { executionId } = row;
  const state = firstState(flow, trigger, now, row.disabled);
  const { namespace, flowId, triggerId } = row;
  const type = triggerTypeOf(trigger.type) ?? shortType(trigger.type);
  // The memory belongs to the previous version of the trigger.
  const { memo: _, workerGroup: __, ...fresh } = withoutEvaluation(row);
  const changed = withState(fresh, executionId === undefined ? state : { ...state, executionId }, now);
  return [
    putAsRead(row, { ...changed, type, ...groupOf(trigger) }),
    { op: 'window.clear', namespace, flowId, triggerId },
  ];
}

/** Workers evaluate only polling and realtime triggers; dates, webhooks and flow triggers need no worker. */
function groupOf(trigger: TriggerDefinition): Pick<TriggerRecord, 'workerGroup'> {
  const group = isEvaluated(trigger) ? readWorkerGroup(trigger) : undefined;
  return group ? { workerGroup: group.key } : {};
}

/** The author enabled the trigger again; a trigger that a user disabled manually stays disabled. */
export function resumed(trigger: TriggerDefinition, state: TriggerState, now: number): TriggerState {
  if (state.disabled) return state;
  if (!isEvaluated(trigger) && !scheduleDates(trigger, serverZone)) return state;
  return enableTrigger(trigger, state, now, { serverZone });
}
