import { AppError, type executionActions } from '@millrace/contract';
import { type Fork, fork, keepHidden, mapSealed } from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { ExecutionWithTaskRuns } from '@millrace/store';
import { findExecution, findFlowToRun } from './findExecution.ts';
import { readInputs } from './readInputs.ts';
import { markSource, type ReplayParts } from './replayExecution.ts';
import { readRunDraft, storeRunDraft } from './runDraft.ts';
import { reserveSlot } from './withSlot.ts';

type Values = Readonly<Record<string, unknown>>;
type Parts = ReplayParts & { readonly catalogue: PluginCatalogue };

/**
 * Continues an execution from a task run on as a new one, with changed outputs, inputs or flow text. The source
 * does not change. A changed text is stored as a draft that only the new execution runs.
 */
export async function forkExecution(
  { executionId, taskRunId }: { readonly executionId: string; readonly taskRunId: string },
  request: executionActions.ForkRequest,
  parts: Parts,
): Promise<ExecutionWithTaskRuns> {
  if (request.source !== undefined && request.revision !== undefined)
    throw new AppError('illegal-argument', 'A fork runs either a source or a revision, not both.');
  const source = await findExecution(parts, executionId);
  const { namespace, flowId } = source.execution;
  const draft =
    request.source === undefined
      ? undefined
      : await readRunDraft({ namespace, id: flowId }, request.source, 'a fork', parts);
  const flow = draft?.flow ?? (await findFlowToRun(parts, source.execution, request.revision));
  const id = parts.environment.newId();
  const wanted: Fork = {
    id,
    now: parts.clock(),
    taskRunId,
    ...(request.outputs ? { outputs: editedOutputs(source, taskRunId, request.outputs) } : {}),
    ...(request.inputs
      ? { inputs: await readInputs(flow, editedInputs(source, request.inputs, parts), id, parts) }
      : {}),
  };
  const forked = fork(flow, source, wanted, parts.environment);
  if (draft) await storeRunDraft(draft, parts);
  await reserveSlot(parts, { flow, ...forked }, () => parts.executor.adopt(flow, forked));
  await markSource(executionId, parts);
  return forked;
}

/** Inputs that the request leaves out, and secrets that it shows hidden, keep their values. */
export function editedInputs(
  { execution }: Pick<ExecutionWithTaskRuns, 'execution'>,
  inputs: Values,
  { environment: { decrypt } }: Pick<Parts, 'environment'>,
): Values {
  refuseSealed(inputs);
  const kept = keepHidden(inputs, execution.inputs ?? {});
  const merged = { ...execution.inputs, ...(kept as Values) }; // A map stays a map.
  return mapSealed(merged, ({ value }) => decrypt?.(value)) as Values;
}

function editedOutputs({ taskRuns }: ExecutionWithTaskRuns, taskRunId: string, outputs: Values): Values {
  refuseSealed(outputs);
  const original = taskRuns.find(({ id }) => id === taskRunId)?.outputs ?? {};
  return keepHidden(outputs, original) as Values; // A map stays a map.
}

/** Only the server encrypts: otherwise an edit could show what a stolen ciphertext means. */
export function refuseSealed(values: Values): void {
  mapSealed(values, () => {
    throw new AppError('illegal-argument', 'An encrypted value cannot be set. Leave it hidden to keep it.');
  });
}
