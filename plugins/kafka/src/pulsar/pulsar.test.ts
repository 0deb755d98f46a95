import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType, storedRows } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPulsarDouble } from '../testing/pulsarDouble.ts';
import { pulsarTypes } from './pulsar.ts';

const authenticationToken = 'a-token';
let pulsar: Awaited<ReturnType<typeof startPulsarDouble>>;
beforeAll(async () => {
  pulsar = await startPulsarDouble(authenticationToken);
});
afterAll(() => pulsar.stop());

const aContext = () => aTaskContext(realNetwork());
const typeOf = (type: string) => pulsarTypes.find((each) => each.type === `pulsar.${type}`);
const place = () => ({ uri: pulsar.uri, authenticationToken });
const run = (type: string, properties: object, context = aContext()) =>
  runType(typeOf(type) as TaskDefinition, { ...place(), ...properties }, context); // a task

test('messages are published with keys and properties, and received by a subscription once', async () => {
  const context = aContext();
  const from = [{ key: 'k', value: { order: 1 }, properties: { region: 'EU' } }, { value: { order: 2 } }];
  expect(await run('Produce', { topic: 'orders', from, serializer: 'JSON' }, context)).toEqual({
    messagesCount: 2,
  });
  const consume = { topic: 'orders', subscriptionName: 's', deserializer: 'JSON', maxRecords: 2 };
  const output = await run('Consume', consume, context);
  expect(output).toMatchObject({ messagesCount: 2 });
  expect(await storedRows(context, output.uri)).toMatchObject([
    { key: 'k', value: { order: 1 }, properties: { region: 'EU' }, topic: 'orders' },
    { value: { order: 2 }, properties: {}, topic: 'orders' },
  ]);
  expect(context.metrics.map(({ name, value }) => [name, value])).toEqual([
    ['reader.records', 2],
    ['records.total', 2],
  ]);
  expect(await run('Consume', { ...consume, pollDuration: 'PT0.1S' }, context)).toMatchObject({
    messagesCount: 0,
  });
  expect(pulsar.requests.at(-1)).toBe(
    '/ws/v2/consumer/persistent/public/default/orders/s?subscriptionType=Exclusive&subscriptionInitialPosition=Earliest&receiverQueueSize=1000',
  );
});

test('a reader takes messages of several topics from a moment on, and stores no position', async () => {
  await run('Produce', { topic: 't/n/a', from: [{ value: 'old', eventTime: 1 }, 'new'] });
  await run('Produce', { topic: 't/n/b', from: ['other'] });
  const context = aContext();
  const read = { topic: ['t/n/a', 't/n/b'], since: 'PT1H', pollDuration: 'PT0.3S' };
  for (let times = 0; times < 2; times++) {
    const { uri } = await run('Reader', read, context);
    const rows = (await storedRows(context, uri)) as { value: unknown }[]; // rows have values
    expect(rows.map(({ value }) => value).sort()).toEqual(['new', 'other']);
  }
});

test('triggers acknowledge after the execution is stored', async () => {
  await run('Produce', { topic: 'live', from: ['a', 'b'] });
  const subscription = { ...place(), topic: 'live', subscriptionName: 'l' };
  const polling = typeOf('Trigger') as TriggerDefinition; // a trigger
  const input = readInput(polling.type, polling.input, { ...subscription, maxRecords: 2 });
  const dying = { ...aContext(), emit: () => Promise.reject(new Error('the server crashed')) };
  await expect(polling.poll?.(dying, input)).rejects.toThrow('the server crashed');
  const next = aContext();
  await polling.poll?.(next, input);
  expect(next.emitted).toMatchObject([{ messagesCount: 2 }]);

  const realtime = typeOf('RealtimeTrigger') as TriggerDefinition; // a trigger
  const listened = readInput(realtime.type, realtime.input, subscription);
  await run('Produce', { topic: 'live', from: ['c'] });
  await expect(
    realtime.listen?.(aContext(), listened, () => Promise.reject(new Error('no database'))),
  ).rejects.toThrow('no database');
  const context = aContext();
  const events: unknown[] = [];
  const listening = realtime.listen?.(context, listened, async ({ value }) => void events.push(value));
  await expect.poll(() => events).toEqual(['c']);
  await expect.poll(() => pulsar.acknowledged.get('persistent/public/default/live/l')?.size).toBe(3);
  context.kill();
  await listening;
});

test('a wrong token, a refused message and settings that the API lacks are named', async () => {
  const consume = { topic: 'orders', subscriptionName: 's' };
  await expect(run('Consume', { ...consume, authenticationToken: 'wrong' })).rejects.toThrow(
    'status 401. The token is missing or wrong.',
  );
  await expect(run('Produce', { topic: 'orders', from: 'too large' })).rejects.toThrow(
    'Message size is bigger',
  );
  await expect(run('Consume', { ...consume, schemaType: 'AVRO' })).rejects.toThrow('has no schemas');
  await expect(run('Consume', { ...consume, topic: 'a/b' })).rejects.toThrow('"topic" must be a name');
  await expect(run('Consume', { ...consume, uri: 'kafka://x' })).rejects.toThrow('"uri" must be an address');
});
