import { isTerminal, type Label, type StateType } from '@millrace/contract';
import { lazy, type Variables } from '@millrace/expression';
import { isoMicros } from './isoDate.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';
import { plainInputs } from './secretInputs.ts';

type Plain = { [key: string]: unknown };

/**
 * The variables of a task run's expressions. Nothing large is copied: `outputs` is the live tree, the rest is
 * lazy. Every attempt builds one object, so properties are assigned by name: spreads are several times
 * slower.
 */
export function variablesOf(run: Run, node?: Node): Variables {
  const variables = executionVariables(run);
  if (node) addTaskVariables(variables, run, node);
  return variables;
}

function executionVariables(run: Run): Plain {
  const { execution, flow, environment } = run;
  const variables: Plain = { envs: environment.envs ?? {}, globals: environment.globals ?? {} };
  if (environment.product) variables.kestra = environment.product;
  variables.flow = {
    id: flow.id,
    namespace: flow.namespace,
    revision: execution.flowRevision,
    tenantId: execution.tenantId,
  };
  if (execution.variables) variables.vars = execution.variables;
  const inputs = inputVariable(run);
  if (inputs) variables.inputs = inputs;
  variables.execution = {
    id: execution.id,
    state: execution.state.current,
    startDate: isoMicros(execution.state.histories[0]!.date),
    originalId: execution.originalId,
  };
  variables.labels = lazy(() => nestLabels(execution.labels));
  const trigger = execution.trigger?.variables;
  if (trigger) {
    variables.trigger = trigger;
    if ('date' in trigger) variables.schedule = trigger;
  }
  if (run.nodes.size > 0) {
    variables.outputs = run.outputs.tree;
    variables.tasks = lazy(() => taskStates(run));
  }
  return variables;
}

/**
 * The given inputs, and the literal defaults of the others. When a SECRET cannot be decrypted, every
 * expression that reads an input fails instead of using a wrong value; the rest of the execution continues.
 */
function inputVariable(run: Run): unknown {
  let inputs: Plain;
  try {
    inputs = plainInputs(run);
  } catch (error) {
    const fail = () => {
      throw error;
    };
    return lazy(fail);
  }
  for (const input of run.flow.inputs ?? []) {
    if (input.defaults !== undefined && !input.id.includes('.') && !Object.hasOwn(inputs, input.id)) {
      inputs[input.id] = input.defaults;
    }
  }
  return Object.keys(inputs).length === 0 ? undefined : inputs;
}

function addTaskVariables(variables: Plain, run: Run, node: Node): void {
  variables.task = { id: node.task.id, type: node.task.type };
  variables.taskrun = taskRunVariable(node);
  if (node.lane.group.owner) {
    variables.parents = lazy(() => ancestors(run, node).filter((entry) => Object.keys(entry).length > 0));
    variables.parent = lazy(() => ancestors(run, node).find((entry) => Object.keys(entry).length > 0));
    variables.item = lazy(() => loopItem(node));
  }
  const owner = run.index.folderOwner(node.lane);
  if (owner) variables.workerTaskrun = taskRunVariable(owner);
}

export function taskRunVariable({ record }: Node): Plain {
  let attemptsCount = 0;
  for (const { state } of record.attempts) if (isTerminal(state.current)) attemptsCount++;
  const variable: Plain = {
    id: record.id,
    startDate: isoMicros(record.state.histories[0]!.date),
    // The number of ended attempts: 0 while the first one runs.
    attemptsCount,
  };
  if (record.parentId !== undefined) variable.parentId = record.parentId;
  if (record.value !== undefined) variable.value = record.value;
  if (record.iteration !== undefined) variable.iteration = record.iteration;
  return variable;
}

/**
 * Closest first; an ancestor with neither a loop value nor outputs is an empty entry. Tasks in a shared
 * folder have the ancestors of the task that owns the folder.
 */
function ancestors(run: Run, node: Node): Plain[] {
  const list: Plain[] = [];
  const start = run.index.folderOwner(node.lane) ?? node;
  for (let owner = start.lane.group.owner; owner; owner = owner.lane.group.owner) {
    list.push({
      ...(owner.record.value === undefined ? {} : { taskrun: { value: owner.record.value } }),
      ...(owner.record.outputs === undefined ? {} : { outputs: run.outputs.open(owner.record.outputs) }),
    });
  }
  return list;
}

/** The value of the innermost loop around a task run, at any depth; undefined outside of loops. */
function loopItem(node: Node): Plain | undefined {
  for (let at: Node | undefined = node; at; at = at.lane.group.owner) {
    const { value, iteration } = at.record;
    if (value !== undefined) return { value, index: iteration };
  }
  return undefined;
}

function taskStates(run: Run): Plain {
  const states: Plain = Object.create(null) as Plain;
  for (const { record, task } of run.nodes.values()) {
    const state: { state: StateType } = { state: record.state.current };
    if (record.value === undefined) states[task.id] = state;
    else {
      // One object per task: a copy for each iteration would make a long loop quadratic.
      states[task.id] ??= Object.create(null) as Plain;
      (states[task.id] as Plain)[record.value] = state;
    }
  }
  return states;
}

/** `a.b: x` reads as `labels.a.b`; for a duplicate key the first label wins. */
export function nestLabels(labels: readonly Label[]): Plain {
  const nested: Plain = Object.create(null) as Plain;
  for (const { key, value } of labels) {
    const path = key.split('.');
    const last = path.pop()!;
    let at: Plain | undefined = nested;
    for (const part of path) {
      const next: unknown = at[part] ?? (Object.create(null) as Plain);
      if (typeof next !== 'object') {
        at = undefined;
        break;
      }
      at[part] = next;
      at = next as Plain;
    }
    if (at && !(last in at)) at[last] = value;
  }
  return nested;
}
