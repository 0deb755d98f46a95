import { AppError, type Flow, type TriggerDefinition } from '@millrace/contract';
import type { Store, TriggerRecord } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { TriggerKey } from './changeTrigger.ts';

export interface FoundTrigger {
  readonly flow: Flow;
  /** With plugin defaults filled in. */
  readonly trigger: TriggerDefinition;
}

/** The definition of a trigger in the latest revision of its flow. */
export async function findTrigger(
  { namespace, flowId, triggerId }: TriggerKey,
  { flows }: { readonly flows: FlowCache },
): Promise<FoundTrigger> {
  const found = await flows.find(namespace, flowId);
  if (!found || found.record.deleted) {
    throw new AppError('not-found', `there is no flow "${flowId}" in the namespace "${namespace}"`);
  }
  const trigger = found.runnable.triggers?.find(({ id }) => id === triggerId);
  if (!trigger) throw noTrigger({ namespace, flowId, triggerId });
  return { flow: found.runnable, trigger };
}

/** The flow and the trigger of a row, if readable. A row whose trigger no longer exists is deleted. */
export async function findBehindRow(
  { namespace, flowId, triggerId }: TriggerRecord,
  { flows, store }: { readonly flows: FlowCache; readonly store: Store },
) {
  const found = await flows.find(namespace, flowId);
  const trigger = found?.runnable.triggers?.find(({ id }) => id === triggerId);
  if (found && !found.record.deleted && (trigger || found.problem !== undefined)) {
    return { flow: found.runnable, trigger, problem: found.problem };
  }
  await store.commit([{ op: 'trigger.delete', namespace, flowId, triggerId }]);
  return undefined;
}

export const noTrigger = ({ flowId, triggerId }: TriggerKey): AppError =>
  new AppError('not-found', `there is no trigger "${triggerId}" in the flow "${flowId}"`);
