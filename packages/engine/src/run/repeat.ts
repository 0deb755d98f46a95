import { isTerminal, type StateRecord } from '@millrace/contract';
import type { Container } from '../control/control.ts';
import { contextOf } from './dispatch.ts';
import { endNode } from './end.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';

const iterationOf = (node: Node): number =>
  typeof node.record.outputs?.iterationCount === 'number' ? node.record.outputs.iterationCount : 1;

/** Decides whether a loop repeats. True when the loop waits for its next iteration or has ended. */
export function repeatLoop(run: Run, node: Node, control: Container): boolean {
  if (typeof node.record.memo?.wakeAt === 'number') return true;
  const decision = control.repeat!(contextOf(run, node), iterationOf(node));
  if (decision.again) {
    run.remember(node, { wakeAt: decision.at });
    run.emit({ effect: 'wake', wake: { reason: 'loop', taskRunId: node.record.id, at: decision.at } });
    return true;
  }
  if (decision.log) run.log('WARN', decision.log, node);
  if (decision.count !== undefined)
    run.update(node, { outputs: { ...node.record.outputs, iterationCount: decision.count } });
  if (decision.state === undefined) return false;
  endNode(run, node, decision.state);
  return true;
}

/** Starts the next iteration: removes the children of the last one and increments the count. */
export function startIteration(run: Run, node: Node): void {
  const group = node.group;
  if (!group) return;
  run.removeAll(group);
  const { wakeAt: _, ...memo } = node.record.memo ?? {};
  run.update(node, {
    memo,
    iteration: (node.record.iteration ?? 1) + 1,
    outputs: { ...node.record.outputs, iterationCount: iterationOf(node) + 1 },
    state: { current: 'RUNNING', histories: withoutIterations(node.record.state.histories, run.now) },
  });
  run.dirty.add(group);
}

/** Keeps only the date of the last iteration, because there may be very many; the entry of a restart stays. */
function withoutIterations(histories: StateRecord['histories'], now: number): StateRecord['histories'] {
  const before = histories.at(-2)?.state;
  if (before === undefined || isTerminal(before)) return histories;
  return [...histories.slice(0, -1), { state: 'RUNNING', date: now }];
}
