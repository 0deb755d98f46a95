import { isTerminal, type StateType } from '@millrace/contract';
import type { Calling, Child, ControlContext } from '../control/control.ts';
import type { Event } from './event.ts';
import type { Node } from './node.ts';
import { endOrRetry } from './retry.ts';
import type { Run } from './run.ts';
import { coverLabels } from './secretInputs.ts';

/** One letter per child, so that ten thousand children stay a short text in the row. */
const letters: Readonly<Partial<Record<StateType, string>>> = {
  CREATED: '.',
  SUCCESS: 'S',
  WARNING: 'W',
  FAILED: 'F',
  KILLED: 'K',
  CANCELLED: 'C',
  RETRIED: 'R',
};
/** A child that could not be made or whose answer could not: a failure whatever the author says about failed children. */
const refused = 'X';
const states = new Map(Object.entries(letters).map(([state, letter]) => [letter, state as StateType]));

/**
 * Asks for the child executions. After a restart only for those that failed, when the author wants that. Asking again
 * for the same attempt (after a crash) is harmless: the shell makes each child once.
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

/** Where the children stand: as before when this attempt is under way, else anew, less what a restart keeps. */
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

/** A child was made, refused or has ended. */
export function onChild(
  run: Run,
  node: Node,
  control: Calling,
  context: ControlContext,
  event: ChildEvent,
): boolean {
  if (isTerminal(node.record.state.current) || node.record.state.current !== 'RUNNING') return false;
  if (event.type === 'childCreated') {
    run.log('INFO', `Started the execution ${event.executionId}.`, node);
    run.update(node, {
      outputs: {
        ...node.record.outputs,
        ...childOutputs(
          control,
          context,
          node,
          { executionId: event.executionId, state: 'CREATED' },
          event.index,
        ),
      },
    });
    if (!control.waits(context)) setLetter(run, node, event.index, 'S');
  } else if (event.type === 'childRefused') {
    run.log('ERROR', event.reason, node);
    setLetter(run, node, event.index, refused);
  } else {
    const { executionId, state, outputs, outputsBaseUri } = event;
    if (event.problem !== undefined) run.log('WARN', event.problem, node);
    setLetter(run, node, event.index, event.problem === undefined ? (letters[state] ?? 'S') : refused);
    const child = {
      executionId,
      state,
      ...(outputs ? { outputs } : {}),
      ...(outputsBaseUri === undefined ? {} : { outputsBaseUri }),
    };
    run.update(node, {
      outputs: { ...node.record.outputs, ...childOutputs(control, context, node, child, event.index) },
    });
  }
  settleCall(run, node, control, context);
  return true;
}

function settleCall(run: Run, node: Node, control: Calling, context: ControlContext): void {
  const all = lettersOf(node);
  if (all.includes('.')) return;
  const isMade = !all.includes(refused);
  endCall(run, node, isMade && !control.transmits(context) ? 'SUCCESS' : worst(all));
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
  const all = lettersOf(node);
  run.remember(node, { children: all.slice(0, index) + letter + all.slice(index + 1) });
}

/** All children as far as they are known: how each stands, and of the one that has just been heard of everything. */
function childOutputs(
  control: Calling,
  context: ControlContext,
  node: Node,
  child: Child,
  index: number,
): Readonly<Record<string, unknown>> {
  const children: Child[] = [...lettersOf(node)].map((letter) => ({ state: states.get(letter) ?? 'FAILED' }));
  children[index] = child;
  return control.outputs(context, children);
}
