import type { Execution, TaskRun } from '@millrace/contract';
import type { ExecutionValues } from '@millrace/engine/language';

type Values = { [key: string]: unknown };

/** The variables of an execution as its expressions read them, for showing values beside the text. */
export function executionValues(execution: Execution): ExecutionValues {
  const { id, inputs, variables, labels, trigger, state, namespace, flowId, flowRevision } = execution;
  const runs = execution.taskRunList ?? [];
  return {
    id,
    variables: {
      inputs: inputs ?? {},
      vars: variables ?? {},
      outputs: outputTree(runs),
      tasks: Object.fromEntries(runs.map((run) => [run.taskId, { state: run.state.current }])),
      trigger: trigger?.variables,
      labels: labelTree(labels ?? []),
      execution: { id, state: state.current, startDate: state.startDate },
      flow: { id: flowId, namespace, revision: flowRevision },
    },
  };
}

/** By task id, and below it by the values of the loops around the task. */
function outputTree(runs: readonly TaskRun[]): Values {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const tree: Values = {};
  for (const run of runs) {
    if (!run.outputs || Object.keys(run.outputs).length === 0) continue;
    const path = [run.taskId];
    for (let at: TaskRun | undefined = run; at; at = byId.get(at.parentTaskRunId ?? ''))
      if (at.value !== undefined) path.splice(1, 0, at.value);
    setAt(tree, path, run.outputs);
  }
  return tree;
}

function labelTree(labels: readonly { readonly key: string; readonly value: string }[]): Values {
  const tree: Values = {};
  for (const { key, value } of labels) setAt(tree, key.split('.'), value);
  return tree;
}

function setAt(tree: Values, path: readonly string[], value: unknown): void {
  let at = tree;
  for (const key of path.slice(0, -1)) {
    const inner = Object.hasOwn(at, key) ? at[key] : undefined;
    const next: Values = typeof inner === 'object' && inner !== null ? { ...inner } : {};
    Object.defineProperty(at, key, { value: next, enumerable: true, writable: true, configurable: true });
    at = next;
  }
  const last = path.at(-1) ?? '';
  Object.defineProperty(at, last, { value, enumerable: true, writable: true, configurable: true });
}
