import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  type RunningServer,
  realNetwork,
  runType,
  storedRows,
} from '@millrace/plugin-kit/testing';
import { type ChannelModel, type ConfirmChannel, connect } from 'amqplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { amqpFamily } from './index.ts';
import { startRabbitMq } from './testing/rabbitMq.ts';

let server: RunningServer;
let connection: ChannelModel;
let channel: ConfirmChannel;
let place: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  server = await startRabbitMq();
  connection = await connect(`amqp://${server.host}:${server.port}`);
  channel = await connection.createConfirmChannel();
  place = { host: server.host, port: server.port };
}, 200_000);

afterAll(async () => {
  await connection?.close();
  await server?.stop();
}, 30_000);

const aContext = () => aTaskContext(realNetwork());
const typeOf = (type: string) => amqpFamily.types.find((each) => each.type === `amqp.${type}`);
const run = (type: string, properties: object, context = aContext()) =>
  runType(typeOf(type) as TaskDefinition, { ...place, ...properties }, context); // the tests name tasks here
const trigger = (type: string) => typeOf(type) as TriggerDefinition; // and triggers here
const inputOf = (definition: TriggerDefinition, properties: object) =>
  readInput(definition.type, definition.input, { ...place, ...properties });

async function aQueue(name: string): Promise<void> {
  await run('CreateQueue', { name });
}

const waiting = async (queue: string) => (await channel.checkQueue(queue)).messageCount;
const publish = (queue: string, from: unknown, more: object = {}) =>
  run('Publish', { exchange: '', routingKey: queue, from, ...more });

test('messages reach the queues of an exchange with all their properties', async () => {
  expect(await run('DeclareExchange', { name: 'orders', exchangeType: 'TOPIC' })).toEqual({
    exchange: 'orders',
  });
  expect(await run('CreateQueue', { name: 'new', args: { 'x-message-ttl': 600_000 } })).toEqual({
    queue: 'new',
  });
  expect(await run('QueueBind', { exchange: 'orders', queue: 'new', routingKey: 'new.#' })).toEqual({
    queue: 'new',
    exchange: 'orders',
  });
  const message = {
    data: { order: 1 },
    headers: { source: 'shop' },
    contentType: 'application/json',
    contentEncoding: 'utf-8',
    deliveryMode: 2,
    priority: 3,
    messageId: 'm1',
    correlationId: 'c1',
    replyTo: 'replies',
    expiration: 'PT1M',
    timestamp: '2026-01-31T00:00:00Z',
    type: 'order',
    userId: 'guest',
    appId: 'shop',
  };
  const context = aContext();
  const uri = await context.files.put('rows.ion', `${JSON.stringify(message)}\n{"data":2}\n`);
  expect(
    await run('Publish', { exchange: 'orders', routingKey: 'new.a', from: uri, serdeType: 'JSON' }, context),
  ).toEqual({ messagesCount: 2 });
  const output = await run('Consume', { queue: 'new', serdeType: 'JSON', maxRecords: 2 }, context);
  expect(output).toMatchObject({ count: 2 });
  expect(await storedRows(context, output.uri)).toEqual([
    { ...message, expiration: 'PT60S', timestamp: expect.objectContaining({ kind: 'Instant' }) },
    { headers: {}, data: 2 },
  ]);
  expect(context.metrics).toEqual([
    { name: 'published.records', type: 'counter', value: 2 },
    { name: 'consumed.records', type: 'counter', value: 2 },
  ]);
});

test('consuming takes no more than asked for, across several batches', async () => {
  await aQueue('many');
  await publish(
    'many',
    Array.from({ length: 1_203 }, (_, index) => `message ${index}`),
  );
  const context = aContext();
  const output = await run('Consume', { queue: 'many', maxRecords: 1_201 }, context);
  expect(output.count).toBe(1_201);
  expect((await storedRows(context, output.uri)).at(-1)).toEqual({ headers: {}, data: 'message 1200' });
  expect(await waiting('many')).toBe(2);
  expect(await run('Consume', { queue: 'many', maxDuration: 'PT0.5S' })).toMatchObject({ count: 2 });
  const empty = await run('Consume', { queue: 'many', maxDuration: 'PT0.1S' }, context);
  expect(await storedRows(context, empty.uri)).toEqual([]);
});

