import {
  AppError,
  type ExecutionRecord,
  type Flow,
  mainTenant,
  type playground,
  playgroundKind,
} from '@millrace/contract';
import {
  createExecution,
  findTask,
  hideSealed,
  type KnownResult,
  leavesOf,
  type PlaygroundPlan,
  planPlayground,
  reusableResults,
} from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { FlowKey } from '@millrace/store';
import { findFlow } from './findFlow.ts';
import { editedInputs, refuseSealed } from './forkExecution.ts';
import { readInputs } from './readInputs.ts';
import type { ReplayParts } from './replayExecution.ts';
import { type RunDraft, readRunDraft, storeRunDraft } from './runDraft.ts';

type Parts = ReplayParts & { readonly catalogue: PluginCatalogue };
type Request = playground.PlaygroundRequest;

/** Executions whose outputs are looked through, newest first. */
const maxSources = 10;
const maxLoopValues = 200;
const maxShownOutputs = 20_000;

interface Prepared {
  readonly draft: RunDraft;
  readonly plan: PlaygroundPlan;
  readonly known: readonly KnownResult[];
  readonly last: ExecutionRecord | undefined;
}

/** The tasks that a playground execution would run, and the outputs that it would reuse. */
export async function previewPlayground(
  key: FlowKey,
  request: Request,
  parts: Parts,
): Promise<playground.PlaygroundPlan> {
  const { draft, plan, known } = await prepare(key, request, parts);
  return {
    taskId: plan.playground.taskId,
    steps: plan.steps.map(({ at, ...step }) => ({
      ...step,
      ...(at === undefined ? {} : { at: new Date(at).toISOString() }),
      ...(step.action === 'reuse' ? outputsOf(step.taskId, known) : {}),
    })),
    loops: plan.loops.map((taskId, depth) => ({
      taskId,
      values: valuesOf(draft.flow, taskId, depth, known),
    })),
  };
}

function outputsOf(
  taskId: string,
  known: readonly KnownResult[],
): Pick<playground.PlaygroundStep, 'outputs'> {
  const outputs = known.find((result) => result.taskId === taskId && result.values === undefined)?.outputs;
  if (!outputs || JSON.stringify(outputs).length > maxShownOutputs) return {};
  return { outputs: hideSealed(outputs) as Record<string, unknown> }; // A map stays a map.
}

/** Runs a part of a text. The text is stored as a draft that only this execution runs. */
export async function startPlayground(
  key: FlowKey,
  request: Request,
  parts: Parts,
): Promise<ExecutionRecord> {
  const { draft, plan, last } = await prepare(key, request, parts);
  const { flow } = draft;
  const id = parts.environment.newId();
  const execution = createExecution(flow, {
    id,
    tenantId: mainTenant,
    now: parts.clock(),
    inputs: await inputsFor(flow, last, request.inputs ?? {}, id, parts),
    kind: playgroundKind,
    playground: plan.playground,
  });
  await storeRunDraft(draft, parts);
  await parts.executor.start(flow, execution);
  return execution;
}

async function prepare(key: FlowKey, request: Request, parts: Parts): Promise<Prepared> {
  await findFlow(parts, key);
  refuseSealed(request.pins ?? {});
  const draft = await readRunDraft(key, request.source, 'the playground', parts);
  const { known, last } = await findResults(key, draft.flow, parts);
  const { taskId, mode, pins, again, loopValues } = request;
  const plan = planPlayground(
    draft.flow,
    {
      taskId,
      mode,
      ...(pins && { pins }),
      ...(again && { again }),
      ...(loopValues && { loopValues }),
    },
    known,
  );
  return { draft, plan, known, last };
}

/** The newest results of each task, each task from one execution. */
async function findResults(
  { namespace, id }: FlowKey,
  draft: Flow,
  { store, flows, environment }: Parts,
): Promise<Pick<Prepared, 'known' | 'last'>> {
  const { results } = await store.listExecutions({
    page: 1,
    size: maxSources,
    sort: [{ field: 'state.startDate', descending: true }],
    filters: [
      { field: 'namespace', operation: 'EQUALS', value: namespace },
      { field: 'flowId', operation: 'EQUALS', value: id },
    ],
  });
  const known: KnownResult[] = [];
  const missing = new Set(draft.tasks.flatMap(leavesOf).map((task) => task.id));
  for (const { execution } of results) {
    if (missing.size === 0) break;
    const [stored, found] = await Promise.all([
      store.getExecution(execution.id),
      flows.find(namespace, id, execution.flowRevision),
    ]);
    if (!stored || !found) continue;
    const added = reusableResults(found.runnable, stored, environment).filter(({ taskId }) =>
      missing.has(taskId),
    );
    known.push(...added);
    for (const { taskId } of added) missing.delete(taskId);
  }
  return { known, last: results[0]?.execution };
}

function valuesOf(flow: Flow, loopId: string, depth: number, known: readonly KnownResult[]): string[] {
  const loop = findTask(flow, loopId);
  const inside = new Set(loop ? leavesOf(loop).map(({ id }) => id) : []);
  const values = known.flatMap(({ taskId, values: path }) =>
    inside.has(taskId) && path?.[depth] !== undefined ? [path[depth]] : [],
  );
  return [...new Set(values)].slice(0, maxLoopValues);
}

/** The inputs of the last execution with those of the request; stale ones give way to the defaults. */
async function inputsFor(
  flow: Flow,
  last: ExecutionRecord | undefined,
  given: Readonly<Record<string, unknown>>,
  id: string,
  parts: Parts,
): Promise<Readonly<Record<string, unknown>>> {
  const merged = last ? editedInputs({ execution: last }, given, parts) : given;
  try {
    return await readInputs(flow, merged, id, parts);
  } catch (error) {
    if (!(error instanceof AppError) || !last) throw error;
    return readInputs(flow, given, id, parts);
  }
}
