import { type Execution, isCreated, type StateType } from '@millrace/contract';

const waiting: ReadonlySet<StateType> = new Set(['PAUSED', 'QUEUED', 'RETRYING', 'BREAKPOINT', 'RETRIED']);

/** Whether the server can say why an execution does not continue: it waits itself, or one of its task runs has not begun. */
export function mayWait({ state, scheduleDate, taskRunList = [] }: Execution): boolean {
  if (waiting.has(state.current)) return true;
  if (state.current === 'CREATED') return scheduleDate !== undefined;
  return state.current === 'RUNNING' && taskRunList.some((run) => isCreated(run.state.current));
}
