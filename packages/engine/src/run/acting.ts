import { isTerminal, type Label, type StateType } from '@millrace/contract';
import type { Acting, ControlContext, Values } from '../control/control.ts';
import { abandonWaiting, interruptAll } from './interrupt.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';
import { coverLabels } from './secretInputs.ts';

/** Tasks that change the execution itself: decided, attempted and ended in one step. */
export function act(run: Run, node: Node, control: Acting, context: ControlContext): void {
  const wanted = control.act(context);
  run.move(node, 'RUNNING');
  run.beginAttempt(node);
  switch (wanted.act) {
    case 'label':
      run.updateExecution({ labels: mergeLabels(run.execution.labels, coverLabels(run, wanted.labels)) });
      break;
    case 'setVariables':
      run.updateExecution({
        variables: mergeDeep(run.execution.variables ?? {}, wanted.variables, wanted.overwrite),
      });
      break;
    case 'unsetVariables':
      run.updateExecution({
        variables: without(run.execution.variables ?? {}, wanted.names, wanted.ignoreMissing),
      });
      break;
    case 'exit':
      run.endAttempt(node, wanted.state);
      exit(run, node, wanted.state);
      return;
  }
  run.endAttempt(node, 'SUCCESS');
  run.move(node, 'SUCCESS');
}

/** Ends the task run, everything above it and the execution. What already runs is left to finish, unless killed. */
export function exit(run: Run, node: Node, state: StateType): void {
  run.move(node, state);
  for (let owner = node.lane.group.owner; owner; owner = owner.lane.group.owner) {
    if (!isTerminal(owner.record.state.current)) run.move(owner, state);
  }
  if (run.state === 'RESTARTED' || run.state === 'PAUSED' || run.state === 'RETRYING')
    run.moveExecution('RUNNING');
  if (state === 'KILLED') interruptAll(run);
  run.moveExecution(state);
  abandonWaiting(run);
  run.dirty.add(run.root);
}

/** Later keys win over earlier ones with the same name; the order of first appearance is kept. */
export function mergeLabels(existing: readonly Label[], added: readonly Label[]): readonly Label[] {
  const merged = new Map(existing.map((label) => [label.key, label.value]));
  for (const { key, value } of added) merged.set(key, value);
  return [...merged].map(([key, value]) => ({ key, value }));
}

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mergeDeep(existing: Values, added: Values, overwrite: boolean): Values {
  const merged: Record<string, unknown> = { ...existing };
  for (const [key, value] of Object.entries(added)) {
    const present = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (isMap(present) && isMap(value)) merged[key] = mergeDeep(present, value, overwrite);
    else if (present !== undefined && !overwrite) {
      throw new Error(`The variable "${key}" exists already and overwrite is false.`);
    } else merged[key] = value;
  }
  return merged;
}

function without(existing: Values, names: readonly string[], ignoreMissing: boolean): Values {
  const left: Record<string, unknown> = { ...existing };
  for (const name of names) {
    if (!ignoreMissing && !Object.hasOwn(left, name))
      throw new Error(`There is no variable "${name}" to remove.`);
    delete left[name];
  }
  return left;
}
