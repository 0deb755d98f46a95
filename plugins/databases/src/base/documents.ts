import { isStorageUri, readTypedRows, type TaskContext, TaskFailed, toJsonValue } from '@millrace/plugin-kit';
import { isMap } from './callService.ts';

/** The documents of `from`: a URI of internal storage with one row a line, a list of maps, one map, or their JSON text. */
export async function* readDocuments(
  context: TaskContext,
  from: unknown,
): AsyncGenerator<Record<string, unknown>> {
  if (typeof from === 'string' && isStorageUri(from.trim())) {
    for await (const row of readTypedRows(context, from.trim())) yield* documentsOf(toJsonValue(row));
    return;
  }
  yield* documentsOf(typeof from === 'string' ? parse(from) : from);
}

function* documentsOf(value: unknown): Generator<Record<string, unknown>> {
  if (Array.isArray(value)) for (const each of value) yield* documentsOf(each);
  else if (isMap(value)) yield value;
  else
    throw new TaskFailed(`A document must be a map, got ${JSON.stringify(value)?.slice(0, 100)}.`, {
      retry: false,
    });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TaskFailed(
      'Expected the URI of a file in internal storage, or JSON with a map or a list of maps.',
      {
        retry: false,
        cause,
      },
    );
  }
}

/** Lists of at most this many items. */
export async function* batchesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
