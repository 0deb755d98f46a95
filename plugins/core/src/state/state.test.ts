import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { stateDelete } from './delete.ts';
import { stateGet } from './get.ts';
import { stateSet } from './set.ts';

test('a state is merged, read and deleted', async () => {
  const context = aTaskContext({ variables: { n: 2 } });
  expect(await runType(stateSet, { data: { a: 1, list: [1], map: { x: 1 } } }, context)).toEqual({
    count: 3,
    key: 'a_flow_states_tasks-states_default',
  });
  await runType(stateSet, { data: { a: '{{ n }}', list: [2], map: { y: 2 } } }, context);
  expect(await runType(stateGet, {}, context)).toEqual({
    count: 3,
    key: 'a_flow_states_tasks-states_default',
    data: { a: '2', list: [1, 2], map: { x: 1, y: 2 } },
  });
  expect(await runType(stateDelete, {}, context)).toEqual({ deleted: true });
  expect(await runType(stateGet, {}, context)).toMatchObject({ count: 0, data: {} });
  expect(await runType(stateDelete, {}, context)).toEqual({ deleted: false });
});

test('a missing state is an error only when asked for', async () => {
  await expect(runType(stateGet, { errorOnMissing: true })).rejects.toThrow('There is no state "default".');
  await expect(runType(stateDelete, { errorOnMissing: true })).rejects.toThrow(
    'There is no state "default".',
  );
});

test('a state of the namespace has no flow in its key, one in a loop has its value', async () => {
  const context = aTaskContext();
  const inLoop = { ...context, run: { ...context.run, value: 'Oslo' } };
  expect(await runType(stateSet, { namespace: true, name: 'x' }, context)).toMatchObject({
    key: 'states_tasks-states_x',
  });
  expect((await runType(stateSet, {}, inLoop)).key).toMatch(
    /^a_flow_states_tasks-states_default_[0-9a-f]{16}$/,
  );
  expect(await runType(stateSet, { taskrunValue: false }, inLoop)).toMatchObject({
    key: 'a_flow_states_tasks-states_default',
  });
});
