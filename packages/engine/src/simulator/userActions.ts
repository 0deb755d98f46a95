import { type Flow, isTerminal, type StateType, type TaskRunRecord } from '@millrace/contract';
import type { Event } from '../run/event.ts';
import { indexOf } from '../run/flowIndex.ts';
import { fork } from '../run/fork.ts';
import { replay } from '../run/replay.ts';
import { restartAs } from '../run/restartAs.ts';
import type { Snapshot } from './invariants.ts';
import type { Simulated } from './simulated.ts';

const ends: readonly StateType[] = ['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'CANCELLED', 'SKIPPED'];
const running = ['mark', 'pause', 'resume', 'kill', 'forceRun', 'unqueue', 'breakpoint', 'labels'] as const;
const ended = ['restart', 'restart', 'restart', 'mark', 'mark', 'changeState', 'labels'] as const;
const anytime = ['restart', 'replay', 'replayFromTask', 'replayFromTask', 'restartAs', 'fork'] as const;

/** A user does something, possible or not: an action that the engine refuses must change nothing. */
export function randomAction(simulation: Simulated): void {
  const { random, live } = simulation;
  const own = isTerminal(live.execution.state.current) ? ended : running;
  const action = random.chance(0.15) ? random.pick(anytime) : random.pick<string>(own);
  if (action === 'replay' || action === 'replayFromTask' || action === 'restartAs' || action === 'fork')
    return startAnother(simulation, action);
  const event = eventOf(action, simulation);
  if (event) simulation.deliver(event);
}

function eventOf(action: string, { random, live }: Simulated): Event | undefined {
  const taskRun = live.taskRuns().length === 0 ? undefined : random.pick(live.taskRuns());
  switch (action) {
    case 'mark':
      return (
        taskRun && {
          type: 'changeTaskRunState',
          taskRunId: taskRun.id,
          state: mark(taskRun, random.pick(ends)),
        }
      );
    case 'changeState':
      return { type: 'changeState', state: random.pick(ends) };
    case 'labels':
      return { type: 'setLabels', labels: [{ key: 'team', value: 'red' }] };
    case 'kill':
      return { type: 'kill', cascade: random.chance(0.5) };
    case 'breakpoint':
      return { type: 'resumeFromBreakpoint' };
    case 'unqueue':
      return { type: 'unqueue', state: random.pick(['RUNNING', 'CANCELLED', 'FAILED'] as const) };
    case 'forceRun':
      return { type: 'forceRun' };
    case 'pause':
      return { type: 'pause' };
    case 'resume':
      return { type: 'resume' };
    default:
      return { type: 'restart' };
  }
}

const mark = ({ state }: TaskRunRecord, end: StateType): StateType =>
  state.current === 'PAUSED' && end === 'SKIPPED' ? 'RUNNING' : end;

type NewExecution = 'replay' | 'replayFromTask' | 'restartAs' | 'fork';

function startAnother(simulation: Simulated, action: NewExecution): void {
  const { flow, random, environment, now } = simulation;
  const source = simulation.snapshot();
  if (action === 'restartAs') {
    simulation.adopt((id) => restartAs(flow, source, { id, now }, environment));
    return;
  }
  const taskRun = source.taskRuns.length === 0 ? undefined : random.pick(source.taskRuns);
  if (action === 'fork') {
    const outputs = random.chance(0.8) ? { outputs: { value: 'edited' } } : {};
    const wanted = { now, taskRunId: taskRun?.id ?? '', ...outputs };
    simulation.adopt((id) => fork(flow, source, { id, ...wanted }, environment));
    return;
  }
  const from = action === 'replayFromTask' && taskRun ? { taskRunId: taskRun.id } : {};
  simulation.adopt((id) => replay(flow, source, { id, now, ...from }, environment));
}

const actions: ReadonlySet<Event['type']> = new Set([
  'restart',
  'changeTaskRunState',
  'changeState',
  'kill',
  'pause',
  'resume',
  'resumeFromBreakpoint',
  'unqueue',
  'forceRun',
  'setLabels',
]);

export const isUserAction = ({ type }: Event): boolean => actions.has(type);

/** Events that may reopen or remove a task run that had ended. */
export function isAllowedToReopen(
  event: Event,
  before: Snapshot,
  after: Snapshot,
  flow: Flow,
): string | undefined {
  const runs = new Map(after.taskRuns.map((run) => [run.id, run]));
  const ids = new Map(before.taskRuns.map((run) => [run.id, run]));
  for (const run of before.taskRuns) {
    if (!isTerminal(run.state.current)) continue;
    const now = runs.get(run.id);
    const isUnchanged = now?.state === run.state;
    if (isUnchanged || isAction(event)) continue;
    const isInRepeat = ancestorsOf(run, ids).some((owner) => repeats(owner, event, flow));
    if (now === undefined && isInRepeat) continue;
    return `the finished task run ${run.taskId} ${now ? 'changed' : 'is gone'}`;
  }
  return event.type === 'restart' ? lostByRestart(before, runs, ids, flow) : undefined;
}

/** A restart of an execution that ended with a failed attempt in its main list is never refused, allowed failures included. */
export function refusedRepair(event: Event, before: Snapshot, flow: Flow): string | undefined {
  if (event.type !== 'restart' || !isTerminal(before.execution.state.current)) return undefined;
  const index = indexOf(flow);
  const ids = new Map(before.taskRuns.map((run) => [run.id, run]));
  const failed = before.taskRuns.find(
    (run) =>
      run.attempts.at(-1)?.state.current === 'FAILED' &&
      ['FAILED', 'WARNING', 'SUCCESS'].includes(run.state.current) &&
      [run, ...ancestorsOf(run, ids)].every((one) => index.branchOf(one.taskId) === 'tasks'),
  );
  return failed && `a restart was refused although ${failed.taskId} failed`;
}

/** A repaired child lets its parent continue, as a user who marks the task run does. */
const isAction = ({ type }: Event): boolean =>
  type === 'restart' || type === 'changeTaskRunState' || type === 'childEnded';

function repeats(owner: TaskRunRecord, event: Event, flow: Flow): boolean {
  const type = indexOf(flow).task(owner.taskId)?.type;
  if (event.type === 'woken') return type === 'core.flow.LoopUntil';
  return event.type === 'directoryLost' && type === 'core.flow.WorkingDirectory';
}

/** A restart keeps successful task runs, except in errors and the like and below a run that starts again. */
function lostByRestart(
  before: Snapshot,
  after: ReadonlyMap<string, TaskRunRecord>,
  known: ReadonlyMap<string, TaskRunRecord>,
  flow: Flow,
): string | undefined {
  const index = indexOf(flow);
  for (const run of before.taskRuns) {
    if (run.state.current !== 'SUCCESS' && run.state.current !== 'WARNING' && run.state.current !== 'SKIPPED')
      continue;
    const owners = ancestorsOf(run, known);
    const isAccompanying = [run, ...owners].some((one) => index.branchOf(one.taskId) !== 'tasks');
    const startsAgain = owners.some((owner) => startsOver(owner, after));
    if (!after.has(run.id) && !startsAgain && !isAccompanying)
      return `a restart removed the finished task run ${run.taskId}`;
  }
  return undefined;
}

const startsOver = ({ id }: TaskRunRecord, after: ReadonlyMap<string, TaskRunRecord>): boolean =>
  after.get(id)?.state.histories.some((entry) => entry.state === 'RESTARTED') ?? true;

function ancestorsOf(run: TaskRunRecord, known: ReadonlyMap<string, TaskRunRecord>): TaskRunRecord[] {
  const owners: TaskRunRecord[] = [];
  for (let id = run.parentId; id !== undefined; ) {
    const owner = known.get(id);
    if (!owner) break;
    owners.push(owner);
    id = owner.parentId;
  }
  return owners;
}
