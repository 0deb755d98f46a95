import { readInput, readTypedRows, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { amqpFamily } from './index.ts';
import { startSolaceDouble } from './testing/solaceDouble.ts';

let broker: Awaited<ReturnType<typeof startSolaceDouble>>;
beforeAll(async () => {
  broker = await startSolaceDouble();
});
afterAll(() => broker.stop());

const aContext = () => aTaskContext(realNetwork());
const typeOf = (type: string) => amqpFamily.types.find((each) => each.type === `solace.${type}`);
const run = (type: string, properties: object, context = aContext()) =>
  runType(typeOf(type) as TaskDefinition, { ...broker.connection, ...properties }, context); // a task
const queue = { queueName: 'orders', queueType: 'DURABLE_EXCLUSIVE', maxMessages: 2 };
const topicDestination = 'shop/orders';

test('messages of a topic arrive in its queue, and are acknowledged after the file is stored', async () => {
  const context = aContext();
  const from = [{ payload: { order: 1 }, properties: { region: 'EU' } }, { order: 2 }];
  const sent = await run('Produce', { topicDestination, from, messageSerializer: 'JSON' }, context);
  expect(sent).toEqual({ messagesCount: 2 });
  expect(broker.users).toContain('ada@shop');
  const output = await run('Consume', { ...queue, messageDeserializer: 'JSON' }, context);
  const rows: unknown[] = [];
  for await (const row of readTypedRows(context, String(output.uri))) rows.push(row);
  expect(rows).toMatchObject([
    { payload: { order: 1 }, properties: { region: 'EU' } },
    { payload: { order: 2 }, properties: {} },
  ]);
  expect(context.metrics).toEqual([{ name: 'messages', type: 'counter', value: 2 }]);
});

test('the trigger receives messages again whose execution was not stored', async () => {
  const trigger = typeOf('Trigger') as TriggerDefinition; // a trigger
  const input = readInput(trigger.type, trigger.input, { ...broker.connection, ...queue });
  await run('Produce', { topicDestination, from: ['a', 'b'] });
  const dying = { ...aContext(), emit: () => Promise.reject(new Error('the server crashed')) };
  await expect(trigger.poll?.(dying, input)).rejects.toThrow('the server crashed');
  await expect.poll(() => broker.waiting.length).toBe(2);
  const context = aContext();
  await trigger.poll?.(context, input);
  expect(context.emitted).toMatchObject([{ messagesCount: 2 }]);
  await expect.poll(() => broker.waiting.length).toBe(0);
});

test('a wrong password, an unknown topic, an address and a temporary queue are refused with a reason', async () => {
  await expect(run('Consume', { ...queue, password: 'wrong' })).rejects.toThrow(
    'AMQP 1.0 broker on 127.0.0.1',
  );
  await expect(run('Produce', { topicDestination: 'other', from: 'x' })).rejects.toThrow('Unknown topic');
  await expect(run('Consume', { ...queue, host: 'http://x' })).rejects.toThrow('"host" must be an address');
  await expect(run('Consume', { ...queue, queueType: 'NON_DURABLE_EXCLUSIVE' })).rejects.toThrow(
    'ends with its connection',
  );
});
