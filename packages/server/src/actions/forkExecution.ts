import { AppError, type executionActions, type Flow, type FlowRecord } from '@millrace/contract';
import { applyDefaults, type Fork, fork, keepHidden, mapSealed, stripRevision } from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import { Conflict, type ExecutionWithTaskRuns } from '@millrace/store';
import { findExecution, findFlowToRun } from './findExecution.ts';
import { readInputs } from './readInputs.ts';
import { markSource, type ReplayParts } from './replayExecution.ts';
import { readFlow } from './saveFlow.ts';
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
  const draft = request.source === undefined ? undefined : await readDraft(source, request.source, parts);
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
  if (draft) await storeDraft(draft.record, parts);
  await reserveSlot(parts, { flow, ...forked }, () => parts.executor.adopt(flow, forked));
  await markSource(executionId, parts);
  return forked;
}

/** Inputs that the request leaves out, and secrets that it shows hidden, keep their values. */
function editedInputs(
  { execution }: ExecutionWithTaskRuns,
  inputs: Values,
  { environment: { decrypt } }: Parts,
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

/** Only the server encrypts: otherwise a fork could show what a stolen ciphertext means. */
function refuseSealed(values: Values): void {
  mapSealed(values, () => {
    throw new AppError('illegal-argument', 'An encrypted value cannot be set. Leave it hidden to keep it.');
  });
}

interface Draft {
  readonly record: FlowRecord;
  readonly flow: Flow;
}

async function readDraft(
  { execution: { tenantId, namespace, flowId } }: ExecutionWithTaskRuns,
  text: string,
  { store, catalogue, clock }: Parts,
): Promise<Draft> {
  const { flow, source } = readFlow(text, { catalogue });
  for (const [path, is, was] of [
    ['id', flow.id, flowId],
    ['namespace', flow.namespace, namespace],
  ] as const) {
    if (is === was) continue;
    const message = `a fork runs the same flow: the ${path} must stay "${was}", but is "${is}"`;
    throw new AppError('invalid-entity', `${path}: ${message}`, { errors: [{ path, message }] });
  }
  const revision = await store.nextDraftRevision(namespace, flowId);
  const record: FlowRecord = {
    tenantId,
    namespace,
    id: flowId,
    revision,
    source: stripRevision(source),
    ...(flow.description === undefined ? {} : { description: flow.description }),
    labels: flow.labels ?? [],
    disabled: flow.disabled,
    deleted: false,
    updatedAt: clock(),
  };
  return { record, flow: applyDefaults({ ...flow, tenantId, revision }, { catalogue }) };
}

async function storeDraft(record: FlowRecord, { store }: Parts): Promise<void> {
  try {
    await store.commit([{ op: 'flow.insertDraft', flow: record }]);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const message = `another fork of the flow "${record.id}" was started at the same time; fork again`;
    throw new AppError('conflict', message, { cause: error });
  }
}
