import type { Execution, State, StateType, TaskRun } from '@millrace/contract';

const base = Date.parse('2026-03-01T08:00:00.000Z');

/** A state reached by the given moves, each with its offset in milliseconds from the start of the execution. */
export function aState(...moves: readonly (readonly [StateType, number])[]): State {
  const histories = moves.map(([state, ms]) => ({ state, date: new Date(base + ms).toISOString() }));
  const current = histories.at(-1)!;
  const over = ['SUCCESS', 'FAILED', 'WARNING', 'KILLED', 'RETRIED', 'SKIPPED', 'CANCELLED'].includes(
    current.state,
  );
  return {
    current: current.state,
    histories,
    duration: 'PT0S',
    startDate: histories[0]!.date,
    ...(over && { endDate: current.date }),
  };
}

export const aTaskRun = (given: Partial<TaskRun> & { id: string }): TaskRun => ({
  executionId: 'x1',
  namespace: 'company.team',
  flowId: 'etl',
  taskId: given.id,
  outputs: null,
  state: aState(['CREATED', 0], ['RUNNING', 10], ['SUCCESS', 100]),
  ...given,
});

export const anExecution = (given: Partial<Execution> = {}): Execution => ({
  id: 'x1',
  namespace: 'company.team',
  flowId: 'etl',
  flowRevision: 1,
  labels: [],
  state: aState(['CREATED', 0], ['RUNNING', 5], ['SUCCESS', 1000]),
  originalId: 'x1',
  deleted: false,
  metadata: { attemptNumber: 1, originalCreatedDate: new Date(base).toISOString() },
  ...given,
});

export const atMs = (ms: number): number => base + ms;
