import { expect, test } from 'vitest';
import { aTaskContext } from './testing/index.ts';
import { openTriggerState, type TriggerStateInput } from './triggerState.ts';

const input: TriggerStateInput = { on: 'CREATE_OR_UPDATE' };
const files = (...versions: readonly [string, string][]) =>
  versions.map(([uri, version]) => ({ uri, version }));

function aTrigger(stored: readonly string[] = ['execution1']) {
  return aTaskContext({ actions: { hasExecution: async (id) => stored.includes(id) } });
}

async function poll(
  context: ReturnType<typeof aTrigger>,
  candidates: ReturnType<typeof files>,
  options: Partial<TriggerStateInput & { limit: number; at: number }> = {},
) {
  const { limit, at = 0, ...rest } = options;
  const state = await openTriggerState(context, { ...input, ...rest }, () => at);
  const changes = state.changes(candidates, limit);
  await state.save();
  return changes.map(({ candidate, changeType }) => `${changeType} ${candidate.uri}`);
}

test('an item fires when it is new and when its version has changed', async () => {
  const context = aTrigger();
  expect(await poll(context, files(['a', '1'], ['b', '1']))).toEqual(['CREATE a', 'CREATE b']);
  expect(await poll(context, files(['a', '1'], ['b', '2']))).toEqual(['UPDATE b']);
  expect(await poll(context, files(['a', '1'], ['b', '2']))).toEqual([]);
});

test('CREATE ignores changes, UPDATE ignores new items but remembers them', async () => {
  const created = aTrigger();
  expect(await poll(created, files(['a', '1']), { on: 'CREATE' })).toEqual(['CREATE a']);
  expect(await poll(created, files(['a', '2']), { on: 'CREATE' })).toEqual([]);
  const updated = aTrigger();
  expect(await poll(updated, files(['a', '1']), { on: 'UPDATE' })).toEqual([]);
  expect(await poll(updated, files(['a', '2']), { on: 'UPDATE' })).toEqual(['UPDATE a']);
});

test('items above the limit fire at the next poll', async () => {
  const context = aTrigger();
  const all = files(['a', '1'], ['b', '1'], ['c', '1']);
  expect(await poll(context, all, { limit: 2 })).toEqual(['CREATE a', 'CREATE b']);
  expect(await poll(context, all, { limit: 2 })).toEqual(['CREATE c']);
});

test('an item whose execution was never stored fires again', async () => {
  const context = aTrigger([]);
  expect(await poll(context, files(['a', '1']))).toEqual(['CREATE a']);
  expect(await poll(context, files(['a', '1']))).toEqual(['CREATE a']);
});

test('an item that was not seen for the time to live is new again', async () => {
  const context = aTrigger();
  await poll(context, files(['a', '1']), { stateTtl: 1_000, at: 0 });
  expect(await poll(context, files(['a', '1']), { stateTtl: 1_000, at: 900 })).toEqual([]);
  expect(await poll(context, files(['a', '1']), { stateTtl: 1_000, at: 1_800 })).toEqual([]);
  expect(await poll(context, [], { stateTtl: 1_000, at: 2_900 })).toEqual([]);
  expect(await poll(context, files(['a', '1']), { stateTtl: 1_000, at: 2_950 })).toEqual(['CREATE a']);
});

test('the state lies in the namespace of the flow, under a separate or a shared key', async () => {
  const context = aTrigger();
  await poll(context, files(['a', '1']));
  await poll(context, files(['a', '1']), { stateKey: 'shared' });
  const keys = (await context.kv.list('company.team')).map(({ key }) => key);
  expect(keys).toEqual(['company.team_a_flow_a_task', 'shared']);
});

test('an unreadable state is logged and starts empty', async () => {
  const context = aTrigger();
  await context.kv.set('shared', 'no list', { namespace: 'company.team', overwrite: true, type: 'STRING' });
  expect(await poll(context, files(['a', '1']), { stateKey: 'shared' })).toEqual(['CREATE a']);
  expect(context.logs[0]).toMatchObject({ level: 'WARN' });
});
