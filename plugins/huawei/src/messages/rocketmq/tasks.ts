import {
  asMessage,
  deserializeMessage,
  dropMissing,
  readMessages,
  serializeMessage,
  someValue,
  storeMessages,
  type TaskContext,
  TaskFailed,
  textOf,
} from '@millrace/plugin-kit';
import { may, need, out, preset } from '@millrace/plugin-saas/rest';
import { connection, connectionExample, type KeyInput, keysOf, type Types } from '../../client/connection.ts';
import { huaweiListener, huaweiPoll, huaweiTask } from '../../client/define.ts';
import { Consumer, type Taken, withRocketMq } from './client.ts';
import type { Login } from './remoting.ts';

const properties = {
  nameServerAddr: need.text('The name servers, such as `192.168.0.10:8100;192.168.0.11:8100`.'),
  instanceId: may.text('The id of the instance, for messages; topics and groups are not changed by it.'),
  topic: need.text('The topic.'),
  groupId: need.text('The group of producers or consumers. A new group starts with the oldest message.'),
  tags: preset.text('*', 'The tag of sent messages, or the tags to read, such as `a || b`; `*` is all.'),
  serdeType: preset.choice(['STRING', 'JSON'], 'STRING', 'The format of bodies.'),
};

const limits = {
  maxRecords: may.integer('Stop after this many messages.'),
  maxDuration: may.duration('Stop after this time. Without a limit, reading stops when no message is left.'),
};

interface Input extends KeyInput {
  readonly nameServerAddr: string;
  readonly topic: string;
  readonly groupId: string;
  readonly tags: string;
  readonly serdeType: 'STRING' | 'JSON';
}

/** An instance without access control needs no keys. */
async function loginOf(context: TaskContext, input: KeyInput): Promise<Login> {
  const isOpen = !input.accessKeyId && !input.secretAccessKey && !input.temporaryCredentials;
  return isOpen ? {} : keysOf(context, input)();
}

const toRow = (context: TaskContext, { message }: Taken, serde: 'STRING' | 'JSON') =>
  dropMissing({
    messageId: message.messageId,
    body: deserializeMessage(context, message.body, serde),
    topic: message.topic,
    tags: message.tags,
    keys: message.keys,
    bornTimestamp: message.bornTimestamp,
  });

const messageFields = {
  messageId: out.text('The id of the message.'),
  body: out.any('The body.'),
  topic: out.text('The topic.'),
  tags: out.text('The tag.'),
  keys: out.text('The keys by which the message can be found.'),
  bornTimestamp: out.integer('When it was sent, in milliseconds since 1970.'),
};

const consumeOutput = {
  messagesCount: out.integer('How many messages were read.'),
  uri: out.text(
    'A file with a message per row: `messageId`, `body`, `topic`, `tags`, `keys` and `bornTimestamp`.',
  ),
};

const place = {
  nameServerAddr: '192.168.0.10:8100;192.168.0.11:8100',
  topic: 'orders',
  groupId: 'flows',
  serdeType: 'JSON',
  accessKeyId: connectionExample.accessKeyId,
  secretAccessKey: connectionExample.secretAccessKey,
};

const publish = huaweiTask({
  type: 'huawei.dms.rocketmq.Publish',
  title: 'Send messages to a topic of DMS for RocketMQ',
  description:
    'Sends messages: one map, a list of maps, or the rows of a stored file. A message has `body` and may have `tags`, `keys` and `topic`; anything else is the body itself. The broker confirms each message.',
  properties: {
    ...properties,
    ...connection,
    from: {
      schema: () => someValue().describe('A message, a list of messages, or a file in internal storage.'),
    },
  },
  output: { messagesCount: out.integer('How many messages were sent.') },
  metrics: [
    { name: 'dms.rocketmq.publish.count', type: 'counter', description: 'How many messages were sent.' },
  ],
  run: async (context, input) =>
    withRocketMq(context, input.nameServerAddr, await loginOf(context, input), async (client) => {
      const queues = new Map<string, Awaited<ReturnType<typeof client.queuesOf>>>();
      let messagesCount = 0;
      for await (const value of readMessages(context, input.from)) {
        context.signal.throwIfAborted();
        const map = asMessage(value, 'body');
        const message = 'body' in map ? map : { body: value };
        const topic = textOf(message.topic) ?? input.topic;
        const known = queues.get(topic) ?? (await client.queuesOf(topic, 'write'));
        queues.set(topic, known);
        const queue = known[messagesCount % known.length];
        if (!queue)
          throw new TaskFailed(`The topic "${topic}" has no queue that takes messages.`, { retry: false });
        await client.send(input.groupId, queue, {
          topic,
          body: serializeMessage(message.body, input.serdeType),
          tags: textOf(message.tags) ?? (input.tags === '*' ? undefined : input.tags),
          keys: Array.isArray(message.keys) ? message.keys.join(' ') : textOf(message.keys),
        });
        messagesCount++;
      }
      context.metric({ name: 'dms.rocketmq.publish.count', type: 'counter', value: messagesCount });
      return { messagesCount };
    }),
  example: { ...place, from: [{ body: { order: 1 }, tags: 'new', keys: 'order-1' }] },
});

