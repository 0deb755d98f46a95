import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  type RunningServer,
  realNetwork,
  runType,
  storedRows,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kafkaFamily } from './index.ts';
import { startKafka } from './testing/startKafka.ts';

/** The class path of Apache Kafka. */
const jars = process.env.MILLRACE_TEST_KAFKA;

describe.skipIf(jars === undefined)('Apache Kafka', { timeout: 300_000 }, () => {
  let server: RunningServer;
  let properties: Readonly<Record<string, string>>;

  beforeAll(async () => {
    server = await startKafka(jars ?? '');
    properties = { 'bootstrap.servers': `${server.host}:${server.port}`, 'auto.offset.reset': 'earliest' };
  }, 240_000);
  afterAll(() => server?.stop(), 60_000);

  const aContext = () => aTaskContext(realNetwork());
  const typeOf = (type: string) => kafkaFamily.types.find((each) => each.type === `kafka.${type}`);
  const run = (type: string, input: object, context = aContext()) =>
    runType(typeOf(type) as TaskDefinition, { properties, ...input }, context); // the name of a task
  const consume = async (input: object) => {
    const context = aContext();
    const output = await run('Consume', { pollDuration: 'PT2S', ...input }, context);
    return { count: output.messagesCount, rows: await storedRows(context, output.uri) };
  };
  const inputOf = (definition: TriggerDefinition, input: object) =>
    readInput(definition.type, definition.input, { properties, ...input });

  test('messages are produced in a transaction and consumed once per group', async () => {
    const messages = [
      { key: 'a', value: { n: 1 }, headers: { source: 'shop' }, timestamp: '2026-01-31T00:00:00Z' },
      { key: 'b', value: { n: 2 } },
    ];
    expect(await run('Produce', { topic: 'orders', valueSerializer: 'JSON', from: messages })).toEqual({
      messagesCount: 2,
    });
    const reader = { topic: 'orders', valueDeserializer: 'JSON', groupId: 'readers' };
    const first = await consume(reader);
    expect(first.rows).toMatchObject([
      { key: 'a', value: { n: 1 }, headers: [{ source: 'shop' }], topic: 'orders', partition: 0, offset: 0 },
      { key: 'b', value: { n: 2 }, headers: [] },
    ]);
    expect((await consume(reader)).count).toBe(0);
    expect((await consume({ topic: 'orders' })).count).toBe(2);
    expect((await consume({ topicPattern: 'ord.*', headerFilters: { source: 'shop' } })).count).toBe(1);
    expect((await consume({ topic: 'orders', since: '2026-02-01T00:00:00Z' })).count).toBe(1);
  });

  test('compressed messages are produced and read', async () => {
    for (const type of ['gzip', 'zstd']) {
      const compressed = { ...properties, 'compression.type': type };
      const from = Array.from({ length: 100 }, (_, n) => ({ value: `message ${n}` }));
      await run('Produce', { properties: compressed, topic: `with_${type}`, from });
      expect((await consume({ topic: `with_${type}` })).count).toBe(100);
    }
  });

  test('messages that cannot be read are skipped, stored or sent to another topic', async () => {
    await run('Produce', { topic: 'broken', from: [{ value: 'no json' }, { value: '{"n":1}' }] });
    const broken = { topic: 'broken', valueDeserializer: 'JSON' };
    await expect(consume(broken)).rejects.toThrow('cannot be read as JSON');
    expect((await consume({ ...broken, onSerdeError: { type: 'SKIPPED' } })).rows).toMatchObject([
      { value: { n: 1 } },
    ]);
    expect((await consume({ ...broken, onSerdeError: { type: 'STORE' } })).count).toBe(2);
    await consume({ ...broken, onSerdeError: { type: 'DLQ', topic: 'dead' } });
    expect((await consume({ topic: 'dead' })).rows).toMatchObject([{ value: 'no json' }]);
  });

  test('a poll commits after its execution is stored, and a group that starts at the end misses nothing', async () => {
    const definition = typeOf('Trigger') as TriggerDefinition; // the name of a trigger
    await run('Produce', { topic: 'polled', from: { value: 'before' } });
    const latest = { ...properties, 'auto.offset.reset': 'latest' };
    const input = inputOf(definition, {
      properties: latest,
      topic: 'polled',
      groupId: 'poller',
      pollDuration: 'PT2S',
    });
    const context = aContext();
    await definition.poll?.(context, input);
    expect(context.emitted).toEqual([]);
    await run('Produce', { topic: 'polled', from: { value: 'after' } });
    const failing = { ...aContext(), emit: () => Promise.reject(new Error('no database')) };
    await expect(definition.poll?.(failing, input)).rejects.toThrow('no database');
    await definition.poll?.(context, input);
    await definition.poll?.(context, input);
    expect(context.emitted).toMatchObject([{ messagesCount: 1 }]);
    expect(await storedRows(context, context.emitted[0]?.uri)).toMatchObject([{ value: 'after' }]);
  });

  test('the realtime trigger starts one execution per message and stops on request', async () => {
    const definition = typeOf('RealtimeTrigger') as TriggerDefinition; // the name of a trigger
    await run('Produce', { topic: 'live', from: [{ key: 'k', value: 'one' }, { value: 'two' }] });
    const context = aContext();
    const events: object[] = [];
    const input = inputOf(definition, { topic: 'live', groupId: 'listener' });
    const listening = definition.listen?.(context, input, async (output) => void events.push(output));
    await expect.poll(() => events).toMatchObject([{ key: 'k', value: 'one', offset: 0 }, { value: 'two' }]);
    await run('Produce', { topic: 'live', from: { value: 'three' } });
    await expect.poll(() => events.length).toBe(3);
    context.kill();
    await listening;
    expect((await consume({ topic: 'live', groupId: 'listener' })).count).toBe(0);
  });
});
