import type { Execution } from '@millrace/contract';
import { expect, it } from 'vitest';
import { executionValues } from './executionValues.ts';

const state = { current: 'SUCCESS', startDate: '2026-01-01T00:00:00Z', histories: [], duration: 'PT1S' };
const run = (id: string, taskId: string, more: object) => ({ id, taskId, state, ...more });

it('has the values of an execution where its expressions read them', () => {
  const execution = {
    id: 'e1',
    namespace: 'n',
    flowId: 'f',
    flowRevision: 2,
    state,
    inputs: { city: 'Oslo' },
    labels: [{ key: 'cost.center', value: '7' }],
    trigger: { id: 't', type: 'x', variables: { body: 'b' } },
    taskRunList: [
      run('1', 'plain', { outputs: { value: 1 } }),
      run('2', 'loop', { outputs: {} }),
      run('3', 'branch', { parentTaskRunId: '2', value: 'a', outputs: {} }),
      run('4', 'inner', { parentTaskRunId: '3', outputs: { value: 'in a' } }),
      run('5', 'inner', { parentTaskRunId: '2', value: 'b', outputs: { value: 'in b' } }),
    ],
  } as unknown as Execution; // Only the parts that are read.
  const { id, variables } = executionValues(execution);
  expect(id).toBe('e1');
  expect(variables).toMatchObject({
    inputs: { city: 'Oslo' },
    outputs: { plain: { value: 1 }, inner: { a: { value: 'in a' }, b: { value: 'in b' } } },
    tasks: { plain: { state: 'SUCCESS' } },
    labels: { cost: { center: '7' } },
    trigger: { body: 'b' },
    flow: { id: 'f', namespace: 'n', revision: 2 },
  });
});
