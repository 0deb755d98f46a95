import {
  type Definition,
  defineTrigger,
  duration,
  integer,
  isStorageUri,
  messageOf,
  readRows,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
  toRow,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import {
  type Cloud,
  count,
  counter,
  defineGcpTask,
  defineGcpTrigger,
  gcpProperties,
  intervalProperty,
  openCloud,
  taskExample,
  triggerExample,
} from '../google/define.ts';
import type { Json } from '../google/json.ts';
import {
  messageOutput,
  nameOf,
  pause,
  pubsubUrl,
  type Received,
  type SerdeType,
  Subscription,
  serdeTypeProperty,
  subscriptionProperties,
  toPubsub,
  topicProperty,
} from './messages.ts';

/** The limits of one request are 1,000 messages and 10 MB. */
const maxBatch = 1000;
const maxBatchBytes = 7 * 1024 * 1024;

const publish = defineGcpTask({
  type: 'gcp.pubsub.Publish',
  title: 'Publish messages to Pub/Sub',
  description: `Sends messages to a topic: one map, a list of maps, or the rows of a stored file. A message has \`data\`, \`attributes\` and \`orderingKey\`; with
\`serdeType: JSON\` the data is sent as JSON.`,
  properties: {
    topic: topicProperty(),
    from: someValue().describe('A message, a list of messages, or a file of them in internal storage.'),
    serdeType: serdeTypeProperty(),
  },
  output: () => z.object({ messagesCount: z.number().describe('How many messages were sent.') }),
  metrics: [counter('records', 'How many messages were sent.')],
  examples: [
    taskExample(
      'gcp.pubsub.Publish',
      'Send two messages.',
      'topic: orders\nfrom:\n  - data: first\n    attributes:\n      source: millrace\n  - data: second',
    ),
  ],
  async run(cloud, { topic, from, serdeType }, context) {
    const url = `${pubsubUrl}/${await nameOf(cloud, 'topics', topic)}:publish`;
    let messagesCount = 0;
    let batch: Json[] = [];
    let bytes = 0;
    const flush = async () => {
      if (batch.length > 0) await cloud.google.json({ url, body: { messages: batch }, idempotent: true });
      messagesCount += batch.length;
      batch = [];
      bytes = 0;
    };
    for await (const value of messagesOf(context, from)) {
      const message = toPubsub(value, serdeType);
      const length = JSON.stringify(message).length;
      if (batch.length >= maxBatch || bytes + length > maxBatchBytes) await flush();
      batch.push(message);
      bytes += length;
    }
    await flush();
    count(context, { records: messagesCount });
    return { messagesCount };
  },
});

async function* messagesOf(context: TaskContext, from: unknown): AsyncGenerator<unknown> {
  if (typeof from === 'string' && isStorageUri(from)) {
    for await (const { value } of readRows(context, from)) yield value;
    return;
  }
  const value = typeof from === 'string' ? readJson(from) : from;
  if (Array.isArray(value)) yield* value;
  else yield value;
}

/** An expression renders a list or map as JSON. */
function readJson(written: string): unknown {
  if (!/^\s*[[{]/.test(written)) return { data: written };
  try {
    return JSON.parse(written);
  } catch {
    return { data: written };
  }
}

const consumeProperties = {
  ...subscriptionProperties,
  maxRecords: integer({ min: 1 }).optional().describe('Stop after this many messages.'),
  maxDuration: duration().optional().describe('Stop after this time.'),
};

interface ConsumeInput {
  readonly topic: string;
  readonly subscription?: string | undefined;
  readonly autoCreateSubscription: boolean;
  readonly serdeType: SerdeType;
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
}

const consumeOutput = () =>
  z.object({
    count: z.number().describe('How many messages were received.'),
    uri: z.string().optional().describe('A file with a message per row; absent when there was none.'),
  });

/** How long messages stay reserved while they are written. */
const holdSeconds = 600;

/** Writes messages to a file, and acknowledges them when the file is stored. */
async function consume(cloud: Cloud, context: TaskContext, input: ConsumeInput) {
  const { maxRecords = Number.POSITIVE_INFINITY, maxDuration, serdeType } = input;
  if (input.maxRecords === undefined && maxDuration === undefined)
    throw new TaskFailed('One of "maxRecords" and "maxDuration" must be given.', { retry: false });
  const deadline = maxDuration === undefined ? undefined : Date.now() + maxDuration;
  // A pull that waits for messages ends with the time of the task.
  const limited = deadline === undefined ? undefined : AbortSignal.timeout(Math.max(1, maxDuration ?? 1));
  const subscription = await Subscription.open(cloud, context, input);
  const puller = limited ? subscription.within(AbortSignal.any([context.signal, limited])) : subscription;
  const held: Received[] = [];
  const pull = async (): Promise<readonly Received[]> => {
    try {
      return await puller.pull(maxRecords - held.length, serdeType);
    } catch (error) {
      context.signal.throwIfAborted();
      if (limited?.aborted) return [];
      throw error;
    }
  };
  const isOver = (last: readonly Received[]) =>
    held.length >= maxRecords || (deadline === undefined ? last.length === 0 : Date.now() >= deadline);
  const rows = async function* (first: readonly Received[]) {
    for (let batch = first; ; batch = await pull()) {
      if (batch.length > 0) {
        await subscription.extend(batch, holdSeconds);
        held.push(...batch);
      }
      for (const { message } of batch) yield toRow(message);
      if (isOver(batch)) return;
    }
  };
  try {
    let first = await pull();
    while (first.length === 0 && !isOver(first)) first = await pull();
    if (first.length === 0) return { count: 0 };
    const uri = await context.files.put('messages.ion', rows(first));
    await subscription.acknowledge(held);
    count(context, { records: held.length });
    return { count: held.length, uri };
  } catch (error) {
    await subscription.release(held);
    throw error;
  }
}

const consumeTask = defineGcpTask({
  type: 'gcp.pubsub.Consume',
  title: 'Read messages from Pub/Sub',
  description: `Pulls messages of a subscription into a file, one per row, and acknowledges them when the file is stored. It stops at \`maxRecords\` or
\`maxDuration\`, one of which must be given; without \`maxDuration\` also when a pull finds no message.`,
  properties: {
    ...consumeProperties,
    subscription: text().describe('The subscription, by its name or as `projects/…/subscriptions/…`.'),
  },
  output: consumeOutput,
  metrics: [counter('records', 'How many messages were received.')],
  examples: [
    taskExample(
      'gcp.pubsub.Consume',
      'Read up to 100 messages.',
      'topic: orders\nsubscription: millrace\nmaxRecords: 100',
    ),
  ],
  run: (cloud, input, context) => consume(cloud, context, input),
});

const subscriptionProperty = () =>
  text().optional().describe('The subscription; one named after namespace, flow and trigger when absent.');

const trigger = defineGcpTrigger({
  type: 'gcp.pubsub.Trigger',
  title: 'Start when messages arrive in Pub/Sub',
  description: `Pulls the messages of a subscription every \`interval\` into a file, and starts one execution for all of them. The messages are acknowledged when the file
is stored. \`maxRecords\` or \`maxDuration\` must be given.`,
  properties: { ...consumeProperties, subscription: subscriptionProperty() },
  output: consumeOutput,
  examples: [
    triggerExample(
      'gcp.pubsub.Trigger',
      'Handle orders once a minute.',
      'topic: orders\nsubscription: millrace\nmaxRecords: 1000\ninterval: PT1M',
      '{{ trigger.count }} messages in {{ trigger.uri }}',
    ),
  ],
  async poll(cloud, input, context) {
    const received = await consume(cloud, context, input);
    return received.count === 0 ? undefined : received;
  },
});

/** The number of messages per pull; they are processed sequentially. */
const realtimeBatch = 100;
/** Short, so that Pub/Sub soon redelivers the messages of a crashed server. */
const realtimeHoldSeconds = 60;
const retryPauseMs = 5000;

const realtime = defineTrigger({
  type: 'gcp.pubsub.RealtimeTrigger',
  role: 'realtime',
  title: 'Start for every message in Pub/Sub',
  description: `Starts an execution for each message of a subscription, at once. A message is acknowledged when its execution is stored, so none is lost when the server
stops; one that is delivered twice starts one execution. Messages come by pull requests over REST.`,
  input: () =>
    z.object({
      ...gcpProperties,
      ...consumeProperties,
      subscription: subscriptionProperty(),
      interval: intervalProperty('PT60S').describe('Accepted for compatibility: messages are taken at once.'),
    }),
  output: () => z.object(messageOutput),
  examples: [
    triggerExample(
      'gcp.pubsub.RealtimeTrigger',
      'Handle each order.',
      'topic: orders\nsubscription: millrace\nserdeType: JSON',
      '{{ trigger.data }}',
    ),
  ],
  async listen(context, input, emit) {
    const subscription = await Subscription.open(openCloud(context, input), context, input);
    while (!context.signal.aborted) {
      const batch = await pullOrPause(context, subscription, input.serdeType);
      if (batch.length === 0) continue;
      let done = 0;
      try {
        await subscription.extend(batch, realtimeHoldSeconds);
        for (const received of batch) {
          context.signal.throwIfAborted();
          await emit({ ...received.message }, { key: received.message.messageId });
          await subscription.acknowledge([received]);
          done++;
        }
      } catch (error) {
        await subscription.release(batch.slice(done));
        if (context.signal.aborted) return;
        throw error;
      }
    }
  },
});

/** A service that cannot be reached for a while does not end the trigger. */
async function pullOrPause(
  context: TaskContext,
  subscription: Subscription,
  serdeType: SerdeType,
): Promise<readonly Received[]> {
  try {
    return await subscription.pull(realtimeBatch, serdeType);
  } catch (error) {
    if (context.signal.aborted) return [];
    if (error instanceof TaskFailed && !error.retry) throw error;
    await context.log('WARN', `Messages cannot be pulled: ${messageOf(error)}`);
    await pause(retryPauseMs, context.signal);
    return [];
  }
}

export const pubsubTypes: readonly Definition[] = [publish, consumeTask, trigger, realtime];
