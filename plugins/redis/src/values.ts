import { isStorageUri, readRows, type TaskContext } from '@millrace/plugin-kit';
import { type SerdeType, serialize } from './client.ts';

/** The values that `from` names, in their stored form. */
export async function* readValues(
  context: TaskContext,
  from: unknown,
  serde: SerdeType,
): AsyncIterable<string> {
  for await (const value of eachValue(context, from)) yield serialize(value, serde);
}

/** The values that `from` names: the rows of a stored file, a list, the JSON of a list, or one value. */
export async function* eachValue(context: TaskContext, from: unknown): AsyncIterable<unknown> {
  if (typeof from === 'string' && isStorageUri(from.trim())) {
    for await (const { value } of readRows(context, from.trim())) yield value;
    return;
  }
  yield* toList(from);
}

function toList(from: unknown): readonly unknown[] {
  if (Array.isArray(from)) return from;
  if (typeof from === 'string' && /^\s*\[/.test(from)) {
    try {
      const read: unknown = JSON.parse(from);
      if (Array.isArray(read)) return read;
    } catch {
      // A text that only looks like a list is one value.
    }
  }
  return [from];
}
