import {
  AppError,
  type ExecutionRecord,
  type Flow,
  type Input,
  type TaskRunRecord,
} from '@millrace/contract';
import { findTask, type InputResolution, LiveRun, type ResolvedInput, resolveInputs } from '@millrace/engine';
import type { Store, StoredExecution } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { findExecution, findFlowToRun } from './findExecution.ts';
import type { FlowCache } from './flowCache.ts';
import { matchBacktracking } from './matchBacktracking.ts';
import type { InputParts } from './readInputs.ts';

type Values = Readonly<Record<string, unknown>>;
type Parts = InputParts & {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
};

interface ResumeCheck {
  /** The pause that asks for inputs. */
  readonly taskRunId: string;
  readonly resolution: InputResolution;
}

/** Resumes a paused execution, after checking that the inputs of the pause are present and valid. */
export async function resumeExecution(executionId: string, given: Values, parts: Parts): Promise<void> {
  const check = await resolve(await findExecution(parts, executionId), given, parts);
  if (check && check.resolution.errors.length > 0) throw refuse(check.resolution);
  await parts.executor.request(executionId, {
    type: 'resume',
    ...(check ? { taskRunId: check.taskRunId, inputs: check.resolution.values } : {}),
  });
}

/** Checks inputs as `resumeExecution` would; none when the pause asks for none. */
export async function checkResume(
  executionId: string,
  given: Values,
  parts: Parts,
): Promise<{ readonly execution: ExecutionRecord; readonly inputs: readonly ResolvedInput[] }> {
  const stored = await findExecution(parts, executionId);
  const check = await resolve(stored, given, parts);
  return { execution: stored.execution, inputs: check?.resolution.inputs ?? [] };
}

/** A paused execution and the inputs of its pause. */
export async function findPause(
  executionId: string,
  parts: Parts,
): Promise<{ readonly execution: ExecutionRecord; readonly inputs: readonly Input[] }> {
  const { execution, taskRuns } = await findExecution(parts, executionId);
  const { inputs = [] } = pauseOf(await findFlowToRun(parts, execution), taskRuns);
  return { execution, inputs };
}

async function resolve(
  { execution, taskRuns }: StoredExecution,
  given: Values,
  parts: Parts,
): Promise<ResumeCheck | undefined> {
  const state = execution.state.current;
  if (state !== 'PAUSED')
    throw new AppError('illegal-state', `the execution is ${state}, not in state PAUSED`);
  const flow = await findFlowToRun(parts, execution);
  const { paused, inputs } = pauseOf(flow, taskRuns);
  if (!paused || !inputs) return undefined;
  const { environment, encryption, host } = parts;
  const run = new LiveRun(flow, execution, taskRuns, environment);
  const resolution = await resolveInputs(inputs, given, {
    variables: run.variables(paused.id),
    host: host({ namespace: flow.namespace, execution, subflowDepth: 0 }),
    matchBacktracking,
    ...(encryption ? { encrypt: (text: string) => encryption.encrypt(text) } : {}),
  });
  return { taskRunId: paused.id, resolution };
}

/** The first waiting pause and its inputs. */
function pauseOf(flow: Flow, taskRuns: readonly TaskRunRecord[]) {
  const paused = [...taskRuns]
    .sort((a, b) => a.order - b.order)
    .find((taskRun) => taskRun.state.current === 'PAUSED');
  const task = paused && findTask(flow, paused.taskId);
  // `as`: the schema of a Pause has checked them when the flow was saved.
  return { paused, inputs: Array.isArray(task?.onResume) ? (task.onResume as Input[]) : undefined };
}

function refuse({ inputs, errors }: InputResolution): AppError {
  return new AppError('invalid-entity', errors.join(', '), {
    errors: inputs.flatMap(({ input, errors: texts }) =>
      texts.map((message) => ({ path: input.id, message })),
    ),
  });
}
