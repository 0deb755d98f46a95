import type { ExecutionRecord } from '@millrace/contract';
import { type Event, outputsForCaller } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import type { Op } from '@millrace/store';
import { executionFolder, type InternalStorage } from '../files/internalStorage.ts';
import type { ExecutorParts } from './executorParts.ts';
import type { ExecutorPort } from './executorPort.ts';

/** Notifies the task run that called an execution that ended. */
export async function notifyParent(
  child: ExecutionRecord,
  { files }: Pick<ExecutorParts, 'files'>,
  executor: Pick<ExecutorPort, 'notify'>,
): Promise<void> {
  const end = await endOfChild(child, files);
  if (end) executor.notify(end.callerId, end.event);
}

/**
 * The message for a caller on another server. It commits together with the end, so that a crash between the two loses
 * nothing.
 */
export async function messagesAtEnd(
  execution: ExecutionRecord,
  { ownership, files }: Pick<ExecutorParts, 'ownership' | 'files'>,
  isHeld: (executionId: string) => boolean,
): Promise<readonly Op[]> {
  const callerId = callerOf(execution);
  if (!ownership || callerId === undefined || execution.state.current === 'RETRIED') return [];
  if (isHeld(callerId)) return [];
  const end = await endOfChild(execution, files);
  return end ? ownership.messageFor(end.callerId, end.event) : [];
}

/** The execution that called this one. */
function callerOf({ trigger, memo }: ExecutionRecord): string | undefined {
  const id = trigger?.variables?.executionId;
  return typeof memo?.childIndex === 'number' && typeof id === 'string' ? id : undefined;
}

/** The event for the caller; undefined when no execution called this one. */
async function endOfChild(
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

/** Writes the outputs of one batch of a loop. Writing twice is safe: the path is the same. */
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
