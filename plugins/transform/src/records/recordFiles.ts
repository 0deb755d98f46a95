import { Decimal, Real, Temporal } from '@millrace/expression';
import {
  choice,
  isStorageUri,
  messageOf,
  readTypedRows,
  someValue,
  type TaskContext,
  TaskFailed,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';

export const fromProperty = () =>
  someValue().describe(
    'The records: the URI of a file of rows, a list of maps, one map, or the JSON of either.',
  );

export const outputProperties = () => ({
  outputFormat: choice(['TEXT', 'BINARY'])
    .default('TEXT')
    .describe('Accepted for compatibility: files are always written as text, which every task reads.'),
  outputType: choice(['AUTO', 'RECORDS', 'STORE'])
    .default('AUTO')
    .describe('Store the records in a file, return them, or do what the input did.'),
});

export const recordsOutput = () =>
  z.object({
    uri: z.string().optional().describe('The file with the records, when they are stored.'),
    records: z.array(z.unknown()).optional().describe('The records, when they are returned.'),
  });

export interface RecordSource {
  readonly isFile: boolean;
  readonly records: AsyncIterable<unknown>;
}

/** Opens the source that `from` names. */
export function openRecords(context: TaskContext, from: unknown): RecordSource {
  if (typeof from === 'string') {
    const text = from.trim();
    if (isStorageUri(text)) return { isFile: true, records: readTypedRows(context, text) };
    return openRecords(context, parseJson(text));
  }
  if (Array.isArray(from)) return { isFile: false, records: each(from) };
  if (typeof from === 'object' && from !== null) return { isFile: false, records: each([from]) };
  throw new TaskFailed(`"from" must be records or the URI of a file of rows, got ${JSON.stringify(from)}.`, {
    retry: false,
  });
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object') return value;
  } catch (error) {
    throw new TaskFailed(`"from" is neither the URI of a file nor JSON: ${messageOf(error)}`, {
      retry: false,
    });
  }
  throw new TaskFailed('"from" must be a list of maps, or one map.', { retry: false });
}

async function* each(records: readonly unknown[]): AsyncGenerator<unknown> {
  yield* records;
}

/** Stores or returns the records, as the task requests. */
export async function giveRecords(
  context: TaskContext,
  outputType: 'AUTO' | 'RECORDS' | 'STORE',
  isFile: boolean,
  records: AsyncIterable<unknown>,
): Promise<{ uri?: string; records?: unknown[] }> {
  const isStored = outputType === 'STORE' || (outputType === 'AUTO' && isFile);
  if (isStored)
    return { uri: await context.files.put('records.ion', writeTypedRows(records, context.signal).content) };
  const returned: unknown[] = [];
  for await (const record of records) returned.push(toPlain(record));
  return { records: returned };
}

/** A value as outputs hold it: numbers, texts, lists and maps. */
export function toPlain(value: unknown): unknown {
  if (value instanceof Real) return value.value;
  if (value instanceof Decimal) return value.toNumber();
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Temporal) return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)]));
}
