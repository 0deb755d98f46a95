import { isTerminal } from '@millrace/contract';
import type { Container } from '../control/control.ts';
import { emitDirectory, reopenDirectory } from './directory.ts';
import { contextOf, dispatch, guarded } from './dispatch.ts';
import { endNode, hasLostFolder, stateFrom } from './end.ts';
import { continueAfterwards, finishExecution } from './finish.ts';
import { openChildren, runsAfterwards } from './interrupt.ts';
import { isDone, startsMore, takeDue } from './next.ts';
import type { Branch, Group, Node } from './node.ts';
import { repeatLoop } from './repeat.ts';
import type { Run } from './run.ts';

/** Decides every group whose children changed, until no decision is left. */
export function settle(run: Run): void {
  for (;;) {
    if (
      run.state === 'PAUSED' ||
      run.state === 'BREAKPOINT' ||
      run.state === 'QUEUED' ||
      run.state === 'KILLING' ||
      run.state === 'CREATED'
    )
      return;
    const next = run.dirty.values().next();
    if (next.done) return;
    run.dirty.delete(next.value);
    if (next.value.owner) decideTask(run, next.value, next.value.owner);
    else if (isTerminal(run.state)) continueAfterwards(run, (branch) => startDue(run, run.root, branch));
    else decideFlow(run);
  }
}

function decideFlow(run: Run): void {
  if (proceed(run, run.root) === 'finished') finishExecution(run, stateFrom(run.root.lane('tasks')));
}

function decideTask(run: Run, group: Group, owner: Node): void {
  if (owner.record.state.current !== 'RUNNING') return;
  if (isTerminal(run.state) && !runsAfterwards(owner)) {
    // The execution ended while this task ran: it starts nothing more and ends with its last child.
    if (openChildren(owner) === 0) run.move(owner, 'CANCELLED');
    return;
  }
  const control = run.index.controlOf(owner.task);
  if (control?.kind === 'container' && control.sharesDirectory && !isDirectoryReady(run, group, owner))
    return;
  // Task runs that a task reported at run time are its children, but no decision depends on them.
  if (!control || proceed(run, group) !== 'finished') return;
  const state = stateFrom(group.lane('tasks'));
  if (control?.kind === 'container') finishContainer(run, owner, control, state);
  else endNode(run, owner, state);
}

function finishContainer(
  run: Run,
  owner: Node,
  control: Container,
  state: ReturnType<typeof stateFrom>,
): void {
  guarded(run, owner, () => {
    if (control.repeat && (state === 'SUCCESS' || state === 'WARNING') && repeatLoop(run, owner, control))
      return;
    const outputs = control.outputs?.(contextOf(run, owner));
    if (outputs) run.update(owner, { outputs: { ...owner.record.outputs, ...outputs } });
    endNode(run, owner, control.result?.(state) ?? state);
  });
}

/** Starts the due tasks of the active branch; returns when nothing is left to do. */
function proceed(run: Run, group: Group): 'working' | 'finished' {
  for (;;) {
    const branch = activeBranch(group);
    if (branch === 'none') return 'finished';
    if (!startDue(run, group, branch)) return 'working';
    if (activeBranch(group) === branch) return 'finished';
  }
}

/** True when the branch has nothing left. Runs that end at once make the group dirty again. */
function startDue(run: Run, group: Group, branch: Branch): boolean {
  const plan = branch === 'tasks' ? group.plan : group.branches[branch];
  if (!plan) return branch !== 'tasks';
  const lane = group.lane(branch);
  const created = takeDue(lane, plan).map((due) => run.create(lane, due));
  if (created.length > 0) {
    if (run.state === 'RESTARTED') run.moveExecution('RUNNING');
    for (const node of created) dispatch(run, node);
    return false;
  }
  return isDone(lane, plan);
}

/**
 * Which list is running: the tasks; after a failure the errors; at last finally. A failed run that will be tried
 * again is RETRYING, not FAILED, so no error branch starts before the last attempt.
 */
function activeBranch(group: Group): Branch | 'none' {
  const { errors, finally: always } = group.branches;
  if (group.lane('finally').nodes.length > 0) return 'finally';
  const tasks = group.lane('tasks');
  if (tasks.count('FAILED') > 0 || hasLostFolder(tasks) || group.lane('errors').nodes.length > 0) {
    if (errors && !isDone(group.lane('errors'), errors)) return 'errors';
    if (always) return 'finally';
    return errors ? 'errors' : 'none';
  }
  return always && group.plan && isDone(tasks, group.plan) ? 'finally' : 'tasks';
}

/** Opened before the first child, closed (files collected) when no child runs any more, before errors and finally. */
function isDirectoryReady(run: Run, group: Group, owner: Node): boolean {
  const phase = owner.record.memo?.directory;
  const tasks = group.lane('tasks');
  const hasFailed = tasks.count('FAILED') > 0 || hasLostFolder(tasks);
  const isFinished = tasks.open === 0 && (hasFailed || !group.plan || !startsMore(tasks, group.plan));
  if (phase === 'closed') {
    if (isFinished || hasFailed) return true;
    // A user changed the state of a child, so another one is due: it needs a folder.
    reopenDirectory(run, owner);
    return false;
  }
  if (phase !== 'open') return false;
  if (!isFinished) return true;
  run.remember(owner, { directory: 'closing' });
  emitDirectory(run, owner, 'closeDirectory');
  return false;
}
