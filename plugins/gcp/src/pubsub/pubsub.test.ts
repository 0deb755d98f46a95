import { readInput, type TriggerDefinition } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import type { Json } from '../google/json.ts';
import { type Received, type Reply, refusal, serviceAccount, startGoogle } from '../testing/fakeGoogle.ts';
import { pubsubTypes } from './index.ts';

// `as`: the order of the list.
const [publish, consume, trigger, realtime] = pubsubTypes as readonly [
  never,
  never,
  TriggerDefinition,
  TriggerDefinition,
];

/** One subscription of one topic that redelivers unacknowledged messages. */
class FakePubSub {
  readonly topic: Json[] = [];
  readonly created: Json[] = [];
  waiting: { id: number; message: Json }[] = [];
  readonly held = new Map<string, { id: number; message: Json }>();
  readonly acknowledged: string[] = [];
  hold = false;
  #next = 0;

  send(...texts: readonly string[]): void {
    for (const text of texts) {
      const id = ++this.#next;
      const data = Buffer.from(text).toString('base64');
      this.waiting.push({ id, message: { data, messageId: `m${id}`, attributes: { n: String(id) } } });
    }
  }

  readonly handle = ({ host, path, method, json }: Received): Reply | 'silence' => {
    if (host !== 'pubsub.googleapis.com') return refusal(404, 'no');
    if (path === '/v1/projects/my-project/topics/orders:publish') {
      this.topic.push(json);
      return { body: { messageIds: [] } };
    }
    if (method === 'PUT') {
      if (this.created.length > 0) return refusal(409, 'Resource already exists');
      this.created.push({ path, ...json });
      return { body: {} };
    }
    const ids = (json.ackIds ?? []) as string[];
    if (path.endsWith(':pull')) {
      const taken = this.waiting.splice(0, Number(json.maxMessages));
      if (taken.length === 0 && this.hold) return 'silence';
      for (const each of taken) this.held.set(`ack${each.id}`, each);
      return { body: { receivedMessages: taken.map(({ id, message }) => ({ ackId: `ack${id}`, message })) } };
    }
    if (path.endsWith(':acknowledge')) {
      for (const id of ids) this.held.delete(id);
      this.acknowledged.push(...ids);
      return { body: {} };
    }
    if (json.ackDeadlineSeconds === 0)
      for (const id of ids) {
        const back = this.held.get(id);
        this.held.delete(id);
        if (back) this.waiting.push(back);
      }
    return { body: {} };
  };
}

async function aTopic() {
  const pubsub = new FakePubSub();
  return { pubsub, ...(await startGoogle(pubsub.handle)) };
}

test('Publish sends a map, a list and the rows of a file', async () => {
  const { pubsub, run, context } = await aTopic();
  const sent = () => pubsub.topic.splice(0).flatMap(({ messages }) => messages as Json[]);
  const data = (text: string) => Buffer.from(text).toString('base64');
  await run(publish, { topic: 'orders', from: { data: 'hi', attributes: { a: 1 }, orderingKey: 'k' } });
  expect(sent()).toEqual([{ data: data('hi'), attributes: { a: '1' }, orderingKey: 'k' }]);
  await run(publish, {
    topic: 'projects/my-project/topics/orders',
    from: [{ data: { a: 1 } }, { data: 'x' }],
    serdeType: 'JSON',
  });
  expect(sent()).toEqual([{ data: data('{"a":1}') }, { data: data('"x"') }]);
  const rows = Array.from({ length: 1001 }, (_, index) => JSON.stringify({ data: `n${index}` })).join('\n');
  const from = await context.files.put('rows.ion', rows);
  expect(await run(publish, { topic: 'orders', from })).toEqual({ messagesCount: 1001 });
  expect(pubsub.topic.map(({ messages }) => (messages as Json[]).length)).toEqual([1000, 1]);
  await expect(run(publish, { topic: 'orders', from: {} })).rejects.toThrow(
    'A message needs "data" or "attributes".',
  );
});

