import type { TaskContext } from '../definition.ts';

export type MessageSerde = 'STRING' | 'JSON' | 'BYTES';

/** A value of a flow as the content of a message. A text that is JSON already is not written as a text again. */
export function serializeMessage(value: unknown, serde: MessageSerde): Buffer {
  if (value === undefined || value === null) return serde === 'JSON' ? Buffer.from('null') : Buffer.alloc(0);
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (serde !== 'JSON' && typeof value === 'string') return Buffer.from(value);
  const read = typeof value === 'string' ? readJson(value) : { value };
  return Buffer.from(JSON.stringify(read ? read.value : value));
}

/**
 * The content of a message as a value of a flow. Invalid JSON is returned as text with a warning, because a
 * failure would redeliver the same message forever.
 */
export function deserializeMessage(
  context: Pick<TaskContext, 'log'>,
  content: Uint8Array,
  serde: MessageSerde,
): unknown {
  if (serde === 'BYTES') return content;
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('utf8');
  if (serde === 'STRING') return text;
  const read = readJson(text);
  if (read) return read.value;
  void context.log('WARN', `A message is not JSON and is handed over as text: ${text.slice(0, 100)}`);
  return text;
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** A value for the outputs of a trigger, where bytes are base64 text. */
export const toOutputValue = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
