import { raw, sql } from '../filters/sql.ts';
import type { Queries } from '../reads/queries.ts';
import { parseDocument } from '../rows/readable.ts';
import { decodeText } from '../rows/text.ts';
import type { UnreadableDocument } from './inspection.ts';

interface Documents {
  readonly kind: UnreadableDocument['kind'];
  readonly from: string;
  /** The columns that identify a row; an index has their order. */
  readonly key: readonly string[];
}

const documents: readonly Documents[] = [
  { kind: 'execution', from: 'executions WHERE closed_at IS NULL', key: ['id'] },
  { kind: 'trigger', from: 'triggers', key: ['namespace', 'flow_id', 'trigger_id'] },
  { kind: 'template', from: 'templates', key: ['namespace', 'id'] },
  { kind: 'dashboard', from: 'dashboards', key: ['id'] },
  { kind: 'test', from: 'flow_tests', key: ['namespace', 'id', 'version'] },
];

const rowsAtOnce = 500;

/** Finds documents that the server would skip or show as damaged. */
export async function findUnreadable(read: Queries['scan']): Promise<UnreadableDocument[]> {
  const found: UnreadableDocument[] = [];
  for (const { kind, from, key } of documents) {
    const columns = raw(key.join(', '));
    for (let offset = 0, isMore = true; isMore; offset += rowsAtOnce) {
      const rows = await read(
        sql`SELECT ${columns}, data FROM ${raw(from)} ORDER BY ${columns} LIMIT ${rowsAtOnce} OFFSET ${offset}`,
      );
      for (const row of rows.filter((each) => !isDocument(each.data)))
        found.push({ kind, name: key.map((column) => decodeText(String(row[column]))).join('/') });
      isMore = rows.length === rowsAtOnce;
    }
  }
  return found;
}

function isDocument(text: unknown): boolean {
  try {
    parseDocument(text);
    return true;
  } catch {
    return false;
  }
}
