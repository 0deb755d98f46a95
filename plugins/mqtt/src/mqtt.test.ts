import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  type RunningServer,
  realNetwork,
  runType,
  startRealServer,
  storedRows,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mqttFamily } from './index.ts';

let broker: RunningServer;
let place: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  broker = await startRealServer({
    program: '/usr/sbin/mosquitto',
    args: ({ folder }) => ['-c', join(folder, 'mosquitto.conf')],
    prepare: async ({ folder, host, port }) => {
      const passwords = join(folder, 'passwords');
      await promisify(execFile)('mosquitto_passwd', ['-b', '-c', passwords, 'flow', 'pass word']);
      const settings = [
        `listener ${port} ${host}`,
        'allow_anonymous false',
        `password_file ${passwords}`,
        'persistence false',
        ...(process.getuid?.() === 0 ? ['user root'] : []),
      ];
      await writeFile(join(folder, 'mosquitto.conf'), `${settings.join('\n')}\n`);
    },
  });
  place = { server: `tcp://${broker.host}:${broker.port}`, username: 'flow', password: 'pass word' };
}, 60_000);

afterAll(() => broker?.stop());

const aContext = () => aTaskContext(realNetwork());
const typeOf = (type: string) => mqttFamily.types.find((each) => each.type === `mqtt.${type}`);
const run = (type: string, properties: object, context = aContext()) =>
  runType(typeOf(type) as TaskDefinition, { ...place, clientId: type, ...properties }, context); // a task's name
const trigger = (type: string) => typeOf(type) as TriggerDefinition; // a trigger's name
const inputOf = (definition: TriggerDefinition, properties: object) =>
  readInput(definition.type, definition.input, { ...place, ...properties });
const publish = (topic: string, from: unknown, more: object = {}) =>
  run('Publish', { topic, from, serdeType: 'JSON', ...more });

test('retained messages are received as text, JSON and bytes, with MQTT 3 and 5', async () => {
  const context = aContext();
  expect(await publish('kept/json', { n: 1 }, { retain: true })).toEqual({ messagesCount: 1 });
  await publish('kept/text', 'hello', { retain: true, serdeType: 'STRING', mqttVersion: 'V3' });
  const more = { responseTopic: 'replies', correlationData: 'c1', qos: 2 };
  await publish('kept/reply', [{ n: 2 }], { retain: true, ...more });
  const receive = async (topic: unknown, properties: object) => {
    const output = await run('Subscribe', { topic, maxDuration: 'PT5S', ...properties }, context);
    return storedRows(context, output.uri);
  };
  expect(await receive(['kept/json', 'kept/reply'], { maxRecords: 2, qos: 2 })).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ topic: 'kept/json', payload: { n: 1 }, retain: true, qos: 1 }),
      expect.objectContaining({
        topic: 'kept/reply',
        payload: { n: 2 },
        responseTopic: 'replies',
        correlationData: 'c1',
      }),
    ]),
  );
  expect(
    await receive('kept/text', { maxRecords: 1, serdeType: 'BYTES', mqttVersion: 'V3', qos: 0 }),
  ).toMatchObject([{ topic: 'kept/text', payload: Buffer.from('hello'), qos: 0 }]);
  expect(context.metrics.map(({ name }) => name)).toContain('duration');
});

test('polls get what arrived between them, and acknowledge after their execution is stored', async () => {
  const definition = trigger('Trigger');
  const input = inputOf(definition, {
    clientId: 'poller',
    topic: 'polled/#',
    maxRecords: 30,
    maxDuration: 'PT2S',
  });
  const context = aContext();
  // The first poll makes the session that keeps messages from now on.
  await definition.poll?.(
    context,
    inputOf(definition, { clientId: 'poller', topic: 'polled/#', maxDuration: 'PT0.1S' }),
  );
  expect(context.emitted).toEqual([]);
  await publish(
    'polled/a',
    Array.from({ length: 30 }, (_, n) => ({ n })),
  );
  const failing = { ...aContext(), emit: () => Promise.reject(new Error('no database')) };
  await expect(definition.poll?.(failing, input)).rejects.toThrow('no database');
  await definition.poll?.(context, input);
  expect(context.emitted).toMatchObject([{ messagesCount: 30 }]);
  const rows = await storedRows(context, context.emitted[0]?.uri);
  expect(rows.map((row) => (row as { payload: { n: number } }).payload.n)).toEqual(
    Array.from({ length: 30 }, (_, n) => n),
  );
  await definition.poll?.(
    context,
    inputOf(definition, { clientId: 'poller', topic: 'polled/#', maxDuration: 'PT0.3S' }),
  );
  expect(context.emitted).toHaveLength(1);
});

test('the realtime trigger gets a message again unless its execution was stored', async () => {
  const definition = trigger('RealtimeTrigger');
  const input = inputOf(definition, { clientId: 'live', topic: 'live/+', serdeType: 'JSON' });
  const context = aContext();
  const events: unknown[] = [];
  const listening = definition.listen?.(context, input, async ({ payload }) => {
    events.push(payload);
    if (events.length === 2) throw new Error('no database');
  });
  const failed = expect(listening).rejects.toThrow('no database');
  await expect.poll(() => broker.output(), { timeout: 30_000 }).toContain('as live');
  await publish('live/a', ['one', 'two', 'three']);
  await failed;
  const again = aContext();
  const relistening = definition.listen?.(again, input, async ({ payload }) => void events.push(payload));
  await expect.poll(() => events, { timeout: 30_000 }).toEqual(['one', 'two', 'two', 'three']);
  const asked = Date.now();
  again.kill();
  await relistening;
  expect(Date.now() - asked).toBeLessThan(2_000);
});

test('a file of received rows is published again', async () => {
  const context = aContext();
  const uri = await context.files.put('rows.ion', '{"topic":"a","qos":1,"payload":{"n":1}}\n{"n":2}\n');
  await publish('copy', [], {});
  expect(
    await run('Publish', { topic: 'copy', from: uri, serdeType: 'JSON', retain: true }, context),
  ).toEqual({
    messagesCount: 2,
  });
  const output = await run('Subscribe', { topic: 'copy', maxRecords: 1 }, context);
  expect(await storedRows(context, output.uri)).toMatchObject([{ payload: { n: 2 } }]);
});

test('errors name the broker and respect the outbound policy', async () => {
  await expect(publish('a', 'x', { password: 'guess' })).rejects.toMatchObject({
    message: expect.stringMatching(/not authorized/i),
    retry: false,
  });
  await expect(publish('a', 'x', { server: 'tcp://127.0.0.1:1' })).rejects.toThrow(/127\.0\.0\.1:1/);
  await expect(publish('a', 'x', { server: 'broker' })).rejects.toThrow('tcp://host:1883');
  await expect(run('Subscribe', { topic: 'a' })).rejects.toThrow('"maxRecords" and "maxDuration"');
  const fenced = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(run('Publish', { topic: 'a', from: 'x', serdeType: 'STRING' }, fenced)).rejects.toMatchObject({
    retry: false,
  });
});
