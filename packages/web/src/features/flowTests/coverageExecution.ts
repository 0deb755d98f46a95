import type { Execution, Flow, StateType, TestedBranch } from '@millrace/contract';

/** How much of a task the tests reach. */
function stateOf(branches: readonly TestedBranch[]): StateType | undefined {
  if (branches.every(({ isCovered }) => !isCovered)) return undefined;
  return branches.every(({ isCovered }) => isCovered) ? 'SUCCESS' : 'WARNING';
}

/**
 * The coverage as an execution, so that the graph paints it: reached tasks are green, those with a branch that no test
 * takes are amber, and tasks that no test reaches are dimmed.
 */
export function coverageExecution(flow: Flow, coverage: readonly TestedBranch[]): Execution {
  const date = new Date(0).toISOString();
  const state = (current: StateType) => ({
    current,
    histories: [{ state: current, date }],
    duration: 'PT0S',
    startDate: date,
    endDate: date,
  });
  const byTask = new Map<string, TestedBranch[]>();
  for (const branch of coverage) byTask.set(branch.taskId, [...(byTask.get(branch.taskId) ?? []), branch]);
  const common = { namespace: flow.namespace, flowId: flow.id };
  return {
    id: 'coverage',
    ...common,
    flowRevision: flow.revision,
    taskRunList: [...byTask].flatMap(([taskId, branches]) => {
      const current = stateOf(branches);
      if (!current) return [];
      return [
        { id: taskId, executionId: 'coverage', ...common, taskId, outputs: null, state: state(current) },
      ];
    }),
    labels: [],
    state: state('SUCCESS'),
    originalId: 'coverage',
    deleted: false,
    metadata: { attemptNumber: 1, originalCreatedDate: date },
  };
}
