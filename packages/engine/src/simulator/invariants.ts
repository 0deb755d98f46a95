import { type ExecutionRecord, isTerminal, type Task, type TaskRunRecord } from '@millrace/contract';

export interface Snapshot {
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
}

/** Checks the invariants of every step, crashes included. Returns the first violation, if any. */
export function breach(
  before: Snapshot | undefined,
  now: Snapshot,
  tasks: ReadonlyMap<string, Task>,
): string | undefined {
  return (
    brokenTree(now) ??
    startedTwice(now) ??
    brokenAttempts(now) ??
    brokenLimits(now, tasks) ??
    brokenEnd(now) ??
    (before && brokenPast(before, now))
  );
}

function brokenTree({ execution, taskRuns }: Snapshot): string | undefined {
  const ids = new Set(taskRuns.map((run) => run.id));
  if (ids.size !== taskRuns.length) return 'two task runs share an id';
  for (const run of taskRuns) {
    if (run.parentId !== undefined && !ids.has(run.parentId)) return `task run ${run.taskId} has no parent`;
    if (run.state.current !== run.state.histories.at(-1)?.state)
      return `task run ${run.taskId} disagrees with its history`;
  }
  if (execution.state.current !== execution.state.histories.at(-1)?.state)
    return 'the execution disagrees with its history';
  return undefined;
}

/** A task has one run per parent and loop value, however often it was restarted. */
function startedTwice({ taskRuns }: Snapshot): string | undefined {
  const seen = new Set<string>();
  for (const { taskId, parentId, value } of taskRuns) {
    const key = `${parentId} ${taskId} ${value}`;
    if (seen.has(key)) return `task ${taskId} has two runs below one parent`;
    seen.add(key);
  }
  return undefined;
}

function brokenAttempts({ taskRuns }: Snapshot): string | undefined {
  for (const run of taskRuns) {
    const live = run.attempts.filter((attempt) => !isTerminal(attempt.state.current)).length;
    if (live > 1) return `task run ${run.taskId} has ${live} live attempts`;
    if (live === 1 && isTerminal(run.state.current))
      return `task run ${run.taskId} ended ${run.state.current} with a live attempt`;
  }
  return undefined;
}

/** No more children run than the limit allows, except those that a user reopened. */
function brokenLimits(
  { execution, taskRuns }: Snapshot,
  tasks: ReadonlyMap<string, Task>,
): string | undefined {
  // A replay from a task run starts it beside the copied runs, so the limit does not apply.
  if (execution.parentId !== undefined) return undefined;
  const open = new Map<string, Set<string>>();
  for (const run of taskRuns) {
    if (run.parentId === undefined || isTerminal(run.state.current) || wasReopened(run)) continue;
    const units = open.get(run.parentId) ?? new Set();
    units.add(run.value ?? run.taskId);
    open.set(run.parentId, units);
  }
  for (const run of taskRuns) {
    const task = tasks.get(run.taskId);
    const limit = Number(task?.concurrent ?? task?.concurrencyLimit ?? 0);
    const atWork = open.get(run.id)?.size ?? 0;
    const isEach = task?.type === 'core.flow.EachParallel';
    if (limit > 0 && !isEach && atWork > limit + accompanying(task))
      return `${run.taskId} has ${atWork} children at work, the limit is ${limit}`;
  }
  return undefined;
}

const wasReopened = ({ state }: TaskRunRecord): boolean =>
  state.histories.some((entry) => entry.state === 'RESTARTED' || isTerminal(entry.state));

/** Errors and finally run beside the open tasks of the main list. */
const accompanying = (task: Task | undefined): number => (task?.errors ? 1 : 0) + (task?.finally ? 1 : 0);

function brokenEnd({ execution, taskRuns }: Snapshot): string | undefined {
  if (execution.closedAt === undefined) return undefined;
  if (!isTerminal(execution.state.current)) return `the execution has ended but ${execution.state.current}`;
  const open = taskRuns.find((run) => !isTerminal(run.state.current));
  return open ? `the execution has ended but ${open.taskId} is ${open.state.current}` : undefined;
}

/** History is only ever added to; a finished attempt never changes its outputs. */
function brokenPast(before: Snapshot, now: Snapshot): string | undefined {
  if (before.execution.state === now.execution.state) return undefined;
  const length = before.execution.state.histories.length;
  const kept = now.execution.state.histories.slice(0, length);
  return JSON.stringify(kept) === JSON.stringify(before.execution.state.histories)
    ? undefined
    : 'the history of the execution was rewritten';
}
