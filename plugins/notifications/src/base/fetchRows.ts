import { choice, type TaskContext, toRow } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { JsonMap } from './jsonText.ts';

export const fetchType = () =>
  choice(['STORE', 'FETCH', 'FETCH_ONE', 'NONE'])
    .default('FETCH')
    .describe(
      'What becomes of the rows: a file in internal storage (`STORE`), all in the outputs (`FETCH`), only the first (`FETCH_ONE`) or nothing (`NONE`).',
    );

const row = z.record(z.string(), z.unknown());

export const rowsOutput = {
  rows: z.array(row).optional().describe('The rows, with `FETCH`.'),
  row: row.optional().describe('The first row, with `FETCH_ONE`.'),
  uri: z.string().optional().describe('The file with one row a line, with `STORE`.'),
  size: z.number().describe('How many rows there are.'),
};

interface FetchedRows {
  readonly rows?: JsonMap[];
  readonly row?: Record<string, unknown>;
  readonly uri?: string;
  readonly size: number;
}

/** Keeps the rows in the way that was asked for; those of a file are never all in memory. */
export async function fetchRows(
  context: Pick<TaskContext, 'files'>,
  kind: 'STORE' | 'FETCH' | 'FETCH_ONE' | 'NONE',
  source: AsyncIterable<JsonMap>,
): Promise<FetchedRows> {
  switch (kind) {
    case 'STORE':
      return storeRows(context, source);
    case 'FETCH_ONE': {
      for await (const first of source) return { row: { ...first }, size: 1 };
      return { size: 0 };
    }
    default: {
      const rows: JsonMap[] = [];
      let size = 0;
      for await (const each of source) {
        size++;
        if (kind === 'FETCH') rows.push(each);
      }
      return kind === 'FETCH' ? { rows, size } : { size };
    }
  }
}

async function storeRows(
  { files }: Pick<TaskContext, 'files'>,
  source: AsyncIterable<JsonMap>,
): Promise<FetchedRows> {
  let size = 0;
  async function* lines() {
    for await (const each of source) {
      size++;
      yield toRow(each);
    }
  }
  const uri = await files.put('rows.ion', lines());
  return { uri, size };
}
