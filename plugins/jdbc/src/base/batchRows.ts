import {
  isStorageUri,
  messageOf,
  ownPrefix,
  readInside,
  readItems,
  type TaskContext,
  TaskFailed,
  writeInside,
} from '@millrace/plugin-kit';
import { ExactNumber, parseExactJson } from './exactNumber.js';

export interface BatchSource {
  readonly from: string;
  readonly inputHandling: 'AUTO' | 'STREAM' | 'LOCAL';
  readonly localBufferMaxBytes: number;
}

/** The file of rows could not be read. */
export class InputFailed extends Error {}

/** The values of each row, in the order of the columns; numbers that JavaScript would round are text. */
export async function* readBatchRows(
  context: TaskContext,
  source: BatchSource,
  columns: readonly string[] | undefined,
): AsyncGenerator<readonly unknown[]> {
  if (!isStorageUri(source.from))
    throw new TaskFailed(`"from" must be the URI of a file in internal storage, got "${source.from}".`, {
      retry: false,
    });
  for await (const line of readLines(context, source)) {
    if (line.trim() !== '') yield valuesOf(await readRow(context, line), columns);
  }
}

async function* readLines(context: TaskContext, source: BatchSource): AsyncGenerator<string> {
  try {
    yield* readItems(await openFile(context, source), '\n');
  } catch (error) {
    if (error instanceof TaskFailed) throw error;
    throw new InputFailed(`The file ${source.from} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

async function openFile(
  context: TaskContext,
  { from, inputHandling, localBufferMaxBytes }: BatchSource,
): Promise<AsyncIterable<Uint8Array>> {
  const size = (await context.files.sizeOf(from)) ?? 0;
  const fits = size <= localBufferMaxBytes;
  if (inputHandling === 'LOCAL' && !fits)
    throw new TaskFailed(
      `The file has ${size} bytes, and "localBufferMaxBytes" allows ${localBufferMaxBytes}. Use "inputHandling: STREAM".`,
      { retry: false },
    );
  if (inputHandling === 'STREAM' || !fits) return context.files.read(from);
  const folder = await context.workingDirectory();
  const name = `${ownPrefix}batch-rows`;
  await writeInside(folder, name, await context.files.read(from));
  return readInside(folder, name);
}

async function readRow(context: TaskContext, line: string): Promise<unknown> {
  try {
    return parseExactJson(line);
  } catch {
    // The expression language reads Ion, so it reads the rows that are not JSON.
    return context.renderTyped('{{ fromIon(row) }}', { row: line });
  }
}

function valuesOf(row: unknown, columns: readonly string[] | undefined): readonly unknown[] {
  if (Array.isArray(row)) return row.map(toValue);
  if (typeof row !== 'object' || row === null || row instanceof ExactNumber)
    throw new TaskFailed(`Each row must be a map or a list, got ${JSON.stringify(row)}.`, { retry: false });
  const fields = Object.entries(row);
  if (columns === undefined) return fields.map(([, value]) => toValue(value));
  const byName = new Map(fields);
  // Some databases return the names of their columns in upper case.
  const byAnyCase = new Map(fields.map(([name, value]) => [name.toLowerCase(), value]));
  return columns.map((name) =>
    toValue(byName.has(name) ? byName.get(name) : byAnyCase.get(name.toLowerCase())),
  );
}

/** Passes digits as text to the driver where a number would be rounded, and dates as ISO text. */
function toValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof ExactNumber) return value.toJSON();
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'object' && !Array.isArray(value) && value.constructor !== Object)
    return String(value);
  return value;
}