interface Limits {
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
}

/** How long no message may arrive before a consumer without a time limit ends. */
const idleMs = 2_000;

/** Stores messages, hands the result over, and commits the offsets when that is done. */
const consume = async <T>(
  context: TaskContext,
  input: Input & Limits,
  {
    storeEmpty,
    handOver,
  }: { storeEmpty: boolean; handOver: (output: { messagesCount: number; uri?: string }) => Promise<T> },
): Promise<T> =>
  withRocketMq(context, input.nameServerAddr, await loginOf(context, input), async (client) => {
    const consumer = new Consumer(client, context, input);
    await consumer.open();
    const { count, ...stored } = await storeMessages(context, {
      next: (waitMs) => consumer.next(waitMs),
      toRow: (taken) => toRow(context, taken, input.serdeType),
      storeEmpty,
      maxRecords: input.maxRecords,
      maxDuration: input.maxDuration,
      maxIdle: input.maxDuration === undefined ? idleMs : undefined,
    });
    context.metric({ name: 'dms.rocketmq.consume.count', type: 'counter', value: count });
    const result = await handOver({ messagesCount: count, ...stored });
    await consumer.commit();
    return result;
  });

const consumeTask = huaweiTask({
  type: 'huawei.dms.rocketmq.Consume',
  title: 'Read messages of a topic of DMS for RocketMQ',
  description:
    'Reads all queues of a topic and stores the messages in a file, until `maxRecords` or `maxDuration` is reached, or when no message is left. The offsets are committed after the file is stored. Queues are not shared with other consumers of the group.',
  properties: { ...properties, ...connection, ...limits },
  output: consumeOutput,
  metrics: [
    { name: 'dms.rocketmq.consume.count', type: 'counter', description: 'How many messages were read.' },
  ],
  run: (context, input) => consume(context, input, { storeEmpty: true, handOver: async (output) => output }),
  example: { ...place, maxRecords: 1000 },
});

const { accessKeyId, secretAccessKey } = connection;

const trigger = huaweiPoll({
  type: 'huawei.dms.rocketmq.Trigger',
  title: 'Start when a topic of DMS for RocketMQ has messages',
  description:
    'Reads messages every `interval` and starts one execution for all of them. The offsets are committed after the execution is stored: a server that crashes before that reads the messages again.',
  properties: { ...properties, accessKeyId, secretAccessKey, ...limits },
  output: consumeOutput,
  poll: (context, input) =>
    consume(
      context,
      { ...input, securityToken: undefined, temporaryCredentials: undefined, region: undefined },
      {
        storeEmpty: false,
        handOver: async (output) => {
          if (output.messagesCount > 0) await context.emit(output);
          return undefined;
        },
      },
    ),
  example: { ...place, interval: 'PT30S' },
});

const realtimeTrigger = huaweiListener({
  type: 'huawei.dms.rocketmq.RealtimeTrigger',
  title: 'Start for every message of a topic of DMS for RocketMQ',
  description:
    'Starts an execution for each message as it arrives. The offset of a message is committed after its execution is stored; one that was read when the server crashes is read again, and starts nothing.',
  properties: { ...properties, ...connection },
  output: messageFields,
  listen: async (context, input, emit) =>
    withRocketMq(context, input.nameServerAddr, await loginOf(context, input), async (client) => {
      const consumer = new Consumer(client, context, input);
      await consumer.open();
      while (!context.signal.aborted) {
        const taken = await consumer.next(60_000);
        if (!taken) continue;
        await emit(toRow(context, taken, input.serdeType), { key: taken.message.messageId });
        await consumer.commit();
      }
    }),
  example: place,
});

export const rocketmqTypes: Types = [publish, consumeTask, trigger, realtimeTrigger];
