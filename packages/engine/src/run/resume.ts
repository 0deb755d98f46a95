import { AppError } from '@millrace/contract';
import type { Waiting } from '../control/control.ts';
import { isHeld } from './breakpoint.ts';
import { dispatch } from './dispatch.ts';
import type { Breakpoint } from './event.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';
import { continueWaiting } from './waiting.ts';

/** Resumes the first paused run, or the whole execution when a user paused it and no run is paused. */
export function resume(run: Run, inputs: unknown, taskRunId?: string): void {
  if (run.state !== 'PAUSED')
    throw new AppError('illegal-state', `The execution is ${run.state}, not in state PAUSED.`);
  const node = firstPaused(run);
  if (taskRunId !== undefined && node?.record.id !== taskRunId)
    throw new AppError(
      'illegal-state',
      `The task run "${taskRunId}" is not the one that waits to be resumed.`,
    );
  if (node) {
    const control = run.index.controlOf(node.task) as Waiting;
    continueWaiting(run, node, control, inputs);
  } else run.moveExecution('RUNNING');
  // Results that arrived during the pause are handled now.
  run.wakeAll();
}

/** Resumes the runs that stopped at a breakpoint. A paused run stays paused. */
export function resumeFromBreakpoint(run: Run, breakpoints: readonly Breakpoint[] | undefined): void {
  if (run.state !== 'BREAKPOINT')
    throw new AppError('illegal-state', `The execution is ${run.state}, not in state BREAKPOINT.`);
  const held = [...run.nodes.values()].filter((node) => isHeld(run, node));
  for (const node of held) run.remember(node, { passedBreakpoint: true });
  if (breakpoints) run.updateExecution({ memo: { ...run.execution.memo, breakpoints } });
  run.moveExecution('RUNNING');
  for (const node of held) dispatch(run, node);
  if (firstPaused(run)) run.moveExecution('PAUSED');
  run.wakeAll();
}

/** Nothing new starts until the execution is resumed; running tasks end normally. */
export function pause(run: Run): void {
  if (run.state !== 'RUNNING') {
    throw new AppError(
      'illegal-argument',
      `The execution is ${run.state}; only one in state RUNNING can be paused.`,
    );
  }
  run.moveExecution('PAUSED');
}

export function firstPaused(run: Run): Node | undefined {
  for (const node of run.nodes.values()) if (node.record.state.current === 'PAUSED') return node;
  return undefined;
}
