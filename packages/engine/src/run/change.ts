import { AppError, isTerminal, type Label, type StateType, systemLabelPrefix } from '@millrace/contract';
import type { Control } from '../control/control.ts';
import { isWithWorker } from './interrupt.ts';
import { recountAll } from './load.ts';
import type { Node } from './node.ts';
import { reopen } from './restart.ts';
import type { Run } from './run.ts';
import { moveAttempt } from './state.ts';
import { continueWaiting } from './waiting.ts';

/** "Mark as": the run takes the state, what stands above it works again, and the engine simply goes on. */
export function changeTaskRunState(run: Run, taskRunId: string, state: StateType): void {
  const node = run.nodes.get(taskRunId);
  if (!node)
    throw new AppError(
      'illegal-argument',
      `There is no task run "${taskRunId}" in the execution ${run.execution.id}.`,
    );
  const control = run.index.controlOf(node.task);
  checkMark(run, node, control, state);
  const otherPaused = [...run.nodes.values()].some(
    (other) => other !== node && other.record.state.current === 'PAUSED',
  );
  if (isWithWorker(run, node)) run.emit({ effect: 'interrupt', taskRunIds: [taskRunId] });
  if (!otherPaused) reopen(run);
  reopenAncestors(run, node);
  const attempts = [...node.record.attempts];
  const last = attempts.pop();
  if (last)
    run.update(node, {
      attempts: [...attempts, { ...last, state: moveAttempt(last.state, state, run.now) }],
    });
  if (control?.kind === 'waiting' && node.record.state.current === 'PAUSED' && state === 'RUNNING') {
    continueWaiting(run, node, control, undefined);
  } else run.move(node, state);
  recountAll(node.lane.group);
  run.dirty.add(node.lane.group);
}

/** Nobody would work on a run that is only marked as being at work; a pause alone can be let go on that way. */
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

function reopenAncestors(run: Run, node: Node): void {
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    run.move(owner, 'RUNNING');
    recountAll(owner.lane.group);
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
  run.updateExecution({
    labels: [...own, ...labels.filter((label) => !label.key.startsWith(systemLabelPrefix))],
  });
}
