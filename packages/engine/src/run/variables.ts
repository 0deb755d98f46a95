import { isTerminal, type Label, type StateType } from '@millrace/contract';
import { lazy, type Variables } from '../expression/index.ts';
import { folderOwner } from './directory.ts';
import type { Node } from './node.ts';
import type { Run } from './run.ts';
import { plainInputs } from './secretInputs.ts';

type Plain = { [key: string]: unknown };

/** What expressions of a task run see. Nothing large is copied: `outputs` is the live tree, the rest is lazy. */
export function variablesOf(run: Run, node?: Node): Variables {
  return node ? { ...executionVariables(run), ...taskVariables(run, node) } : executionVariables(run);
}

function executionVariables(run: Run): Plain {
  const { execution, flow, environment } = run;
  const trigger = execution.trigger?.variables;
  return {
    envs: environment.envs ?? {},
    globals: environment.globals ?? {},
    ...(environment.product ? { kestra: environment.product } : {}),
    flow: {
      id: flow.id,
      namespace: flow.namespace,
      revision: execution.flowRevision,
      tenantId: execution.tenantId,
    },
    ...(execution.variables ? { vars: execution.variables } : {}),
    ...inputVariable(run),
    execution: {
      id: execution.id,
      state: execution.state.current,
      startDate: isoMicros(execution.state.histories[0]!.date),
      originalId: execution.originalId,
    },
    labels: lazy(() => nestLabels(execution.labels)),
    ...(trigger ? { trigger } : {}),
    ...(trigger && 'date' in trigger ? { schedule: trigger } : {}),
    ...(run.nodes.size > 0 ? { outputs: run.outputs.tree, tasks: lazy(() => taskStates(run)) } : {}),
  };
}

/**
 * Inputs as given, and the plain defaults of those that were not. When a SECRET cannot be opened, whatever asks for an
 * input fails, rather than goes on with something that it is not; the rest of the execution carries on.
 */
function inputVariable(run: Run): Plain {
  let inputs: Plain;
  try {
    inputs = plainInputs(run);
  } catch (error) {
    const fail = () => {
      throw error;
    };
    return { inputs: lazy(fail) };
  }
  for (const input of run.flow.inputs ?? []) {
    if (input.defaults !== undefined && !input.id.includes('.') && !Object.hasOwn(inputs, input.id)) {
      inputs[input.id] = input.defaults;
    }
  }
  return Object.keys(inputs).length === 0 ? {} : { inputs };
}

function taskVariables(run: Run, node: Node): Plain {
  const parents = lazy(() => ancestors(run, node).filter((entry) => Object.keys(entry).length > 0));
  return {
    task: { id: node.task.id, type: node.task.type },
    taskrun: taskRunVariable(node),
    ...(node.lane.group.owner
      ? { parents, parent: lazy(() => ancestors(run, node).find((e) => Object.keys(e).length > 0)) }
      : {}),
    ...workerTaskRun(run, node),
  };
}

export function taskRunVariable({ record }: Node): Plain {
  return {
    id: record.id,
    startDate: isoMicros(record.state.histories[0]!.date),
    // Attempts that are over: none while the first one runs.
    attemptsCount: record.attempts.filter(({ state }) => isTerminal(state.current)).length,
    ...(record.parentId === undefined ? {} : { parentId: record.parentId }),
    ...(record.value === undefined ? {} : { value: record.value }),
    ...(record.iteration === undefined ? {} : { iteration: record.iteration }),
  };
}

/**
 * Closest first; an ancestor with neither a loop value nor outputs has nothing to say. Tasks in a shared folder stand
 * where the task of that folder stands.
 */
function ancestors(run: Run, node: Node): Plain[] {
  const list: Plain[] = [];
  const start = folderOwner(run, node.lane) ?? node;
  for (let owner = start.lane.group.owner; owner; owner = owner.lane.group.owner) {
    list.push({
      ...(owner.record.value === undefined ? {} : { taskrun: { value: owner.record.value } }),
      ...(owner.record.outputs === undefined ? {} : { outputs: run.outputs.open(owner.record.outputs) }),
    });
  }
  return list;
}

function workerTaskRun(run: Run, node: Node): Plain {
  const owner = folderOwner(run, node.lane);
  return owner ? { workerTaskrun: taskRunVariable(owner) } : {};
}

function taskStates(run: Run): Plain {
  const states: Plain = Object.create(null) as Plain;
  for (const { record, task } of run.nodes.values()) {
    const state: { state: StateType } = { state: record.state.current };
    states[task.id] =
      record.value === undefined ? state : { ...(states[task.id] as Plain), [record.value]: state };
  }
  return states;
}

/** `a.b: x` reads as `labels.a.b`; of two labels with one key the first counts. */
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

const isoMicros = (at: number): string => new Date(at).toISOString().replace('Z', '000Z');