test('messages that are not stored return to the queue', async () => {
  await aQueue('failing');
  await publish('failing', 'one');
  const context = aContext();
  context.files.put = () => Promise.reject(new Error('disk full'));
  await expect(run('Consume', { queue: 'failing', maxRecords: 1 }, context)).rejects.toThrow('disk full');
  await expect.poll(() => waiting('failing')).toBe(1);
});

test('a poll acknowledges after its execution is stored, and not when that fails', async () => {
  await aQueue('polled');
  await publish('polled', ['one', 'two']);
  const definition = trigger('Trigger');
  const input = inputOf(definition, { queue: 'polled', maxDuration: 'PT0.5S', maxRecords: 2 });
  const failing = { ...aContext(), emit: () => Promise.reject(new Error('no database')) };
  await expect(definition.poll?.(failing, input)).rejects.toThrow('no database');
  await expect.poll(() => waiting('polled')).toBe(2);
  const context = aContext();
  await definition.poll?.(context, input);
  expect(context.emitted).toMatchObject([{ count: 2 }]);
  expect(await storedRows(context, context.emitted[0]?.uri)).toMatchObject([
    { data: 'one' },
    { data: 'two' },
  ]);
  expect(await waiting('polled')).toBe(0);
  await definition.poll?.(context, input);
  expect(context.emitted).toHaveLength(1);
});

test('the realtime trigger acknowledges each message after its execution is stored', async () => {
  await aQueue('live');
  const definition = trigger('RealtimeTrigger');
  const context = aContext();
  const input = inputOf(definition, { queue: 'live', serdeType: 'JSON' });
  await publish('live', { data: { n: 1 }, timestamp: '2026-01-31T00:00:00Z' });
  await publish('live', 'no json');
  await expect(
    definition.listen?.(context, input, () => Promise.reject(new Error('no database'))),
  ).rejects.toThrow('no database');
  await expect.poll(() => waiting('live')).toBe(2);
  const events: object[] = [];
  const listening = definition.listen?.(context, input, async (output) => void events.push(output));
  await expect
    .poll(() => events, { timeout: 30_000 })
    .toEqual([
      { headers: {}, timestamp: '2026-01-31T00:00:00.000Z', data: { n: 1 } },
      { headers: {}, data: 'no json' },
    ]);
  const asked = Date.now();
  context.kill();
  await listening;
  expect(Date.now() - asked).toBeLessThan(2_000);
  expect(await waiting('live')).toBe(0);
});

test('errors name the broker and what was wrong', async () => {
  await expect(run('Publish', { exchange: 'missing', from: 'x' })).rejects.toMatchObject({
    message: expect.stringMatching(/no exchange 'missing'/),
    retry: false,
  });
  await expect(run('Consume', { queue: 'missing', maxRecords: 1 })).rejects.toThrow(/no queue 'missing'/);
  await expect(run('Consume', { queue: 'many' })).rejects.toThrow('"maxRecords" and "maxDuration"');
  const denied = run('Consume', { queue: 'many', maxRecords: 1, username: 'guest', password: 'guess' });
  await expect(denied).rejects.toMatchObject({
    message: expect.stringMatching(/ACCESS.REFUSED/),
    retry: false,
  });
  await expect(run('Consume', { queue: 'many', maxRecords: 1, port: 1 })).rejects.toThrow(/127\.0\.0\.1:1/);
  const fenced = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(run('Consume', { queue: 'many', maxRecords: 1 }, fenced)).rejects.toMatchObject({
    retry: false,
  });
  await aQueue('settings');
  await expect(run('CreateQueue', { name: 'settings', durability: false })).rejects.toThrow(/PRECONDITION/);
});

