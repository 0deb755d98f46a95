import {
  choice,
  duration,
  type Emit,
  fixed,
  integer,
  limitProperties,
  listOf,
  mapOf,
  part,
  storeMessages,
  type TaskContext,
  TaskFailed,
  text,
  textOrList,
  toOutputValue,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Opened, withKafka } from './client.ts';
import { type Properties, readAcks } from './clientOptions.ts';
import { type MessageSource, type Taken, withSource } from './messageSource.ts';
import { type AvroRegistry, openRegistry, type RegistryInput, vendorProperty } from './registry.ts';
import { deserialize, SerdeError, type SerdeType, serdeTypes } from './serdes.ts';

export const consumerProperties = () => ({
  topic: textOrList().optional().describe('The topic, or a list of them.'),
  topicPattern: text()
    .optional()
    .describe('A regular expression instead of `topic`; topics are looked up when consuming starts.'),
  partitions: listOf(integer({ min: 0 }))
    .optional()
    .describe('Only these partitions of the topics.'),
  groupType: choice(['CONSUMER', 'SHARE'])
    .default('CONSUMER')
    .describe('The kind of group. Share groups are not supported.'),
  acknowledgeType: choice(['ACCEPT', 'RELEASE', 'REJECT', 'RENEW'])
    .default('ACCEPT')
    .describe('How messages of a share group are acknowledged.'),
  keyDeserializer: choice(serdeTypes).default('STRING').describe('The format of keys.'),
  valueDeserializer: choice(serdeTypes).default('STRING').describe('The format of values.'),
  onSerdeError: part({
    type: choice(['SKIPPED', 'DLQ', 'STORE'])
      .default('SKIPPED')
      .describe('Skip the message, send it to `topic`, or hand it over as text.'),
    topic: text().optional().describe('The topic for messages that cannot be read, for `DLQ`.'),
  })
    .optional()
    .describe('What happens to messages that cannot be read as JSON; without it consuming fails.'),
  since: text()
    .optional()
    .describe('Start at messages of this date and time. It has no effect with a `groupId`.'),
  headerFilters: mapOf(text())
    .optional()
    .describe('Only messages with these headers and values; others count as read.'),
  schemaRegistryVendor: vendorProperty(),
});

const groupText =
  'The consumer group, which remembers what was read. Without committed offsets it starts where `auto.offset.reset` says, by default at the end.';
export const requiredGroup = () => ({ groupId: text().describe(groupText) });
export const optionalGroup = () => ({
  groupId: text()
    .optional()
    .describe(`${groupText} Without a group all messages are read from the beginning.`),
});

export const pollProperties = () => ({
  pollDuration: duration().prefault('PT5S').describe('Stop when no message arrived for this long.'),
  ...limitProperties(),
});

export const intervalProperty = () => ({
  interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
});

export interface ConsumeInput extends RegistryInput {
  readonly properties: Properties;
  readonly topic?: readonly string[] | undefined;
  readonly topicPattern?: string | undefined;
  readonly partitions?: readonly number[] | undefined;
  readonly groupId?: string | undefined;
  readonly groupType: 'CONSUMER' | 'SHARE';
  readonly keyDeserializer: SerdeType;
  readonly valueDeserializer: SerdeType;
  readonly onSerdeError?:
    | { readonly type: 'SKIPPED' | 'DLQ' | 'STORE'; readonly topic?: string | undefined }
    | undefined;
  readonly since?: string | undefined;
  readonly headerFilters?: Properties | undefined;
}

export type StoreInput = ConsumeInput & {
  readonly maxRecords?: number | undefined;
  readonly maxDuration?: number | undefined;
  readonly pollDuration: number;
};

export const consumeOutput = z.object({
  messagesCount: z.number().describe('How many messages were read.'),
  uri: z.string().optional().describe('A file with a message per row.'),
});

export interface Row {
  readonly key: unknown;
  readonly value: unknown;
  readonly headers: readonly Readonly<Record<string, string>>[];
  readonly topic: string;
  readonly partition: number;
  readonly timestamp: Date;
  readonly offset: number;
}

/** Stores messages, hands the result over, and commits the offsets when that is done. */
export function consumeStored<T>(
  context: TaskContext,
  input: StoreInput,
  {
    storeEmpty,
    handOver,
    metric = 'records',
  }: {
    storeEmpty: boolean;
    handOver: (o: z.infer<typeof consumeOutput>) => Promise<T>;
    metric?: string;
  },
): Promise<T> {
  return withMessages(context, input, async (source, read) => {
    const { count, uri } = await storeMessages(context, {
      next: async (waitMs) => {
        const taken = await source.next(waitMs);
        return taken && (await read(taken));
      },
      toRow: (row) => row,
      storeEmpty,
      maxRecords: input.maxRecords,
      maxDuration: input.maxDuration,
      maxIdle: input.pollDuration,
    });
    context.metric({ name: metric, type: 'counter', value: count });
    const result = await handOver({ messagesCount: count, ...(uri !== undefined && { uri }) });
    await source.commit();
    return result;
  });
}

