import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { readInput } from '@millrace/plugin-kit';
import {
  aSilentServer,
  aTaskContext,
  type RunningServer,
  realNetwork,
  realProcesses,
  runType,
  startRealServer,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { redisFamily } from './index.ts';

const password = 'correct-password';
let server: RunningServer;
let redis: Redis;
let url: string;
beforeAll(async () => {
  server = await startRealServer({
    program: 'redis-server',
    args: ({ port, folder }) => [
      '--port',
      String(port),
      '--dir',
      folder,
      '--save',
      '',
      '--requirepass',
      password,
    ],
  });
  url = `redis://:${password}@${server.host}:${server.port}/2`;
  redis = new Redis(url);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const aContext = () => aTaskContext({ ...realNetwork(), spawn: realProcesses });
const find = (name: string) => redisFamily.types.find(({ type }) => type === `redis.${name}`);
// `as`: the names in these tests are those of tasks or triggers.
const run = (name: string, properties: object, context: TestContext = aContext()) =>
  runType(find(name) as TaskDefinition, { url, ...properties }, context);

test('values are set, read, incremented and deleted', async () => {
  expect(await run('string.Get', { key: 'none' })).toEqual({ data: null, key: 'none' });
  await expect(run('string.Get', { key: 'none', failedOnMissing: true })).rejects.toThrow('no key "none"');
  await run('string.Set', { key: 'a', value: 'text' });
  expect(await run('string.Set', { key: 'a', value: 'newer', get: true })).toEqual({ oldValue: 'text' });
  await run('string.Set', { key: 'map', value: { a: [1] }, serdeType: 'JSON' });
  expect((await run('string.Get', { key: 'map', serdeType: 'JSON' })).data).toEqual({ a: [1] });
  expect((await run('string.Increment', { key: 'n' })).value).toBe(1);
  expect((await run('string.Increment', { key: 'n', amount: 2.5 })).value).toBe(3.5);
  const context = aContext();
  expect(await run('string.Delete', { keys: ['a', 'map', 'none'] }, context)).toEqual({ count: 2 });
  expect(context.metrics).toEqual([{ name: 'deleted.records.count', type: 'counter', value: 2 }]);
  await expect(run('string.Delete', { keys: ['none'], failedOnMissing: true })).rejects.toThrow(
    'Only 0 of 1',
  );
});

test('options say when a value is set and when it expires', async () => {
  await run('string.Set', { key: 'o', value: '1', options: { expirationDuration: 'PT100S' } });
  expect((await run('string.Ttl', { key: 'o' })).ttl).toBeGreaterThan(90);
  await run('string.Set', { key: 'o', value: '2', options: { keepTtl: true, mustExist: true } });
  expect((await run('string.Ttl', { key: 'o' })).ttl).toBeGreaterThan(90);
  await run('string.Set', { key: 'o', value: '3', options: { mustNotExist: true } });
  expect(await redis.get('o')).toBe('2');
  await run('string.Set', { key: 'o', value: '4' });
  expect((await run('string.Ttl', { key: 'o' })).ttl).toBe(-1);
  expect((await run('string.Ttl', { key: 'none' })).ttl).toBe(-2);
});

test('lists take values of a list, of JSON and of a file, and give them back as rows', async () => {
  const context = aContext();
  const rows = Array.from({ length: 1_200 }, (_, index) => `{"id":${index}}\n`).join('');
  const from = await context.files.put('rows.ion', rows);
  expect(await run('list.ListPush', { key: 'l', from, serdeType: 'JSON' }, context)).toEqual({
    count: 1_200,
  });
  expect(await run('list.ListPush', { key: 'l', from: '["x","y"]' }, context)).toEqual({ count: 2 });
  await expect(run('list.ListPop', { key: 'l' }, context)).rejects.toThrow('One of "maxRecords"');
  const first = await run('list.ListPop', { key: 'l', maxRecords: 2 }, context);
  expect(await context.files.text(String(first.uri))).toBe('"y"\n"x"\n');
  const rest = await run('list.ListPop', { key: 'l', maxDuration: 'PT10S', serdeType: 'JSON' }, context);
  expect(rest.count).toBe(1_200);
  expect((await context.files.text(String(rest.uri))).split('\n')[0]).toBe('{"id":1199}');
  expect(await run('list.ListPop', { key: 'l', maxRecords: 1 }, context)).toEqual({ count: 0 });
});

test('the trigger starts for what is in the list, and not for an empty one', async () => {
  const trigger = find('list.Trigger') as TriggerDefinition;
  const context = aContext();
  const poll = () =>
    trigger.poll?.(context, readInput(trigger.type, trigger.input, { url, key: 't', maxRecords: 10 }));
  await poll();
  await redis.rpush('t', 'a', 'b');
  await poll();
  await poll();
  expect(context.emitted).toMatchObject([{ count: 2 }]);
});

test('a list trigger whose server crashes before the execution is stored delivers the values again, in order', async () => {
  const trigger = find('list.Trigger') as TriggerDefinition;
  const input = readInput(trigger.type, trigger.input, { url, key: 'd', maxRecords: 3, count: 2 });
  await redis.rpush('d', 'a', 'b', 'c', 'd');
  const dying = { ...aContext(), emit: () => Promise.reject(new Error('the server crashed')) };
  await expect(trigger.poll?.(dying, input)).rejects.toThrow('the server crashed');
  expect(await redis.lrange('d', 0, -1)).toEqual(['d']);
  const next = aContext();
  await redis.rpush('d', 'e');
  await trigger.poll?.(next, input);
  await trigger.poll?.(next, input);
  const texts = await Promise.all(next.emitted.map(({ uri }) => next.files.text(String(uri))));
  expect(texts).toEqual(['"a"\n"b"\n"c"\n', '"d"\n"e"\n']);
  expect(await redis.keys('*processing*')).toEqual([]);
});

test('a value that is not JSON does not block a list trigger', async () => {
  const trigger = find('list.Trigger') as TriggerDefinition;
  const context = aContext();
  await redis.rpush('j', 'no json', '{"a":1}');
  await trigger.poll?.(
    context,
    readInput(trigger.type, trigger.input, { url, key: 'j', maxRecords: 5, serdeType: 'JSON' }),
  );
  expect(await context.files.text(String(context.emitted[0]?.uri))).toBe('"no json"\n{"a":1}\n');
});

test('the realtime trigger starts for each value, keeps one that was not stored, and stops on request', async () => {
  const trigger = find('list.RealtimeTrigger') as TriggerDefinition;
  const input = readInput(trigger.type, trigger.input, { url, key: 'r' });
  const broken = aContext();
  await redis.rpush('r', 'first', 'second');
  await expect(
    trigger.listen?.(broken, input, () => Promise.reject(new Error('not stored'))),
  ).rejects.toThrow('not stored');
  const context = aContext();
  const events: unknown[] = [];
  const listening = trigger.listen?.(context, input, async ({ value }) => void events.push(value));
  await expect.poll(() => events).toEqual(['first', 'second']);
  await expect.poll(() => redis.keys('*processing*')).toEqual([]);
  context.kill();
  await listening;
});

test('a stream takes entries and gives those that the group has not read back as rows', async () => {
  const context = aContext();
  const from = [{ id: 1, tags: ['a'] }, 'plain'];
  const added = await run('stream.Add', { key: 's', from, serdeType: 'JSON', maxLength: 1_000 });
  expect(added).toEqual({ count: 2, lastId: expect.stringMatching(/^\d+-\d+$/) });
  const read = (more: object) => run('stream.Read', { key: 's', serdeType: 'JSON', ...more }, context);
  const first = await read({ maxRecords: 1 });
  expect(await context.files.text(String(first.uri))).toMatch(
    /^\{"id":"\d+-\d+","fields":\{"id":1,"tags":\["a"\]\}\}\n$/,
  );
  const rest = await read({});
  expect(await context.files.text(String(rest.uri))).toContain('"fields":{"value":"plain"}');
  expect(await read({})).toEqual({ count: 0 });
  expect(await read({ group: 'other' })).toMatchObject({ count: 2 });
  expect(await read({ group: 'late', startId: '$' })).toEqual({ count: 0 });
});

test('a stream trigger whose server crashes before the execution is stored delivers the entries again', async () => {
  const trigger = find('stream.Trigger') as TriggerDefinition;
  const input = readInput(trigger.type, trigger.input, { url, key: 'st', maxRecords: 3 });
  await run('stream.Add', { key: 'st', from: ['a', 'b', 'c', 'd'] });
  const dying = { ...aContext(), emit: () => Promise.reject(new Error('the server crashed')) };
  await expect(trigger.poll?.(dying, input)).rejects.toThrow('the server crashed');
  const next = aContext();
  for (let poll = 0; poll < 3; poll++) await trigger.poll?.(next, input);
  const texts = await Promise.all(next.emitted.map(({ uri }) => next.files.text(String(uri))));
  expect(texts.map((rows) => rows.match(/(?<="value":")./g)?.join(''))).toEqual(['abc', 'd']);
  expect(await redis.xpending('st', 'millrace')).toEqual([0, null, null, null]);
});

test('the realtime trigger of a stream starts for each entry, skips a removed one, and stops on request', async () => {
  const trigger = find('stream.RealtimeTrigger') as TriggerDefinition;
  const input = readInput(trigger.type, trigger.input, { url, key: 'sr' });
  await run('stream.Add', { key: 'sr', from: ['first', 'second', 'third'] });
  const seen: string[] = [];
  await expect(
    trigger.listen?.(aContext(), input, async ({ id }) => {
      seen.push(String(id));
      if (seen.length === 2) throw new Error('not stored');
    }),
  ).rejects.toThrow('not stored');
  await redis.xdel('sr', seen[1] ?? '');
  const context = aContext();
  const events: unknown[] = [];
  const listening = trigger.listen?.(context, input, async ({ fields }) => void events.push(fields));
  await expect.poll(() => events).toEqual([{ value: 'third' }]);
  await redis.xadd('sr', '*', 'value', 'fourth');
  await expect.poll(() => events).toEqual([{ value: 'third' }, { value: 'fourth' }]);
  await expect.poll(() => redis.xpending('sr', 'millrace')).toEqual([0, null, null, null]);
  context.kill();
  await listening;
});

test('messages reach the subscribers of a channel', async () => {
  const subscriber = redis.duplicate();
  const received: string[] = [];
  subscriber.on('message', (_, message) => received.push(message));
  await subscriber.subscribe('news');
  expect(await run('pubsub.Publish', { channel: 'news', from: ['a', 'b'] })).toEqual({ count: 2 });
  await expect.poll(() => received).toEqual(['a', 'b']);
  subscriber.disconnect();
});

test('redis-cli runs commands, and a wrong one fails', async () => {
  const context = aContext();
  const connection = { host: server.host, port: server.port, password, database: 2 };
  const cli = find('cli.RedisCLI') as TaskDefinition;
  const outputs = await runType(cli, { ...connection, commands: ['SET cli "a b"', 'GET cli'] }, context);
  expect(outputs.exitCode).toBe(0);
  expect(context.logs.map(({ message }) => message)).toContain('a b');
  await expect(runType(cli, { ...connection, commands: ['NOPE'] }, aContext())).rejects.toThrow(
    'exit code 1',
  );
});

test('types for modules that the server does not have say so', async () => {
  await expect(run('json.Get', { key: 'a' })).rejects.toThrow(/unknown command.*JSON\.GET/i);
  await expect(run('vector.Add', { key: 'a', element: 'x', vector: [1] })).rejects.toThrow(
    /unknown command/i,
  );
});

test('a wrong password, a wrong host, a wrong address and a refused one are named', async () => {
  const get = (other: string, context = aContext()) => run('string.Get', { url: other, key: 'a' }, context);
  await expect(get(url.replace(password, 'nope'))).rejects.toThrow(/WRONGPASS|invalid/i);
  await expect(get(url.replace(`:${password}@`, ''))).rejects.toThrow('NOAUTH');
  await expect(get('redis://no-such-host.invalid:6379')).rejects.toThrow('no-such-host.invalid');
  await expect(get('http://x')).rejects.toThrow('"url" must be an address');
  const closed = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(get(url, closed)).rejects.toThrow('not allowed by the outbound policy');
});

test('a killed task ends within two seconds', async () => {
  const silent = await aSilentServer();
  const context = aContext();
  const running = run('string.Get', { url: `redis://127.0.0.1:${silent.port}`, key: 'a' }, context);
  await silent.expectKilled(context, running);
});
