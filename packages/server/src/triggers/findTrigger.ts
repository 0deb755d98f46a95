import { AppError, type Flow, type TriggerDefinition } from '@millrace/contract';
import type { Product } from '../product.ts';
import type { TriggerKey } from './changeTrigger.ts';

export interface FoundTrigger {
  readonly flow: Flow;
  /** With plugin defaults filled in. */
  readonly trigger: TriggerDefinition;
}

/** The definition of a trigger in the latest revision of its flow. */
export async function findTrigger(
  { namespace, flowId, triggerId }: TriggerKey,
  { flows }: Pick<Product, 'flows'>,
): Promise<FoundTrigger> {
  const found = await flows.find(namespace, flowId);
  if (!found || found.record.deleted) {
    throw new AppError('not-found', `there is no flow "${flowId}" in the namespace "${namespace}"`);
  }
  const trigger = found.runnable.triggers?.find(({ id }) => id === triggerId);
  if (!trigger) throw noTrigger({ namespace, flowId, triggerId });
  return { flow: found.runnable, trigger };
}

export const noTrigger = ({ flowId, triggerId }: TriggerKey): AppError =>
  new AppError('not-found', `there is no trigger "${triggerId}" in the flow "${flowId}"`);
