import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  type RunningServer,
  realNetwork,
  runType,
  startRealServer,
  storedRows,
} from '@millrace/plugin-kit/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { natsFamily } from './index.ts';

let server: RunningServer;
let nats: NatsConnection;
let place: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  server = await startRealServer({
    program: 'nats-server',
    args: ({ host, port, folder }) => [
      ...['-a', host, '-p', String(port), '-js', '-sd', folder, '--user', 'flow', '--pass', 'pass word'],
    ],
  });
  const { host, port } = server;
  nats = await connect({ servers: `${host}:${port}`, user: 'flow', pass: 'pass word' });
  place = { url: `nats://${host}:${port}`, username: 'flow', password: 'pass word' };
}, 60_000);

afterAll(async () => {
  await nats?.close();
  await server?.stop();
});

const aContext = () => aTaskContext(realNetwork());
const typeOf = (type: string) => natsFamily.types.find((each) => each.type === `nats.${type}`);
const task = (type: string) => typeOf(type) as TaskDefinition; // the tests name tasks here
const trigger = (type: string) => typeOf(type) as TriggerDefinition; // and triggers here
const run = (type: string, properties: object, context = aContext()) =>
  runType(task(type), { ...place, ...properties }, context);
const inputOf = (definition: TriggerDefinition, properties: object) =>
  readInput(definition.type, definition.input, { ...place, ...properties });

async function addStream(name: string): Promise<void> {
  const manager = await jetstreamManager(nats);
  await manager.streams.add({ name, subjects: [`${name}.>`] });
}

const pendingOf = async (stream: string, durable: string) => {
  const info = await (await jetstreamManager(nats)).consumers.info(stream, durable);
  return { pending: info.num_pending, unacknowledged: info.num_ack_pending };
};

describe('messages', () => {
  test('are sent from a map, a list and a file, and received as rows', async () => {
    await addStream('sent');
    const context = aContext();
    expect(
      await run(
        'core.Produce',
        { subject: 'sent.a', from: { headers: { kind: ['x', 'y'] }, data: 'one' } },
        context,
      ),
    ).toEqual({ messagesCount: 1 });
    const uri = await context.files.put('rows.ion', '{"data":"two"}\n{"subject":"sent.b","data":{"n":3}}\n');
    expect(await run('core.Produce', { subject: 'sent.a', from: uri }, context)).toEqual({
      messagesCount: 2,
    });
    expect(context.metrics).toContainEqual({ name: 'records', type: 'counter', value: 2 });
    await run('core.Produce', { subject: 'sent.c', from: ['four'] }, context);
    const output = await run(
      'core.Consume',
      { subject: 'sent.>', durableId: 'reader', pollDuration: 'PT1S' },
      context,
    );
    expect(output).toMatchObject({ messagesCount: 4 });
    expect(await storedRows(context, output.uri)).toMatchObject([
      { subject: 'sent.a', headers: { kind: ['x', 'y'] }, data: 'one', timestamp: { kind: 'Instant' } },
      { subject: 'sent.a', headers: {}, data: 'two' },
      { subject: 'sent.b', data: '{"n":3}' },
      { subject: 'sent.c', data: 'four' },
    ]);
    expect(await pendingOf('sent', 'reader')).toEqual({ pending: 0, unacknowledged: 0 });
    const again = await run(
      'core.Consume',
      { subject: 'sent.>', durableId: 'reader', pollDuration: 'PT1S' },
      context,
    );
    expect(again.messagesCount).toBe(0);
    expect(await storedRows(context, again.uri)).toEqual([]);
  });

  test('stop at maxRecords, start where `since` and the policy say', async () => {
    await addStream('limits');
    await run('core.Produce', { subject: 'limits.a', from: Array.from({ length: 25 }, (_, i) => `m${i}`) });
    const first = { subject: 'limits.a', durableId: 'some', maxRecords: 12 };
    expect((await run('core.Consume', first)).messagesCount).toBe(12);
    expect(await pendingOf('limits', 'some')).toEqual({ pending: 13, unacknowledged: 0 });
    const later = {
      subject: 'limits.a',
      deliverPolicy: 'ByStartSequence',
      since: '21',
      pollDuration: 'PT1S',
    };
    expect((await run('core.Consume', later)).messagesCount).toBe(5);
    const manager = await jetstreamManager(nats);
    await run('core.Produce', { subject: 'limits.a', from: 'last' });
    const since = (await manager.streams.getMessage('limits', { seq: 26 }))?.time.toISOString();
    const dated = { subject: 'limits.a', since, pollDuration: 'PT1S' };
    expect((await run('core.Consume', dated)).messagesCount).toBe(1);
    await expect(run('core.Consume', { ...later, since: 'soon' })).rejects.toThrow('must be a sequence');
  });

  test('that are not stored are not acknowledged', async () => {
    await addStream('failing');
    await run('core.Produce', { subject: 'failing.a', from: 'one' });
    const context = aContext();
    context.files.put = () => Promise.reject(new Error('disk full'));
    const properties = { subject: 'failing.a', durableId: 'd', maxRecords: 1 };
    await expect(run('core.Consume', properties, context)).rejects.toThrow('disk full');
    expect(await pendingOf('failing', 'd')).toEqual({ pending: 0, unacknowledged: 1 });
  });

  test('are requests that a service replies to', async () => {
    nats.subscribe('greet', { callback: (_, message) => void message.respond(`hello ${message.string()}`) });
    await nats.flush();
    expect(await run('core.Request', { subject: 'greet', from: 'world' })).toEqual({
      response: 'hello world',
    });
    await expect(run('core.Request', { subject: 'nothing', from: 'x' })).rejects.toThrow(/no responders/i);
  });
});

