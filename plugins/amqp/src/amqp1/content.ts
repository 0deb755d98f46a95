import { deserializeMessage, type MessageSerde, type TaskContext } from '@millrace/plugin-kit';

/** The content of a message: text and values stay, sections of bytes are read as the flow asks for. */
export function readContent(context: Pick<TaskContext, 'log'>, body: unknown, serde: MessageSerde): unknown {
  const bytes = bytesIn(body);
  if (bytes) return deserializeMessage(context, bytes, serde);
  if (typeof body === 'string') return deserializeMessage(context, Buffer.from(body), serde);
  return body ?? null;
}

function bytesIn(body: unknown): Buffer | undefined {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body !== 'object' || body === null || !('content' in body)) return undefined;
  const { content } = body;
  if (Buffer.isBuffer(content)) return content;
  return Array.isArray(content) && content.every((part) => Buffer.isBuffer(part))
    ? Buffer.concat(content)
    : undefined;
}

/** Values of AMQP as JSON has them: dates as text, wrapped numbers as numbers, other bytes as base64. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'object' && value !== null && 'value' in value ? toPlain(value.value) : value;
}

/** The properties that an application gave to a message. */
export const propertiesOf = (properties: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(properties ?? {}).map(([name, value]) => [name, toPlain(value)]));
