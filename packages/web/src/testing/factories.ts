import type { Execution, Flow, State, StateType, TaskRun } from '@millrace/contract';

export const aState = (current: StateType, changes: Partial<State> = {}): State => ({
  current,
  startDate: '2026-03-01T02:00:00Z',
  endDate: '2026-03-01T02:00:12Z',
  duration: 'PT12S',
  histories: [
    { state: 'CREATED', date: '2026-03-01T02:00:00Z' },
    { state: current, date: '2026-03-01T02:00:12Z' },
  ],
  ...changes,
});

export const aFlow = (changes: Partial<Flow> = {}): Flow => ({
  id: 'nightly',
  namespace: 'shop.orders',
  revision: 1,
  tasks: [{ id: 'load', type: 'core.log.Log' }],
  disabled: false,
  deleted: false,
  ...changes,
});

export const aFlowWithSource = (changes: Partial<Flow> = {}) => {
  const flow = aFlow(changes);
  return { ...flow, source: `id: ${flow.id}\nnamespace: ${flow.namespace}\ntasks: []\n` };
};

export const aTaskRun = (changes: Partial<TaskRun> = {}): TaskRun => ({
  id: 'run1',
  executionId: 'exec1',
  namespace: 'shop.orders',
  flowId: 'nightly',
  taskId: 'load',
  outputs: {},
  state: aState('SUCCESS'),
  ...changes,
});

export const anExecution = ({
  state = 'SUCCESS',
  ...changes
}: Partial<Omit<Execution, 'state'>> & { state?: StateType } = {}): Execution => ({
  id: 'exec1',
  namespace: 'shop.orders',
  flowId: 'nightly',
  flowRevision: 1,
  taskRunList: [],
  labels: [],
  originalId: 'exec1',
  deleted: false,
  metadata: { attemptNumber: 1, originalCreatedDate: '2026-03-01T02:00:00Z' },
  ...changes,
  state: aState(state),
});
