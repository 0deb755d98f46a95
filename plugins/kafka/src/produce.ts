import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  asMessage,
  choice,
  defineTask,
  flag,
  messageOf,
  readMessages,
  someValue,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { Message, Producer, TopicMessages, Transaction } from 'kafkajs';
import { z } from 'zod';
import { connected, connectionProperties, type Opened, withKafka } from './client.ts';
import { type Properties, readAcks, readCompression } from './clientOptions.ts';
import { taskExample } from './example.ts';
import { type AvroRegistry, openRegistry, type RegistryInput, vendorProperty } from './registry.ts';
import { type SerdeType, serdeTypes, serialize } from './serdes.ts';

const batchSize = 500;

export const produce = defineTask({
  type: 'kafka.Produce',
  title: 'Send messages to a Kafka topic',
  description: `Sends messages: one map, a list of maps, or the rows of a stored file. A message has \`key\` and \`value\` and may have \`topic\`,
\`partition\`, \`timestamp\` and \`headers\`. With \`transactional\` (the default) readers see either all messages of the task or none.`,
  input: () =>
    z.object({
      ...connectionProperties(),
      topic: text().optional().describe('The topic of messages that name none.'),
      from: someValue().describe('A message, a list of messages, or a file in internal storage.'),
      keySerializer: choice(serdeTypes).default('STRING').describe('How keys are written.'),
      valueSerializer: choice(serdeTypes).default('STRING').describe('How values are written.'),
      schemaRegistryVendor: vendorProperty(),
      keyAvroSchema: text().optional().describe('The schema of keys, for AVRO.'),
      valueAvroSchema: text().optional().describe('The schema of values, for AVRO.'),
      transactional: flag().default(true).describe('Whether all messages are sent in one transaction.'),
    }),
  output: () => z.object({ messagesCount: z.number().describe('How many messages were sent.') }),
  metrics: [{ name: 'records', type: 'counter', description: 'How many messages were sent.' }],
  sideEffects: true,
  examples: [
    taskExample('Produce', 'Send two messages.', [
      'topic: orders',
      'valueSerializer: JSON',
      'from:',
      '  - key: order-1',
      '    value: {order: 1}',
      '    headers: {source: shop}',
      '  - key: order-2',
      '    value: {order: 2}',
    ]),
  ],
  run: async (context, input) => {
    const messagesCount = await produceMessages(context, input);
    context.metric({ name: 'records', type: 'counter', value: messagesCount });
    return { messagesCount };
  },
});

/** Sends the messages of `from` and returns how many there were. */
export const produceMessages = (context: TaskContext, input: ProduceInput): Promise<number> =>
  withKafka(context, input.properties, (opened) =>
    send(context, opened, input, batchesOf(context, input, openRegistry(context, input))),
  );

interface ProduceInput extends RegistryInput {
  readonly properties: Properties;
  readonly topic?: string | undefined;
  readonly from?: unknown;
  readonly keySerializer: SerdeType;
  readonly valueSerializer: SerdeType;
  readonly keyAvroSchema?: string | undefined;
  readonly valueAvroSchema?: string | undefined;
  readonly transactional: boolean;
}

async function send(
  context: TaskContext,
  { kafka, library }: Opened,
  input: ProduceInput,
  batches: AsyncIterable<Batch>,
): Promise<number> {
  const { CompressionTypes, Partitioners } = library;
  // Brokers reject the output of the JavaScript libraries for other codecs; every consumer reads gzip.
  const isPlain = readCompression(input.properties) === 'none';
  const compression = isPlain ? CompressionTypes.None : CompressionTypes.GZIP;
  const acks = input.transactional ? -1 : readAcks(input.properties);
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    ...(input.transactional && {
      transactionalId: `millrace-${randomUUID()}`,
      idempotent: true,
      maxInFlightRequests: 1,
    }),
  });
  return connected(context, producer, async () => {
    const transaction = input.transactional ? await begin(context, producer) : undefined;
    let count = 0;
    try {
      for await (const batch of batches) {
        context.signal.throwIfAborted();
        await (transaction ?? producer).sendBatch({ topicMessages: batch.topicMessages, acks, compression });
        count += batch.count;
      }
      await transaction?.commit();
      return count;
    } catch (error) {
      await transaction?.abort().catch(() => {});
      throw error;
    }
  });
}

/** Retries a coordinator that has just started, because the library does not. */
async function begin(context: TaskContext, producer: Producer): Promise<Transaction> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await producer.transaction();
    } catch (error) {
      if (attempt >= mostAttempts || !/coordinator/i.test(messageOf(error))) throw error;
      await delay(1_000, undefined, { signal: context.signal });
    }
  }
}
const mostAttempts = 10;

interface Batch {
  readonly topicMessages: TopicMessages[];
  readonly count: number;
}

async function* batchesOf(
  context: TaskContext,
  input: ProduceInput,
  registry: AvroRegistry | undefined,
): AsyncGenerator<Batch> {
  let byTopic = new Map<string, Message[]>();
  let count = 0;
  const take = (): Batch => {
    const topicMessages = [...byTopic].map(([topic, messages]) => ({ topic, messages }));
    const batch = { topicMessages, count };
    byTopic = new Map();
    count = 0;
    return batch;
  };
  for await (const value of readMessages(context, input.from)) {
    const { topic, message } = await toMessage(value, input, registry);
    const messages = byTopic.get(topic) ?? [];
    messages.push(message);
    byTopic.set(topic, messages);
    count++;
    if (count >= batchSize) yield take();
  }
  if (count > 0) yield take();
}

async function toMessage(
  value: unknown,
  input: ProduceInput,
  registry: AvroRegistry | undefined,
): Promise<{ readonly topic: string; readonly message: Message }> {
  const map = asMessage(value, 'value');
  const topic = typeof map.topic === 'string' && map.topic !== '' ? map.topic : input.topic;
  if (topic === undefined)
    throw new TaskFailed('"topic" must be given, by the task or by each message.', { retry: false });
  const key = await serialize(map.key, input.keySerializer, {
    registry,
    schema: input.keyAvroSchema,
    subject: `${topic}-key`,
  });
  const content = await serialize(map.value, input.valueSerializer, {
    registry,
    schema: input.valueAvroSchema,
    subject: `${topic}-value`,
  });
  const { partition, timestamp } = map;
  return {
    topic,
    message: {
      key: key ?? null,
      value: content ?? null,
      headers: headersOf(map.headers),
      ...(partition !== undefined && partition !== null && { partition: Number(partition) }),
      ...(timestamp !== undefined && timestamp !== null && { timestamp: readTimestamp(timestamp) }),
    },
  };
}

/** Milliseconds since 1970, or a date and time. */
function readTimestamp(value: unknown): string {
  const at = /^\d+$/.test(String(value)) ? Number(value) : Date.parse(String(value));
  if (Number.isNaN(at))
    throw new TaskFailed(`"timestamp" must be a date and time, got "${String(value)}".`, { retry: false });
  return String(at);
}

/** A map, or a list of maps as the rows of a consumer have them. */
function headersOf(headers: unknown): Record<string, string | string[]> {
  const made: Record<string, string[]> = {};
  for (const map of Array.isArray(headers) ? headers : [headers]) {
    if (typeof map !== 'object' || map === null) continue;
    for (const [name, value] of Object.entries(map)) {
      made[name] = [...(made[name] ?? []), ...(Array.isArray(value) ? value : [value]).map(String)];
    }
  }
  return Object.fromEntries(
    Object.entries(made).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}
