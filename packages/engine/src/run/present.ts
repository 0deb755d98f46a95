import {
  type Execution,
  type ExecutionRecord,
  type State,
  type StateRecord,
  type StateType,
  stateTimes,
  type TaskRun,
  type TaskRunRecord,
} from '@millrace/contract';
import { formatDuration } from '../duration.ts';
import { hideSealed } from '../inputs/sealed.ts';
import { breakpointsOf } from './breakpoint.ts';
import { isoDate } from './isoDate.ts';

/**
 * The view of a state on the API. While it runs, the duration is the one up to `now`. Assigned by name, here and below:
 * pages make tens of thousands of these, and a literal full of spreads is several times slower.
 */
export function presentState({ current, histories }: StateRecord, now: number): State {
  const { startedAt, endedAt, durationMs } = stateTimes({ current, histories }, now);
  const entries: State['histories'] = [];
  for (const { state, date, by } of histories)
    entries.push(by ? { state, date: isoDate(date), by } : { state, date: isoDate(date) });
  const first = entries[0];
  const last = entries.at(-1);
  const shown: State = {
    current,
    histories: entries,
    duration: formatDuration(durationMs),
    startDate: first && histories[0]?.date === startedAt ? first.date : isoDate(startedAt),
  };
  if (endedAt !== undefined)
    shown.endDate = last && histories.at(-1)?.date === endedAt ? last.date : isoDate(endedAt);
  return shown;
}

export function presentTaskRun(
  taskRun: TaskRunRecord,
  execution: Pick<ExecutionRecord, 'tenantId' | 'namespace' | 'flowId'>,
  now: number,
): TaskRun {
  const shown: Partial<TaskRun> = {
    tenantId: execution.tenantId,
    id: taskRun.id,
    executionId: taskRun.executionId,
    namespace: execution.namespace,
    flowId: execution.flowId,
    taskId: taskRun.taskId,
  };
  if (taskRun.parentId !== undefined) shown.parentTaskRunId = taskRun.parentId;
  if (taskRun.value !== undefined) shown.value = taskRun.value;
  if (taskRun.attempts.length > 0) shown.attempts = taskRun.attempts.map((one) => presentAttempt(one, now));
  shown.outputs = hideSealed(taskRun.outputs ?? {});
  shown.state = presentState(taskRun.state, now);
  if (taskRun.iteration !== undefined) shown.iteration = taskRun.iteration;
  if (taskRun.dynamic) shown.dynamic = true;
  if (taskRun.copied) shown.copied = true;
  if (taskRun.edited) shown.edited = true;
  // `as`: every required property was just set.
  return shown as TaskRun;
}

function presentAttempt(
  { state, logFile }: TaskRunRecord['attempts'][number],
  now: number,
): NonNullable<TaskRun['attempts']>[number] {
  const shown = presentState(state, now);
  return logFile === undefined ? { state: shown } : { state: shown, logFile };
}

/** A view holds at most this many task runs, because it is sent and drawn as a whole. */
export const maxShownTaskRuns = 10_000;

/**
 * Chooses the task runs outside loops first, so that no task of the flow is missing; then failed and running ones, newest
 * first; then the oldest. Each comes with its ancestors.
 */
export function chooseTaskRuns(taskRuns: readonly TaskRunRecord[]): readonly TaskRunRecord[] {
  if (taskRuns.length <= maxShownTaskRuns) return taskRuns;
  const byId = new Map(taskRuns.map((taskRun) => [taskRun.id, taskRun]));
  const chosen = new Set<TaskRunRecord>();
  const choose = (taskRun: TaskRunRecord) => {
    const line: TaskRunRecord[] = [];
    for (let at: TaskRunRecord | undefined = taskRun; at && !chosen.has(at); at = byId.get(at.parentId ?? ''))
      line.push(at);
    if (chosen.size + line.length <= maxShownTaskRuns) for (const each of line) chosen.add(each);
  };
  const outside = outsideLoops(taskRuns, byId);
  if (outside.length <= maxShownTaskRuns / 2) for (const taskRun of outside) choose(taskRun);
  for (let index = taskRuns.length - 1; index >= 0 && chosen.size < maxShownTaskRuns; index--) {
    const taskRun = taskRuns[index]!;
    if (!quietStates.has(taskRun.state.current)) choose(taskRun);
  }
  for (const taskRun of taskRuns) {
    if (chosen.size >= maxShownTaskRuns) break;
    choose(taskRun);
  }
  return taskRuns.filter((taskRun) => chosen.has(taskRun));
}

function outsideLoops(
  taskRuns: readonly TaskRunRecord[],
  byId: ReadonlyMap<string, TaskRunRecord>,
): TaskRunRecord[] {
  const inside = new Map<TaskRunRecord, boolean>();
  const isInside = (taskRun: TaskRunRecord | undefined): boolean => {
    if (!taskRun) return false;
    let known = inside.get(taskRun);
    if (known === undefined) {
      known = taskRun.value !== undefined || isInside(byId.get(taskRun.parentId ?? ''));
      inside.set(taskRun, known);
    }
    return known;
  };
  return taskRuns.filter((taskRun) => !isInside(taskRun));
}

const quietStates: ReadonlySet<StateType> = new Set(['CREATED', 'SUBMITTED', 'SUCCESS', 'SKIPPED']);

/** The view of an execution on the API, its task runs in the order they were created. */
export function presentExecution(
  execution: ExecutionRecord,
  taskRuns: readonly TaskRunRecord[],
  now: number,
): Execution {
  const { parentId, scheduledAt, traceParent, kind } = execution;
  const breakpoints = breakpointsOf(execution);
  // Values that are encrypted in the rows are not shown, because clients cannot use them.
  const { inputs, outputs, variables, trigger } = hideSealed({
    inputs: execution.inputs,
    outputs: execution.outputs,
    variables: execution.variables,
    trigger: execution.trigger,
  });
  // Assigned by name: every webhook response builds one, and a literal full of spreads is several times
  // slower.
  const shown: Partial<Execution> = {
    tenantId: execution.tenantId,
    id: execution.id,
    namespace: execution.namespace,
    flowId: execution.flowId,
    flowRevision: execution.flowRevision,
  };
  if (taskRuns.length > 0)
    shown.taskRunList = chooseTaskRuns(taskRuns).map((run) => presentTaskRun(run, execution, now));
  if (taskRuns.length > maxShownTaskRuns) shown.taskRunTotal = taskRuns.length;
  if (inputs) shown.inputs = inputs;
  if (outputs) shown.outputs = outputs;
  shown.labels = [...execution.labels];
  if (variables) shown.variables = variables;
  shown.state = presentState(execution.state, now);
  if (parentId !== undefined) shown.parentId = parentId;
  shown.originalId = execution.originalId;
  if (trigger) shown.trigger = { ...trigger };
  shown.deleted = false;
  shown.metadata = {
    attemptNumber: execution.attemptNumber,
    originalCreatedDate: isoDate(execution.originalCreatedAt),
  };
  if (scheduledAt !== undefined) shown.scheduleDate = isoDate(scheduledAt);
  if (traceParent !== undefined) shown.traceParent = traceParent;
  if (kind !== undefined) shown.kind = kind;
  if (breakpoints.length > 0) shown.breakpoints = [...breakpoints];
  // `as`: every required property was just set.
  return shown as Execution;
}
