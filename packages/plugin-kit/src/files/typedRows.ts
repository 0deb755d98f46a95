import type { TaskContext } from '../definition.ts';
import { messageOf, TaskFailed } from '../failure.ts';
import { toIonText } from './ionText.ts';
import { readItems } from './items.ts';
import { readIonText } from './readIonText.ts';

/** The rows of a stored file with their types: decimals, big integers, dates and bytes. Empty lines are skipped. */
export async function* readTypedRows(
  context: Pick<TaskContext, 'files' | 'signal'>,
  uri: string,
): AsyncGenerator<unknown, void, undefined> {
  let line = 0;
  for await (const text of readItems(await context.files.read(uri), '\n')) {
    line++;
    if (line % 1000 === 0) context.signal.throwIfAborted();
    if (text.trim() !== '') yield readLine(text, line);
  }
}

function readLine(text: string, line: number): unknown {
  try {
    return readIonText(text);
  } catch (error) {
    throw new TaskFailed(`Line ${line} is neither JSON nor Ion: ${messageOf(error)}`, { retry: false });
  }
}

export interface RowsWriter {
  /** How many rows were written. */
  readonly count: number;
  /** The content to store; rows are read as fast as the storage takes them. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Rows as the content of a file of rows, one Ion value per line. Types are preserved. */
export function writeTypedRows(
  rows: Iterable<unknown> | AsyncIterable<unknown>,
  signal?: AbortSignal,
): RowsWriter {
  const writer = { count: 0, content: chunksOf(lines(), signal) };
  async function* lines(): AsyncGenerator<string> {
    for await (const row of rows) {
      writer.count++;
      yield `${toIonText(row)}\n`;
    }
  }
  return writer;
}

const chunkLength = 64 * 1024;

/** Small texts joined to chunks that are worth a write. */
export async function* chunksOf(
  texts: AsyncIterable<string> | Iterable<string>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let pending = '';
  for await (const text of texts) {
    pending += text;
    if (pending.length < chunkLength) continue;
    signal?.throwIfAborted();
    yield Buffer.from(pending);
    pending = '';
  }
  if (pending !== '') yield Buffer.from(pending);
}
