import {
  anything,
  asMessage,
  choice,
  deserializeMessage,
  duration,
  type MessageSerde,
  mapOf,
  serializeMessage,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { Frame } from './socket.ts';

export const serdeProperty = (verb: 'read' | 'written') =>
  choice(['STRING', 'JSON', 'BYTES'])
    .default('STRING')
    .describe(`How the value of a message is ${verb}: as text, as JSON, or as bytes.`);

export const schemaProperties = () => ({
  schemaString: text().optional().describe('The schema. It has no effect with `NONE` and `JSON`.'),
  schemaType: choice(['NONE', 'AVRO', 'JSON'])
    .default('NONE')
    .describe('The schema of the topic. `JSON` reads and writes values as JSON; `AVRO` is refused.'),
});

export const readProperties = () => ({
  topic: anything()
    .refine((value) => value !== undefined && value !== null, 'must be given')
    .describe('A topic, or a list of topics.'),
  deserializer: serdeProperty('read'),
});

export const subscriptionProperties = () => ({
  subscriptionName: text().describe('The subscription. It is created when it does not exist.'),
  initialPosition: choice(['Latest', 'Earliest'])
    .default('Earliest')
    .describe('Where a new subscription starts. Brokers before Pulsar 2.11 start at the latest message.'),
  subscriptionType: choice(['Exclusive', 'Shared', 'Failover', 'Key_Shared'])
    .default('Exclusive')
    .describe('How several consumers share the subscription.'),
  consumerProperties: mapOf(text()).optional().describe('More query parameters of the consumer.'),
  encryptionKey: text().optional().describe('The key of encrypted messages, which is refused.'),
  consumerName: text().optional().describe('The name of the consumer.'),
});

export const pollProperties = () => ({
  pollDuration: duration().prefault('PT2S').describe('Stop when no message arrived for this long.'),
});

export interface ReadInput {
  readonly topic: unknown;
  readonly deserializer: MessageSerde;
  readonly schemaType: 'NONE' | 'AVRO' | 'JSON';
  readonly encryptionKey?: string | undefined;
}

/** Settings that only the binary protocol has are refused instead of ignored. */
export function refuseUnsupported({
  schemaType,
  encryptionKey,
}: Pick<ReadInput, 'schemaType' | 'encryptionKey'>): void {
  if (schemaType === 'AVRO')
    throw new TaskFailed(
      '"schemaType: AVRO" is not supported: the WebSocket API of Pulsar has no schemas. Use JSON, or BYTES and a task of serdes.',
      { retry: false },
    );
  if (encryptionKey !== undefined)
    throw new TaskFailed('"encryptionKey" is not supported: the WebSocket API of Pulsar does not decrypt.', {
      retry: false,
    });
}

export function topicsOf(topic: unknown): readonly string[] {
  const read = typeof topic === 'string' && topic.trim().startsWith('[') ? JSON.parse(topic) : topic;
  const topics = (Array.isArray(read) ? read : [read]).map(String).filter((name) => name !== '');
  if (topics.length > 0) return topics;
  throw new TaskFailed('"topic" must name at least one topic.', { retry: false });
}

export const queryOf = (values: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(values).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/** A message as a row of a file and as the outputs of a trigger. */
export function fromFrame(context: Pick<TaskContext, 'log'>, topic: string, frame: Frame, input: ReadInput) {
  const serde = input.schemaType === 'JSON' ? 'JSON' : input.deserializer;
  const eventTime = dateOf(frame.eventTime) ?? dateOf(frame.publishTime);
  return {
    ...(typeof frame.key === 'string' && { key: frame.key }),
    value: deserializeMessage(context, Buffer.from(String(frame.payload ?? ''), 'base64'), serde),
    properties: frame.properties ?? {},
    topic,
    ...(eventTime !== undefined && { eventTime }),
    messageId: String(frame.messageId),
  };
}

function dateOf(value: unknown): Date | undefined {
  const at = typeof value === 'number' ? value : Date.parse(String(value ?? ''));
  return Number.isNaN(at) || at <= 0 ? undefined : new Date(at);
}

const fields = ['key', 'value', 'properties', 'eventTime', 'deliverAfter', 'deliverAt', 'sequenceId'];

/** A message of a flow as the API takes it; a value that is no message is the value. */
export function toFrame(value: unknown, serde: MessageSerde, context: string): Frame {
  const map = asMessage(value, 'value');
  const given = fields.some((name) => Object.hasOwn(map, name)) ? map : { value: map };
  const numbers = {
    eventTime: instantOf('eventTime', given.eventTime),
    deliverAt: instantOf('deliverAt', given.deliverAt),
    deliverAfterMs: millisOf(given.deliverAfter),
    sequenceId: given.sequenceId === undefined ? undefined : Number(given.sequenceId),
  };
  return {
    payload: serializeMessage(given.value, serde).toString('base64'),
    context,
    ...(given.key !== undefined && given.key !== null && { key: String(given.key) }),
    ...(given.properties !== undefined && given.properties !== null && { properties: given.properties }),
    ...Object.fromEntries(Object.entries(numbers).filter(([, number]) => number !== undefined)),
  };
}

function instantOf(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const at = typeof value === 'number' ? value : Date.parse(String(value));
  if (!Number.isNaN(at)) return at;
  throw new TaskFailed(`"${name}" must be a date and time, got "${String(value)}".`, { retry: false });
}

function millisOf(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const { data } = duration().safeParse(value);
  if (data !== undefined) return data;
  throw new TaskFailed(`"deliverAfter" must be a duration such as PT1M, got "${String(value)}".`, {
    retry: false,
  });
}
