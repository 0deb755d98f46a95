import { Decimal, Temporal } from '@millrace/expression';
import { z } from 'zod';
import type { TaskContext } from './definition.ts';
import { choice } from './dynamic.ts';
import { TaskFailed } from './failure.ts';
import { writeTypedRows } from './files/typedRows.ts';

const fetchTypes = ['STORE', 'FETCH', 'FETCH_ONE', 'NONE'] as const;
export type FetchType = (typeof fetchTypes)[number];

export const fetchTypeProperty = (preset: FetchType) =>
  choice(fetchTypes)
    .default(preset)
    .describe(
      'Where the rows go: to a file in internal storage (`STORE`), to the output `rows` (`FETCH`), only the first of them to the output `row` (`FETCH_ONE`), or nowhere (`NONE`).',
    );

const row = z.record(z.string(), z.unknown());

export const fetchedOutput = {
  rows: z.array(row).optional().describe('The rows, with `FETCH`.'),
  row: row.nullable().optional().describe('The first row, with `FETCH_ONE`; null when there is none.'),
  uri: z.string().optional().describe('The file with one row a line, with `STORE`.'),
  size: z.number().describe('How many rows were read.'),
};

type Row = Record<string, unknown>;

export interface FetchedRows {
  readonly rows?: Row[];
  readonly row?: Row | null;
  readonly uri?: string;
  readonly size: number;
}

/**
 * Reads rows and stores them as the flow's `fetchType` says. Rows of a file are streamed and keep their
 * types; rows in outputs are plain JSON.
 */
export async function fetchRows(
  context: Pick<TaskContext, 'files' | 'signal'>,
  fetchType: FetchType,
  rows: Iterable<Row> | AsyncIterable<Row>,
): Promise<FetchedRows> {
  if (fetchType === 'STORE') {
    const writer = writeTypedRows(rows, context.signal);
    const uri = await context.files.put('rows.ion', writer.content);
    return { uri, size: writer.count };
  }
  if (fetchType === 'FETCH_ONE') {
    for await (const first of rows) return { row: toOutput(first), size: 1 };
    return { row: null, size: 0 };
  }
  const kept: Row[] = [];
  let size = 0;
  let length = 0;
  for await (const each of rows) {
    size++;
    if (size % 1000 === 0) context.signal.throwIfAborted();
    if (fetchType === 'NONE') continue;
    const value = toOutput(each);
    length += JSON.stringify(value).length;
    if (length > maxFetchedBytes) throw tooLarge();
    kept.push(value);
  }
  return fetchType === 'FETCH' ? { rows: kept, size } : { size };
}

/** Outputs are limited, so reading stops before the memory is full of rows that could not be stored. */
const maxFetchedBytes = 16 * 1_048_576;

const tooLarge = (): TaskFailed =>
  new TaskFailed(
    `The result is larger than ${maxFetchedBytes / 1_048_576} MB. Use "fetchType: STORE" to write it to a file.`,
    { retry: false },
  );

const toOutput = (value: Row): Row =>
  Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toJsonValue(inner)]));

/** Dates are ISO text, bytes are base64, and digits that a JSON reader would round are text. */
export function toJsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map(toJsonValue);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Decimal || value instanceof Temporal) return value.toString();
  if ('toJSON' in value && typeof value.toJSON === 'function') return toJsonValue(value.toJSON());
  return toOutput(value as Row); // `as`: any other object is a map here
}
