import type { ExecutionRecord } from '@millrace/contract';
import { outputsForCaller } from '@millrace/engine';
import { messageOf } from '@millrace/plugins';
import { executionFolder, type InternalStorage } from '../files/internalStorage.ts';
import type { Executor } from './executor.ts';
import type { EffectParts } from './executorEffects.ts';

/** A child is over: the task run that called it hears of it. */
export async function tellParent(
  child: ExecutionRecord,
  { files }: Pick<EffectParts, 'files'>,
  executor: Executor,
): Promise<void> {
  const { variables } = child.trigger ?? {};
  const index = child.memo?.childIndex;
  if (typeof index !== 'number' || typeof variables?.executionId !== 'string') return;
  executor.tell(variables.executionId, {
    type: 'childEnded',
    taskRunId: String(variables.taskRunId),
    executionId: child.id,
    state: child.state.current,
    ...(child.memo?.storesOutputs === true
      ? await storeOutputs(child, variables, index, files)
      : outputsForCaller(child)),
    index,
  });
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
