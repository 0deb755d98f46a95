import { choice, type TaskContext, toRow } from '@millrace/plugin-kit';
import { z } from 'zod';

export const fetchTypeProperty = () =>
  choice(['STORE', 'FETCH', 'FETCH_ONE', 'NONE'])
    .default('FETCH')
    .describe('Where the rows go: to a file (`STORE`), to the output `rows` or `row`, or nowhere.');

export type FetchType = 'STORE' | 'FETCH' | 'FETCH_ONE' | 'NONE';
export type Row = Readonly<Record<string, unknown>>;

export const rowsOutput = {
  size: z.number().describe('How many rows are returned.'),
  total: z.number().describe('How many rows match.'),
  rows: z.array(z.unknown()).optional().describe('The rows, with FETCH.'),
  row: z.unknown().optional().describe('The first row, with FETCH_ONE.'),
  uri: z.string().optional().describe('A file with the rows, with STORE.'),
};

/** Returns rows as the flow wants them. */
export async function keepRows(
  context: TaskContext,
  rows: readonly unknown[],
  total: number,
  fetchType: FetchType,
): Promise<{ size: number; total: number; rows?: unknown[]; row?: unknown; uri?: string }> {
  context.metric({ name: 'records', type: 'counter', value: rows.length });
  switch (fetchType) {
    case 'FETCH':
      return { size: rows.length, total, rows: [...rows] };
    case 'FETCH_ONE':
      return { size: Math.min(rows.length, 1), total, ...(rows.length > 0 && { row: rows[0] }) };
    case 'STORE':
      return { size: rows.length, total, uri: await context.files.put('rows.ion', asRows(rows)) };
    default:
      return { size: 0, total };
  }
}

async function* asRows(rows: readonly unknown[]): AsyncIterable<Uint8Array> {
  for (const row of rows) yield toRow(row);
}
