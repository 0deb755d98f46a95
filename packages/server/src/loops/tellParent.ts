import type { ExecutionRecord } from '@millrace/contract';
import { type Event, outputsForCaller } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import { executionFolder, type InternalStorage } from '../files/internalStorage.ts';
import type { EffectParts } from './effectParts.ts';
import type { Executor } from './executor.ts';

/** A child is over: the task run that called it hears of it. */
export async function tellParent(
  child: ExecutionRecord,
  { files }: Pick<EffectParts, 'files'>,
  executor: Executor,
): Promise<void> {
  const end = await endOfChild(child, files);
  if (end) executor.tell(end.callerId, end.event);
}

/** The execution that has called this one. */
export function callerOf({ trigger, memo }: ExecutionRecord): string | undefined {
  const id = trigger?.variables?.executionId;
  return typeof memo?.childIndex === 'number' && typeof id === 'string' ? id : undefined;
}

/** What the caller hears; undefined when nobody has called it. */
export async function endOfChild(
  child: ExecutionRecord,
  files: InternalStorage,
): Promise<{ readonly callerId: string; readonly event: Event } | undefined> {
  const callerId = callerOf(child);
  if (callerId === undefined) return undefined;
  const { variables = {} } = child.trigger ?? {};
  const index = Number(child.memo?.childIndex);
  const returned =
    child.memo?.storesOutputs === true
      ? await storeOutputs(child, variables, index, files)
      : outputsForCaller(child);
  const about = { taskRunId: String(variables.taskRunId), executionId: child.id, index };
  return { callerId, event: { type: 'childEnded', ...about, state: child.state.current, ...returned } };
}

/** Writes what a batch returned beside that of the others. Told twice, it is written twice, to the same place. */
async function storeOutputs(
  { id, outputs }: ExecutionRecord,
  { executionId, namespace, flowId, taskId, taskRunId }: Readonly<Record<string, unknown>>,
  index: number,
  files: InternalStorage,
): Promise<{ outputsBaseUri?: string; problem?: string }> {
  if (!outputs) return {};
  const caller = {
    namespace: String(namespace),
    flowId: String(flowId),
    executionId: String(executionId),
  };
  const name = [String(index + 1), 'outputs.ion'];
  const path = [...executionFolder(caller), 'tasks', String(taskId), String(taskRunId), ...name];
  try {
    const uri = await files.put(path, `${JSON.stringify(outputs)}\n`);
    return { outputsBaseUri: uri.slice(0, -`/${name.join('/')}`.length) };
  } catch (error) {
    return { problem: `The outputs of the execution ${id} could not be stored: ${messageOf(error)}` };
  }
}
