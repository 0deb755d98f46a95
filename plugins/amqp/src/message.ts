import {
  asMessage,
  deserializeMessage,
  duration,
  type MessageSerde,
  serializeMessage,
  type TaskContext,
  TaskFailed,
} from '@millrace/plugin-kit';
import type { Message as AmqpMessage, Options } from 'amqplib';

/** The protocol uses milliseconds; a flow contains a duration or milliseconds. */
function toMilliseconds(value: unknown): string {
  if (/^\d+$/.test(String(value))) return String(value);
  const { data } = duration().safeParse(value);
  if (data !== undefined) return String(data);
  throw new TaskFailed(`"expiration" must be a duration such as PT1M, got "${String(value)}".`, {
    retry: false,
  });
}

/** The protocol counts seconds. */
function toSeconds(value: unknown): number {
  const at = value instanceof Date ? value.getTime() : Date.parse(String(value));
  if (!Number.isNaN(at)) return Math.floor(at / 1000);
  throw new TaskFailed(`"timestamp" must be a date and time, got "${String(value)}".`, { retry: false });
}

const copied = [
  'contentType',
  'contentEncoding',
  'headers',
  'deliveryMode',
  'priority',
  'messageId',
  'correlationId',
  'replyTo',
  'type',
  'userId',
  'appId',
] as const;

/** A message of a flow as it is published; a value that is no message is the data. */
export function toPublished(
  value: unknown,
  serde: MessageSerde,
): { readonly content: Buffer; readonly options: Options.Publish } {
  const map = asMessage(value, 'data');
  const isMessage =
    'data' in map || [...copied, 'expiration', 'timestamp'].some((name) => Object.hasOwn(map, name));
  const message: Readonly<Record<string, unknown>> = isMessage ? map : { data: map };
  const options: Record<string, unknown> = {};
  for (const name of copied)
    if (message[name] !== undefined && message[name] !== null) options[name] = message[name];
  if (message.expiration !== undefined && message.expiration !== null)
    options.expiration = toMilliseconds(message.expiration);
  if (message.timestamp !== undefined && message.timestamp !== null)
    options.timestamp = toSeconds(message.timestamp);
  return { content: serializeMessage(message.data, serde), options };
}

/** A message as a row of a file. */
export function toRow(context: TaskContext, { properties, content }: AmqpMessage, serde: MessageSerde) {
  const row: Record<string, unknown> = {};
  for (const name of copied) {
    const value: unknown = properties[name];
    if (value !== undefined && value !== null) row[name] = value;
  }
  const { expiration, timestamp } = properties;
  if (expiration !== undefined) row.expiration = `PT${Number(expiration) / 1000}S`;
  if (timestamp !== undefined) row.timestamp = new Date(Number(timestamp) * 1000);
  return { headers: {}, ...row, data: deserializeMessage(context, content, serde) };
}
