import type { LogLevel, Task, TaskRunRecord } from '@millrace/contract';
import { splitType } from '../control/forEachItem.ts';
import { readDuration } from '../duration.ts';
import type { Effect } from '../run/effect.ts';
import { computeOf } from './compute.ts';
import type { DryRunState } from './dryRunState.ts';
import { generateOutputs } from './generate.ts';
import { messageOf, type Rendering, renderTask } from './renderTask.ts';
import type { FixtureState, OutputSource, Values } from './types.ts';

interface End {
  readonly state: FixtureState;
  readonly outputs?: Values | undefined;
  readonly durationMs?: number | undefined;
  readonly source?: OutputSource | undefined;
  readonly isGenerated?: boolean;
}

/** One attempt of a task that a worker would run: its properties are rendered, and its result is known at once. */
export function runTaskDry(
  dry: DryRunState,
  { taskRunId, attempt, task }: Extract<Effect, { effect: 'run' }>,
): void {
  const run = dry.live.taskRun(taskRunId);
  if (run?.state.current !== 'RUNNING' || run.attempts.length - 1 !== attempt) return;
  const path = dry.paths.get(task.id);
  const facts = dry.options.types.find(task.type);
  const context = dry.contextOf(taskRunId);
  const rendering = renderTask(task, path ?? [task.id], facts, {
    ...context,
    variables: facts?.hasFolder ? { ...context.variables, ...folderVariables } : context.variables,
  });
  if (path && (dry.rendered.has(run.id) || dry.mayShow(task.id)))
    dry.rendered.set(run.id, rendering.properties);
  const end = withTimeout(task, endOf(dry, run, attempt, task, rendering), (level, message) =>
    dry.log(level, message, run),
  );
  if (end.source && end.outputs) dry.sources.set(run.id, end.source);
  if (end.isGenerated) dry.generated.add(task.id);
  const { state, outputs, durationMs = 0 } = end;
  const hasOutputs = outputs !== undefined && Object.keys(outputs).length > 0;
  dry.post(
    { type: 'taskEnded', taskRunId, attempt, state, ...(hasOutputs && { outputs }) },
    dry.outside.now + durationMs,
  );
}

function endOf(dry: DryRunState, run: TaskRunRecord, attempt: number, task: Task, rendering: Rendering): End {
  const fixture = dry.fixtures.of(run);
  const compute = computeOf(dry.typeOf(task));
  const isCopied = fixture?.from === 'execution';
  const source = isCopied ? 'execution' : 'pinned';
  if (attempt < (fixture?.failedAttempts ?? 0)) {
    dry.log('ERROR', forcedFailure[source], run);
    return { state: 'FAILED' };
  }
  if (fixture?.state !== undefined && !(isCopied && compute)) {
    if (fixture.state === 'FAILED') dry.log('ERROR', forcedFailure[source], run);
    return { state: fixture.state, outputs: fixture.outputs, source };
  }
  if (rendering.error !== undefined) {
    dry.log('ERROR', rendering.error, run);
    return { state: 'FAILED' };
  }
  if (compute && !rendering.isUncertain && (!fixture || isCopied)) {
    const before = dry.outside.assumed;
    try {
      const { outputs, durationMs } = compute({
        properties: rendering.values,
        variables: dry.live.variables(run.id),
        outside: dry.outside,
        batches: batchesOf(dry, task),
        log: (level, message) => dry.log(level, message, run),
      });
      const isGenerated = rendering.isAssumed || dry.outside.assumed > before;
      return { state: 'SUCCESS', outputs, durationMs, source: 'computed', isGenerated };
    } catch (error) {
      if (rendering.isAssumed || dry.outside.assumed > before) {
        // A check of made-up values proves nothing, so the flow continues as if it had held.
        dry.log('WARN', `This may fail in a real run: ${messageOf(error)}`, run);
        return { state: 'SUCCESS', isGenerated: true };
      }
      dry.log('ERROR', messageOf(error), run);
      return { state: 'FAILED' };
    }
  }
  if (fixture) return { state: 'SUCCESS', outputs: fixture.outputs ?? {}, source };
  const outputs = generateOutputs(dry.options.types.find(task.type)?.outputs, dry.wanted.get(task.id));
  const hasOutputs = Object.keys(outputs).length > 0;
  return { state: 'SUCCESS', outputs, ...(hasOutputs && { source: 'generated', isGenerated: true }) };
}

/** Placeholders for the folder that a script runs in. */
const folderVariables = { workingDir: '/work', outputDir: '/work/outputs' };

const forcedFailure = {
  pinned: 'The task fails, as chosen for this run.',
  execution: 'The task fails because it failed in the execution that the outputs come from.',
} as const;

/** In a dry run only a sleep takes time, so only a sleep can exceed its timeout. */
function withTimeout(task: Task, end: End, log: (level: LogLevel, message: string) => void): End {
  const timeoutMs = task.timeout === undefined ? undefined : readDuration(task.timeout);
  if (timeoutMs === undefined || (end.durationMs ?? 0) <= timeoutMs) return end;
  log('ERROR', `Timeout: the task did not end within ${String(task.timeout)}.`);
  return { state: 'FAILED', durationMs: timeoutMs };
}

/** The number of batches of a ForEachItem: that of the fixture of its items, else one. */
function batchesOf(dry: DryRunState, task: Task): number {
  if (task.type !== splitType) return 0;
  const items = dry.fixtures.ofTask(task.id.replace(/_split$/, '_items'));
  const count = Number(items?.outputs?.numberOfBatches ?? 1);
  return Number.isInteger(count) && count >= 0 ? Math.min(count, 1_000) : 1;
}