describe('triggers', () => {
  test('a poll acknowledges after its execution is stored, and not when that fails', async () => {
    await addStream('polled');
    await run('core.Produce', { subject: 'polled.a', from: ['one', 'two'] });
    const definition = trigger('core.Trigger');
    const input = inputOf(definition, { subject: 'polled.a', durableId: 'd', maxRecords: 2 });
    const failing = { ...aContext(), emit: () => Promise.reject(new Error('no database')) };
    const manager = await jetstreamManager(nats);
    await manager.consumers.add('polled', {
      durable_name: 'd',
      ack_policy: 'explicit',
      ack_wait: 200_000_000,
    });
    await expect(definition.poll?.(failing, input)).rejects.toThrow('no database');
    expect(await pendingOf('polled', 'd')).toMatchObject({ unacknowledged: 2 });
    const context = aContext();
    await definition.poll?.(context, input);
    expect(context.emitted).toMatchObject([{ messagesCount: 2 }]);
    expect(await storedRows(context, context.emitted[0]?.uri)).toMatchObject([
      { data: 'one' },
      { data: 'two' },
    ]);
    expect(await pendingOf('polled', 'd')).toEqual({ pending: 0, unacknowledged: 0 });
    await definition.poll?.(context, { ...input, pollDuration: 100 });
    expect(context.emitted).toHaveLength(1);
  });

  test('the realtime trigger starts one execution per message and stops on request', async () => {
    await addStream('live');
    const definition = trigger('core.RealtimeTrigger');
    const context = aContext();
    const events: object[] = [];
    const listening = definition.listen?.(
      context,
      inputOf(definition, { subject: 'live.>', durableId: 'd' }),
      async (output, options) => void events.push({ ...output, ...options }),
    );
    await run('core.Produce', { subject: 'live.a', from: [{ data: 'one', headers: { n: '1' } }, 'two'] });
    await expect
      .poll(() => events, { timeout: 30_000 })
      .toMatchObject([
        { subject: 'live.a', data: 'one', headers: { n: ['1'] }, timestamp: expect.stringMatching(/Z$/) },
        { data: 'two', key: expect.stringMatching(/^live\/d\/.*\/2$/) },
      ]);
    await expect.poll(() => pendingOf('live', 'd')).toEqual({ pending: 0, unacknowledged: 0 });
    const asked = Date.now();
    context.kill();
    await listening;
    expect(Date.now() - asked).toBeLessThan(2_000);
  });
});

test('buckets keep values with their revisions', async () => {
  const settings = { name: 'settings', description: 'Settings of the shop', historyPerKey: 3 };
  expect(await run('kv.CreateBucket', settings)).toMatchObject({
    description: 'Settings of the shop',
    bucket: 'settings',
    history: 3,
    entryCount: 0,
  });
  const put = (values: object) => run('kv.Put', { bucketName: 'settings', values });
  expect(await put({ color: 'blue', limits: { rows: 1 } })).toEqual({ revisions: { color: 1, limits: 2 } });
  await put({ color: 'red' });
  const get = (more: object) => run('kv.Get', { bucketName: 'settings', ...more });
  expect(await get({ keys: ['color', 'limits', 'none'] })).toEqual({
    output: { color: 'red', limits: { rows: 1 } },
  });
  expect(await get({ keys: ['color'], keyRevisions: { color: 1 } })).toEqual({ output: { color: 'blue' } });
  expect(await run('kv.Delete', { bucketName: 'settings', keys: ['color', 'none'] })).toEqual({
    deletedCount: 1,
  });
  expect(await get({ keys: ['color'] })).toEqual({ output: {} });
  await expect(run('kv.Get', { bucketName: 'other', keys: ['a'] })).rejects.toThrow('no bucket "other"');
});

test('errors name the server, hide the password, and respect the outbound policy', async () => {
  const context = aContext();
  const wrong = run('core.Produce', { subject: 'a', from: 'x', password: 'guess' }, context);
  await expect(wrong).rejects.toMatchObject({ message: expect.stringMatching(/auth/i), retry: false });
  await expect(run('core.Produce', { subject: 'a', from: 'x', url: 'nats://127.0.0.1:1' })).rejects.toThrow(
    /127\.0\.0\.1:1/,
  );
  const fenced = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(run('core.Produce', { subject: 'a', from: 'x' }, fenced)).rejects.toMatchObject({
    retry: false,
  });
  await expect(run('core.Consume', { subject: 'nowhere', maxRecords: 1 })).rejects.toThrow(
    'No stream covers the subject "nowhere"',
  );
});