describe('Consume', () => {
  const properties = { topic: 'orders', subscription: 'mine', maxRecords: 3 };

  test('creates the subscription, stores messages and acknowledges them', async () => {
    const { pubsub, run, context } = await aTopic();
    pubsub.send('a', 'b', 'c', 'd');
    const outputs = await run(consume, properties);
    expect(outputs.count).toBe(3);
    expect(await context.files.text(String(outputs.uri))).toBe(
      '{"data":"a","attributes":{"n":"1"},"messageId":"m1"}\n{"data":"b","attributes":{"n":"2"},"messageId":"m2"}\n{"data":"c","attributes":{"n":"3"},"messageId":"m3"}\n',
    );
    expect(pubsub.created).toEqual([
      { path: '/v1/projects/my-project/subscriptions/mine', topic: 'projects/my-project/topics/orders' },
    ]);
    expect(pubsub.acknowledged).toEqual(['ack1', 'ack2', 'ack3']);
    expect(await run(consume, properties)).toMatchObject({ count: 1 });
    expect(await run(consume, properties)).toEqual({ count: 0 });
  });

  test('stops at its duration while a pull waits', async () => {
    const { pubsub, run } = await aTopic();
    pubsub.hold = true;
    pubsub.send('a');
    const { maxRecords: _, ...timed } = properties;
    expect(await run(consume, { ...timed, maxDuration: 'PT0.3S' })).toMatchObject({ count: 1 });
    expect(pubsub.acknowledged).toEqual(['ack1']);
  });

  test('gives messages back when they cannot be stored', async () => {
    const { pubsub, run } = await aTopic();
    pubsub.send('a', 'no json');
    await expect(run(consume, { ...properties, serdeType: 'JSON' })).rejects.toThrow('is not JSON');
    await expect(run(consume, { topic: 'orders', subscription: 'mine' })).rejects.toThrow(
      'One of "maxRecords" and "maxDuration" must be given.',
    );
    expect(pubsub.acknowledged).toEqual([]);
  });
});

test('Trigger starts for a batch of messages and not for none', async () => {
  const { pubsub, poll } = await aTopic();
  expect(await poll(trigger, { topic: 'orders', maxRecords: 10 })).toBeUndefined();
  expect(pubsub.created[0]?.path).toBe(
    '/v1/projects/my-project/subscriptions/millrace-company.team-a_flow-a_task',
  );
  pubsub.send('a', 'b');
  expect(await poll(trigger, { topic: 'orders', maxRecords: 10 })).toMatchObject({ count: 2 });
});

describe('RealtimeTrigger', () => {
  async function listening(emit: (outputs: Json) => Promise<void>) {
    const fake = await aTopic();
    fake.pubsub.hold = true;
    const input = readInput(realtime.type, realtime.input, {
      serviceAccount,
      topic: 'orders',
      serdeType: 'JSON',
    });
    const ended = realtime.listen?.(fake.context, input, emit) ?? Promise.resolve();
    return { ...fake, ended };
  }

  test('acknowledges a message when its execution is stored', async () => {
    const emitted: Json[] = [];
    const { pubsub, context, ended } = await listening(async (outputs) => {
      expect(pubsub.acknowledged).toHaveLength(emitted.length);
      emitted.push(outputs);
    });
    // Sent before the first pull, or received by the next one.
    pubsub.send('{"id":1}', '{"id":2}');
    await expect.poll(() => pubsub.acknowledged).toEqual(['ack1', 'ack2']);
    expect(emitted.map(({ data }) => data)).toEqual([{ id: 1 }, { id: 2 }]);
    context.kill();
    await ended;
  });

  test('gives messages back when an execution cannot be stored', async () => {
    const { pubsub, ended } = await listening(async () => {
      throw new Error('The disk is full.');
    });
    pubsub.send('1', '2');
    await expect(ended).rejects.toThrow('The disk is full.');
    expect(pubsub.waiting.map(({ message }) => message.messageId)).toEqual(['m1', 'm2']);
    expect(pubsub.acknowledged).toEqual([]);
  });
});
