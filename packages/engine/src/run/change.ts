import { AppError, isTerminal, type Label, type StateType, systemLabelPrefix } from '@millrace/contract';
import type { Control } from '../control/control.ts';
import { changeLabels } from './acting.ts';
import { isHeld } from './breakpoint.ts';
import { withoutFailure } from './end.ts';
import { isWithWorker, runsAfterwards } from './interrupt.ts';
import type { Node } from './node.ts';
import { endBelow, reopenAncestors, takeBackAfter } from './reopen.ts';
import { reopenExecution } from './restart.ts';
import type { Run } from './run.ts';
import { startSlas } from './sla.ts';
import { moveAttempt } from './state.ts';
import { continueWaiting } from './waiting.ts';

/** Changes the state of a task run; its ancestors run again, and the execution continues from there. */
export function changeTaskRunState(run: Run, taskRunId: string, state: StateType): void {
  const node = run.nodes.get(taskRunId);
  if (!node)
    throw new AppError(
      'illegal-argument',
      `There is no task run "${taskRunId}" in the execution ${run.execution.id}.`,
    );
  const control = run.index.controlOf(node.task);
  checkMark(run, node, control, state);
  if (isWithWorker(run, node)) run.emit({ effect: 'interrupt', taskRunIds: [taskRunId] });
  if (isTerminal(state)) endBelow(run, node);
  takeBackAfter(run, node);
  if (runsAfterwards(node)) run.reopenAfterwards();
  else if (!waitsElsewhere(run, node)) {
    const hadEnded = isTerminal(run.state);
    reopenExecution(run);
    if (hadEnded) startSlas(run);
  }
  reopenAncestors(run, node);
  const memo = withoutFailure(node.record.memo);
  if (memo !== undefined && memo !== node.record.memo) run.update(node, { memo });
  const attempts = [...node.record.attempts];
  const last = attempts.pop();
  if (last)
    run.update(node, {
      attempts: [...attempts, { ...last, state: moveAttempt(last.state, state, run.now) }],
    });
  if (control?.kind === 'waiting' && node.record.state.current === 'PAUSED' && state === 'RUNNING') {
    continueWaiting(run, node, control, undefined);
  } else run.move(node, state);
  run.wakeAll();
}

/** True when another pause or breakpoint still stops the execution. */
function waitsElsewhere(run: Run, node: Node): boolean {
  return [...run.nodes.values()].some(
    (other) =>
      other !== node &&
      !runsAfterwards(other) &&
      (other.record.state.current === 'PAUSED' || (run.state === 'BREAKPOINT' && isHeld(run, other))),
  );
}

/** Refuses open states, because no worker would run the task; only RUNNING is allowed, to resume a pause. */
function checkMark(run: Run, node: Node, control: Control | undefined, state: StateType): void {
  if (run.state === 'KILLING')
    throw new AppError(
      'illegal-state',
      'The execution is KILLING: its task runs cannot be changed any more.',
    );
  const resumes =
    state === 'RUNNING' && control?.kind === 'waiting' && node.record.state.current === 'PAUSED';
  if (!isTerminal(state) && !resumes) {
    throw new AppError(
      'illegal-argument',
      `A task run that is ${node.record.state.current} cannot be marked as ${state}, only as one of the states that end it.`,
    );
  }
}

/** Only the state of an ended execution changes; nothing runs again. */
export function changeState(run: Run, state: StateType): void {
  if (!isTerminal(run.state) || !isTerminal(state)) {
    throw new AppError(
      'illegal-argument',
      `The state can only be changed from one terminal state to another, not from ${run.state} to ${state}.`,
    );
  }
  run.moveExecution(state);
}

/** Replaces the labels of an ended execution, except those that belong to the product. */
export function setLabels(run: Run, labels: readonly Label[]): void {
  if (!isTerminal(run.state))
    throw new AppError(
      'bad-request',
      `The execution is not terminated: its labels cannot be set while it is ${run.state}.`,
    );
  const own = run.execution.labels.filter((label) => label.key.startsWith(systemLabelPrefix));
  for (const label of labels) {
    if (label.key === '' || label.value === '')
      throw new AppError('illegal-argument', 'Empty key or value is not allowed in labels');
    if (
      label.key.startsWith(systemLabelPrefix) &&
      !own.some((known) => known.key === label.key && known.value === label.value)
    ) {
      throw new AppError(
        'illegal-argument',
        `The label "${label.key}" is reserved: keys starting with "${systemLabelPrefix}" cannot be set.`,
      );
    }
  }
  changeLabels(run, [...own, ...labels.filter((label) => !label.key.startsWith(systemLabelPrefix))]);
}