test('the deprecated url works as well', async () => {
  await aQueue('by_url');
  const url = `amqp://guest:guest@${server.host}:${server.port}/%2F`;
  const output = await runType(
    typeOf('Publish') as TaskDefinition, // as above
    { url, exchange: '', routingKey: 'by_url', from: 'x' },
    aContext(),
  );
  expect(output).toEqual({ messagesCount: 1 });
});

const brokerUrl = () => ({
  connectionFactoryConfig: {
    username: 'guest',
    password: 'guest',
    connectionProperties: { brokerURL: `failover:(amqp://${server.host}:${server.port})` },
  },
});
const jms = (type: string) => amqpFamily.types.find((each) => each.type === `jms.${type}`);
const runJms = (type: string, properties: object, context = aContext()) =>
  runType(jms(type) as TaskDefinition, { ...brokerUrl(), ...properties }, context); // a task, as above

test('JMS: messages are sent and received over AMQP 1.0 with their headers', async () => {
  await aQueue('jms');
  const destination = { destinationName: '/amq/queue/jms' };
  const context = aContext();
  const from = [
    { body: { order: 1 }, headers: { region: 'EU' }, correlationId: 'c1', type: 'order' },
    { body: { order: 2 } },
  ];
  expect(await runJms('Produce', { destination, from, serdeType: 'JSON' }, context)).toEqual({
    messagesCount: 2,
  });
  const output = await runJms(
    'Consume',
    { destination, serdeType: 'JSON', maxMessages: 5, maxWaitTimeout: 1_000 },
    context,
  );
  expect(output).toMatchObject({ count: 2 });
  expect(await storedRows(context, output.uri)).toEqual([
    expect.objectContaining({
      data: { order: 1 },
      headers: { region: 'EU' },
      correlationId: 'c1',
      type: 'order',
      deliveryMode: 2,
      priority: 4,
    }),
    expect.objectContaining({ data: { order: 2 }, headers: {} }),
  ]);
  expect(context.metrics).toEqual([
    { name: 'records', type: 'counter', value: 2 },
    { name: 'messages', type: 'counter', value: 2 },
  ]);
  await expect.poll(() => waiting('jms')).toBe(0);
});

test('JMS: a message whose execution was not stored is delivered again', async () => {
  await aQueue('jms_live');
  const destination = { destinationName: '/amq/queue/jms_live' };
  const definition = jms('RealtimeTrigger') as TriggerDefinition; // a trigger
  const input = readInput(definition.type, definition.input, { ...brokerUrl(), destination });
  await runJms('Produce', { destination, from: ['first', 'second'] });
  const context = aContext();
  await expect(
    definition.listen?.(context, input, () => Promise.reject(new Error('no database'))),
  ).rejects.toThrow('no database');
  await expect.poll(() => waiting('jms_live')).toBe(2);
  const events: unknown[] = [];
  const listening = definition.listen?.(context, input, async ({ data }) => void events.push(data));
  await expect.poll(() => events).toEqual(['first', 'second']);
  await expect.poll(() => waiting('jms_live')).toBe(0);
  context.kill();
  await listening;
});

test('JMS: a wrong password, a missing address and a Java address are named', async () => {
  const destination = { destinationName: '/amq/queue/jms' };
  const consume = (config: object) =>
    runJms('Consume', { destination, maxWaitTimeout: 1, connectionFactoryConfig: config });
  await expect(consume({ connectionFactoryClass: 'com.example.Factory' })).rejects.toThrow(
    'Give the AMQP 1.0 address of the broker',
  );
  await expect(consume({ jndiProviderUrl: 't3://weblogic:7001' })).rejects.toThrow(
    'got "t3://weblogic:7001"',
  );
  const url = `amqp://${server.host}:${server.port}`;
  await expect(
    consume({ username: 'guest', password: 'wrong', connectionProperties: { brokerURL: url } }),
  ).rejects.toThrow(`AMQP 1.0 broker on ${server.host}:${server.port}`);
});
