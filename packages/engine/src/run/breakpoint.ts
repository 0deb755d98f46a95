import { isCreated, isTerminal } from '@millrace/contract';
import type { Breakpoint } from './event.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

/** True when the run waits before its first attempt; the execution then stops until a user resumes it. */
export function stopsAt(run: Run, node: Node): boolean {
  if (!isHeld(run, node) || isTerminal(run.state)) return false;
  if (run.state === 'RESTARTED') run.moveExecution('RUNNING');
  if (run.state === 'RUNNING' || run.state === 'RETRYING') run.moveExecution('BREAKPOINT');
  return true;
}

/** True when a breakpoint stops this run and no user has resumed it yet. */
export function isHeld(run: Run, { record, task }: Node): boolean {
  const breakpoints = breakpointsOf(run.execution);
  if (breakpoints.length === 0 || !isCreated(record.state.current)) return false;
  if (record.attempts.length > 0 || record.memo?.passedBreakpoint === true) return false;
  return breakpoints.some(
    ({ id, value }) => id === task.id && (value === undefined || value === record.value),
  );
}

/** `as`: only `createExecution` and `resumeFromBreakpoint` write them. */
export const breakpointsOf = ({
  memo,
}: {
  readonly memo?: Readonly<Record<string, unknown>>;
}): readonly Breakpoint[] => (memo?.breakpoints ?? []) as readonly Breakpoint[];
