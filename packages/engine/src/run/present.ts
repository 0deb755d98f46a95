import {
  type Execution,
  type ExecutionRecord,
  isTerminal,
  type State,
  type StateRecord,
  type TaskRun,
  type TaskRunRecord,
} from '@millrace/contract';
import { formatDuration } from '../duration.ts';
import { hideSealed } from '../inputs/sealed.ts';
import { breakpointsOf } from './breakpoint.ts';

let knownSecond = Number.NaN;
let knownText = '';

/** What `Date` answers, several times as fast where dates lie close together, as those of an execution do. */
function iso(at: number): string {
  const second = Math.floor(at / 1_000);
  if (second !== knownSecond) {
    knownText = new Date(second * 1_000).toISOString().slice(0, -4);
    knownSecond = second;
  }
  const ms = Math.trunc(at - second * 1_000);
  return `${knownText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}

/** The view of a state on the API. While it runs, the duration is the one up to `now`. */
export function presentState(state: StateRecord, now: number): State {
  const first = state.histories[0]!.date;
  const last = state.histories.at(-1)!.date;
  const hasEnd = isTerminal(state.current) || state.current === 'PAUSED';
  return {
    current: state.current,
    histories: state.histories.map(({ state: type, date }) => ({ state: type, date: iso(date) })),
    duration: formatDuration((hasEnd ? last : Math.max(now, last)) - first),
    startDate: iso(first),
    ...(hasEnd ? { endDate: iso(last) } : {}),
  };
}

export function presentTaskRun(
  taskRun: TaskRunRecord,
  execution: Pick<ExecutionRecord, 'tenantId' | 'namespace' | 'flowId'>,
  now: number,
): TaskRun {
  return {
    tenantId: execution.tenantId,
    id: taskRun.id,
    executionId: taskRun.executionId,
    namespace: execution.namespace,
    flowId: execution.flowId,
    taskId: taskRun.taskId,
    ...(taskRun.parentId === undefined ? {} : { parentTaskRunId: taskRun.parentId }),
    ...(taskRun.value === undefined ? {} : { value: taskRun.value }),
    ...(taskRun.attempts.length === 0
      ? {}
      : {
          attempts: taskRun.attempts.map((attempt) => ({
            state: presentState(attempt.state, now),
            ...(attempt.logFile === undefined ? {} : { logFile: attempt.logFile }),
          })),
        }),
    outputs: hideSealed(taskRun.outputs ?? {}),
    state: presentState(taskRun.state, now),
    ...(taskRun.iteration === undefined ? {} : { iteration: taskRun.iteration }),
    ...(taskRun.dynamic ? { dynamic: true } : {}),
  };
}

/** The view of an execution on the API, its task runs in the order they were created. */
export function presentExecution(
  execution: ExecutionRecord,
  taskRuns: readonly TaskRunRecord[],
  now: number,
): Execution {
  const { parentId, scheduledAt, traceParent, kind } = execution;
  const breakpoints = breakpointsOf(execution);
  // What is covered in the rows is not shown either: nobody can do anything with it.
  const { inputs, outputs, variables, trigger } = hideSealed({
    inputs: execution.inputs,
    outputs: execution.outputs,
    variables: execution.variables,
    trigger: execution.trigger,
  });
  return {
    tenantId: execution.tenantId,
    id: execution.id,
    namespace: execution.namespace,
    flowId: execution.flowId,
    flowRevision: execution.flowRevision,
    ...(taskRuns.length === 0
      ? {}
      : { taskRunList: taskRuns.map((run) => presentTaskRun(run, execution, now)) }),
    ...(inputs ? { inputs } : {}),
    ...(outputs ? { outputs } : {}),
    labels: [...execution.labels],
    ...(variables ? { variables } : {}),
    state: presentState(execution.state, now),
    ...(parentId === undefined ? {} : { parentId }),
    originalId: execution.originalId,
    ...(trigger ? { trigger: { ...trigger } } : {}),
    deleted: false,
    metadata: {
      attemptNumber: execution.attemptNumber,
      originalCreatedDate: iso(execution.originalCreatedAt),
    },
    ...(scheduledAt === undefined ? {} : { scheduleDate: iso(scheduledAt) }),
    ...(traceParent === undefined ? {} : { traceParent }),
    ...(kind === undefined ? {} : { kind }),
    ...(breakpoints.length === 0 ? {} : { breakpoints: [...breakpoints] }),
  };
}
