import { Decimal, Real, Temporal } from '@millrace/expression';
import type { TaskContext } from '../definition.ts';
import { isStorageUri } from '../files/storageUri.ts';
import { readTypedRows } from '../files/typedRows.ts';

/**
 * Streams the messages of a `from` property: the rows of a stored file, the items of a list, or a single
 * value. The JSON text of a list or a map, as an expression renders it, is parsed first; any other text is
 * one message.
 */
export async function* readMessages(
  context: Pick<TaskContext, 'files' | 'signal'>,
  from: unknown,
): AsyncGenerator<unknown, void, undefined> {
  if (typeof from === 'string' && isStorageUri(from.trim())) {
    for await (const row of readTypedRows(context, from.trim())) yield toPlain(row);
    return;
  }
  const value = typeof from === 'string' ? readJson(from) : from;
  if (!Array.isArray(value)) yield value;
  else for (const item of value) yield* readMessages(context, item);
}

/** Dates as text and numbers as numbers, as JSON has them; bytes stay bytes. */
function toPlain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(toPlain);
  if (value instanceof Temporal) return value.toString();
  if (value instanceof Decimal || value instanceof Real) return Number(value);
  const entries: Iterable<[string, unknown]> = value instanceof Map ? value : Object.entries(value);
  return Object.fromEntries([...entries].map(([key, item]) => [key, toPlain(item)]));
}

function readJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A message as a map; any other value becomes the map's only field. */
export const asMessage = (value: unknown, field: string): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? (value as Readonly<Record<string, unknown>>) // a map, as was just checked
    : { [field]: value };
