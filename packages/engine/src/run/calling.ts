import type { StateType } from '@millrace/contract';
import type { Calling, Child, ControlContext } from '../control/control.ts';
import { tolerated } from './end.ts';
import type { Event } from './event.ts';
import type { Node } from './node.ts';
import { endOrRetry } from './retry.ts';
import type { Run } from './run.ts';
import { coverLabels } from './secretInputs.ts';

/** One character per child, so that ten thousand children need only a short text in the row. */
const letters: Readonly<Partial<Record<StateType, string>>> = {
  CREATED: '.',
  SUCCESS: 'S',
  WARNING: 'W',
  FAILED: 'F',
  KILLED: 'K',
  CANCELLED: 'C',
  RETRIED: 'R',
};
/** The child or its outputs could not be created: a failure even when the task ignores failed children. */
const refused = 'X';
const states = new Map(Object.entries(letters).map(([state, letter]) => [letter, state as StateType]));

/**
 * Requests the child executions; after a restart only the failed ones, when the task says so. Requests are
 * idempotent per attempt, so repeating them after a crash is harmless.
 */
export function startCall(run: Run, node: Node, control: Calling, context: ControlContext): void {
  const requests = control.requests(context);
  const letters = lettersAtStart(run, node, requests.length, control.restarts(context));
  if (requests.length === 0) return endCall(run, node, 'SUCCESS');
  const isRestart = node.record.memo?.restarted === true;
  requests.forEach((request, index) => {
    if (letters[index] !== '.') return;
    const attempt = node.record.attempts.length - 1;
    run.emit({
      effect: 'createChild',
      taskRunId: node.record.id,
      attempt,
      request: { ...request, labels: coverLabels(run, request.labels) },
      index,
      restart: isRestart,
    });
  });
  if (!letters.includes('.')) settleCall(run, node, control, context);
}

/** The states of the children: kept while this attempt runs, otherwise reset, unless a restart keeps them. */
function lettersAtStart(run: Run, node: Node, count: number, keepsEnded: boolean): string {
  const before = lettersOf(node);
  const { restarting, ...memo } = node.record.memo ?? {};
  if (node.record.attempts.at(-1)?.state.current === 'RUNNING' && memo.children !== undefined) return before;
  run.beginAttempt(node);
  const isRestart = restarting === true && keepsEnded && before.length === count;
  const children = isRestart ? before.replace(/[FKX]/g, '.') : '.'.repeat(count);
  run.update(node, { memo: { ...memo, children, restarted: isRestart } });
  return children;
}

type ChildEvent = Extract<Event, { type: 'childCreated' | 'childEnded' | 'childRefused' }>;

/** A child was created, was refused or has ended. */
export function onChild(
  run: Run,
  node: Node,
  control: Calling,
  context: ControlContext,
  event: ChildEvent,
): boolean {
  if (node.record.state.current !== 'RUNNING') return false;
  if (event.type === 'childCreated') {
    run.log('INFO', `Started the execution ${event.executionId}.`, node);
    const child = { executionId: event.executionId, state: 'CREATED' } as const;
    addChildOutputs(run, node, control, context, child, event.index);
    if (!control.waits(context)) setLetter(run, node, event.index, 'S');
  } else if (event.type === 'childRefused') {
    run.log('ERROR', event.reason, node);
    setLetter(run, node, event.index, refused);
  } else addEnd(run, node, control, context, event);
  settleCall(run, node, control, context);
  return true;
}

/** Records the state and the outputs of a child that ended. */
export function addEnd(
  run: Run,
  node: Node,
  control: Calling,
  context: ControlContext,
  event: Extract<Event, { type: 'childEnded' }>,
): void {
  const { executionId, state, outputs, outputsBaseUri } = event;
  if (event.problem !== undefined) run.log('WARN', event.problem, node);
  setLetter(run, node, event.index, event.problem === undefined ? (letters[state] ?? 'S') : refused);
  const child = {
    executionId,
    state,
    ...(outputs ? { outputs } : {}),
    ...(outputsBaseUri === undefined ? {} : { outputsBaseUri }),
  };
  addChildOutputs(run, node, control, context, child, event.index);
}

/**
 * Whether a child of a task run that ended has ended again with a better state, after a user restarted it or changed a
 * state in it.
 */
export function isRepair(
  run: Run,
  node: Node,
  control: Calling,
  context: ControlContext,
  event: Extract<Event, { type: 'childEnded' }>,
): boolean {
  const { state, outputs } = node.record;
  const known = outputs?.executionId;
  const letter = lettersOf(node)[event.index];
  if (state.current !== 'FAILED' && state.current !== 'KILLED' && state.current !== 'WARNING') return false;
  if (letter === undefined || letter === '.' || event.problem !== undefined) return false;
  if (known !== undefined && known !== event.executionId) return false;
  if (run.state === 'RETRIED' || run.state === 'KILLING' || !control.waits(context)) return false;
  const isGood = event.state === 'SUCCESS' || event.state === 'WARNING';
  return isGood && letter !== 'S' && letter !== letters[event.state];
}

/** The new state of a task run whose child was repaired; undefined while other children are still failed. */
export function repairedState(node: Node, control: Calling, context: ControlContext): StateType | undefined {
  const all = lettersOf(node);
  const repaired = tolerated(node.task, resultOf(all, control, context));
  return !all.includes('.') && isBetter(repaired, node.record.state.current) ? repaired : undefined;
}

const isBetter = (state: StateType, before: StateType): boolean =>
  state === 'SUCCESS' || (state === 'WARNING' && before !== 'WARNING');

function settleCall(run: Run, node: Node, control: Calling, context: ControlContext): void {
  const all = lettersOf(node);
  if (!all.includes('.')) endCall(run, node, resultOf(all, control, context));
}

function resultOf(all: string, control: Calling, context: ControlContext): ReturnType<typeof worst> {
  const isMade = !all.includes(refused);
  return isMade && !control.transmits(context) ? 'SUCCESS' : worst(all);
}

function endCall(run: Run, node: Node, state: 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED'): void {
  run.endAttempt(node, state);
  endOrRetry(run, node, state);
}

function worst(all: string): 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED' {
  if (all.includes('F') || all.includes(refused)) return 'FAILED';
  if (all.includes('K')) return 'KILLED';
  return all.includes('W') ? 'WARNING' : 'SUCCESS';
}

const lettersOf = (node: Node): string => String(node.record.memo?.children ?? '');

function setLetter(run: Run, node: Node, index: number, letter: string): void {
  run.remember(node, { children: withLetter(lettersOf(node), index, letter) });
}

const withLetter = (all: string, index: number, letter: string): string =>
  all.slice(0, index) + letter + all.slice(index + 1);

/** Updates the outputs from the states of all children and the result of the child that just reported. */
function addChildOutputs(
  run: Run,
  node: Node,
  control: Calling,
  context: ControlContext,
  child: Child,
  index: number,
): void {
  const children: Child[] = [...lettersOf(node)].map((letter) => ({ state: states.get(letter) ?? 'FAILED' }));
  children[index] = child;
  run.update(node, { outputs: { ...node.record.outputs, ...control.outputs(context, children) } });
}
