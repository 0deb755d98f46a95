import { randomUUID } from 'node:crypto';
import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { exactJson } from './exactNumber.js';
import type { Row } from './session.ts';

export const fetchTypes = ['STORE', 'FETCH', 'FETCH_ONE', 'NONE'] as const;
export type FetchType = (typeof fetchTypes)[number];

export interface FetchChoice {
  readonly fetchType: FetchType;
  readonly store: boolean;
  readonly fetchOne: boolean;
  readonly fetch: boolean;
}

/** The deprecated switches win over `fetchType`. */
export function fetchTypeOf({ fetchType, store, fetchOne, fetch }: FetchChoice): FetchType {
  if (fetchOne) return 'FETCH_ONE';
  if (store) return 'STORE';
  return fetch ? 'FETCH' : fetchType;
}

export interface KeptRows {
  readonly row?: Row | null;
  readonly rows?: Row[];
  readonly uri?: string;
  readonly size?: number;
}

type Batches = AsyncIterable<readonly Row[]>;

/** Reads a result set and keeps the rows that the task requests. */
export async function keepRows(
  context: Pick<TaskContext, 'files' | 'signal'>,
  fetchType: FetchType,
  batches: Batches,
): Promise<KeptRows> {
  switch (fetchType) {
    case 'STORE':
      return storeRows(context, batches);
    case 'FETCH':
      return fetchRows(batches);
    case 'FETCH_ONE':
      return fetchOneRow(batches);
    case 'NONE':
      for await (const _ of batches) context.signal.throwIfAborted();
      return {};
  }
}

/** Metrics are labeled with how the rows were kept. */
export function countRows(
  context: Pick<TaskContext, 'metric'>,
  fetchType: FetchType,
  kept: KeptRows | undefined,
): void {
  if (kept?.size === undefined) return;
  const tags = { fetch: String(fetchType.startsWith('FETCH')), store: String(fetchType === 'STORE') };
  context.metric({ name: 'fetch.size', type: 'counter', value: kept.size, tags });
}

/** Outputs are limited, so reading stops before the memory is full of rows that could not be stored. */
export const maxFetchedBytes = 16 * 1_048_576;

async function fetchRows(batches: Batches): Promise<KeptRows> {
  const rows: Row[] = [];
  let bytes = 0;
  for await (const batch of batches)
    for (const row of batch) {
      const text = exactJson(row);
      bytes += text.length;
      if (bytes > maxFetchedBytes) throw tooLarge();
      rows.push(toOutput(row));
    }
  return { rows, size: rows.length };
}

export const tooLarge = (): TaskFailed =>
  new TaskFailed(
    `The result is larger than ${maxFetchedBytes / 1_048_576} MB. Use "fetchType: STORE" to write it to a file.`,
    { retry: false },
  );

async function fetchOneRow(batches: Batches): Promise<KeptRows> {
  for await (const [row] of batches) if (row !== undefined) return { row: toOutput(row), size: 1 };
  return { row: null, size: 0 };
}

/** Plain JSON values: digits that JSON readers would round are text. */
// `as`: the JSON of a row is a row.
const toOutput = (row: Row): Row => JSON.parse(JSON.stringify(row)) as Row;

const chunkBytes = 64 * 1024;

async function storeRows(
  context: Pick<TaskContext, 'files' | 'signal'>,
  batches: Batches,
): Promise<KeptRows> {
  let size = 0;
  async function* content(): AsyncIterable<Uint8Array> {
    let text = '';
    for await (const batch of batches) {
      context.signal.throwIfAborted();
      for (const row of batch) {
        text += `${exactJson(row)}\n`;
        size++;
        if (text.length > chunkBytes) {
          yield Buffer.from(text);
          text = '';
        }
      }
    }
    if (text !== '') yield Buffer.from(text);
  }
  const uri = await context.files.put(`${randomUUID()}.ion`, content());
  return { uri, size };
}
