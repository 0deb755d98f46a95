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
      changeLabels(run, mergeLabels(run.execution.labels, coverLabels(run, wanted.labels)));
      break;
    case 'setVariables':
      changeVariables(run, mergeDeep(run.execution.variables ?? {}, wanted.variables, wanted.overwrite));
      break;
    case 'unsetVariables':
      changeVariables(run, without(run.execution.variables ?? {}, wanted.names, wanted.ignoreMissing));
      break;
    case 'exit':
      run.endAttempt(node, wanted.state);
      exit(run, node, wanted.state);
      return;
  }
  run.endAttempt(node, 'SUCCESS');
  run.move(node, 'SUCCESS');
}

/** Ends the task run, its ancestors and the execution. Running tasks finish, unless the state is KILLED. */
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

/** The record keeps both values of a variable up to this size, so that an earlier moment can be shown. */
const maxRecordedLength = 4_096;

function changeVariables(run: Run, variables: Values): void {
  const before = run.execution.variables ?? {};
  const names = Object.keys({ ...before, ...variables }).filter((name) => before[name] !== variables[name]);
  const note = { type: 'variables', before: pick(before, names), after: pick(variables, names) } as const;
  if (names.length > 0 && JSON.stringify(note).length <= maxRecordedLength) run.note(note);
  run.updateExecution({ variables });
}

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));

/** Replaces the labels, and records the difference. */
export function changeLabels(run: Run, labels: readonly Label[]): void {
  const before = run.execution.labels;
  const added = labels.filter((label) => !has(before, label));
  const removed = before.filter((label) => !has(labels, label));
  if (added.length > 0 || removed.length > 0) run.note({ type: 'labels', added, removed });
  run.updateExecution({ labels });
}

const has = (labels: readonly Label[], { key, value }: Label): boolean =>
  labels.some((label) => label.key === key && label.value === value);

/** The last value of a key wins; keys stay in the order of their first occurrence. */
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