/** Reads a message; undefined for a message that is filtered or skipped. */
export type ReadMessage = (taken: Taken) => Promise<Row | undefined>;

export function withMessages<T>(
  context: TaskContext,
  input: ConsumeInput,
  work: (source: MessageSource, read: ReadMessage) => Promise<T>,
): Promise<T> {
  if (input.groupType === 'SHARE')
    throw new TaskFailed('Share groups are not supported: use "groupType: CONSUMER".', { retry: false });
  const registry = openRegistry(context, input);
  return withKafka(context, input.properties, (opened) =>
    withSource(context, opened, { ...input, topics: input.topic ?? [] }, (source) =>
      work(source, (taken) => readMessage(context, opened, input, registry, taken)),
    ),
  );
}

async function readMessage(
  context: TaskContext,
  opened: Opened,
  input: ConsumeInput,
  registry: AvroRegistry | undefined,
  { topic, partition, message }: Taken,
): Promise<Row | undefined> {
  const headers = headersOf(message.headers ?? {});
  const wanted = Object.entries(input.headerFilters ?? {});
  if (!wanted.every(([name, value]) => headers.some((header) => header[name] === value))) return undefined;
  const place = {
    headers,
    topic,
    partition,
    timestamp: new Date(Number(message.timestamp)),
    offset: Number(message.offset),
  };
  try {
    return {
      key: await deserialize(message.key ?? undefined, input.keyDeserializer, registry),
      value: await deserialize(message.value ?? undefined, input.valueDeserializer, registry),
      ...place,
    };
  } catch (error) {
    const { onSerdeError } = input;
    if (!(error instanceof SerdeError) || !onSerdeError) throw error;
    await context.log(
      'WARN',
      `${error.message} Topic ${topic}, partition ${partition}, offset ${message.offset}.`,
    );
    if (onSerdeError.type === 'STORE')
      return { key: asText(message.key), value: asText(message.value), ...place };
    if (onSerdeError.type === 'DLQ') await sendOn(opened, input.properties, onSerdeError.topic, message);
    return undefined;
  }
}

const asText = (bytes: Buffer | null): string | null => bytes?.toString('utf8') ?? null;

/** Sends a message that cannot be read to the topic for such messages, as it is. */
async function sendOn(
  { kafka, library }: Opened,
  properties: Properties,
  topic: string | undefined,
  { key, value, headers }: Taken['message'],
): Promise<void> {
  if (topic === undefined)
    throw new TaskFailed('"onSerdeError.topic" must be given for the type DLQ.', { retry: false });
  const producer = kafka.producer({ createPartitioner: library.Partitioners.DefaultPartitioner });
  await producer.connect();
  try {
    const message = { key, value, ...(headers && { headers }) };
    await producer.send({ topic, messages: [message], acks: readAcks(properties) });
  } finally {
    await producer.disconnect();
  }
}

type Header = Buffer | string | readonly (Buffer | string)[] | undefined;

/** A header may occur several times, so headers are a list of maps with one entry each. */
const headersOf = (headers: Readonly<Record<string, Header>>): Row['headers'] =>
  Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => ({ [name]: each?.toString() ?? '' })),
  );

export const messageOutput = z.object({
  key: z.unknown().describe('The key.'),
  value: z.unknown().describe('The value; bytes are base64 text.'),
  headers: z.array(z.record(z.string(), z.string())).describe('The headers, a map with one entry each.'),
  topic: z.string().describe('The topic.'),
  partition: z.number().describe('The partition.'),
  timestamp: z.iso.datetime().describe('The date and time of the message.'),
  offset: z.number().describe('The offset in the partition.'),
});

/** Starts an execution for each message, and commits its offset when the execution is stored. */
export const listenToMessages = (context: TaskContext, input: ConsumeInput, emit: Emit): Promise<void> =>
  withMessages(context, input, async (source, read) => {
    // A new group remembers where it began, so that messages during a restart are not missed.
    await source.commit();
    while (!context.signal.aborted) {
      const taken = await source.next(60_000);
      if (!taken) continue;
      const row = await read(taken);
      if (row) {
        const { key, value, timestamp, ...place } = row;
        const outputs = { key: toOutputValue(key), value: toOutputValue(value) };
        await emit({ ...outputs, ...place, timestamp: timestamp.toISOString() });
      }
      await source.commit();
    }
  }).catch((error: unknown) => {
    if (!context.signal.aborted) throw error;
  });
