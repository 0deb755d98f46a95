import { type TaskContext, TaskFailed, toRow } from '@millrace/plugin-kit';
import type * as Mongo from 'mongodb';
import { z } from 'zod';

/** Converts a map or extended JSON text to the driver's document. */
export function readDocument(mongo: typeof Mongo, value: unknown, name: string): Mongo.Document {
  if (value === undefined || value === null) return {};
  try {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const read: unknown = mongo.BSON.EJSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read;
  } catch (error) {
    throw new TaskFailed(`"${name}" is not a document: ${String(error)}`, { retry: false });
  }
  throw new TaskFailed(`"${name}" must be a map.`, { retry: false });
}

/** A value of the database as flows use it: ids as text, dates in ISO form, bytes as base64. */
export function toPlain(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return typeof value === 'bigint' ? String(value) : value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPlain);
  const type = '_bsontype' in value ? String(value._bsontype) : undefined;
  switch (type) {
    case undefined:
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)]));
    case 'ObjectId':
    case 'Decimal128':
    case 'Long':
    case 'UUID':
      return String(value);
    case 'Int32':
    case 'Double':
      return Number(value);
    case 'Binary':
      return 'toString' in value ? (value as Mongo.Binary).toString('base64') : '';
    case 'Timestamp':
      return new Date((value as Mongo.Timestamp).getHighBits() * 1_000).toISOString();
    default:
      throw new TaskFailed(`A document holds a value of the type ${type}, which flows cannot use.`, {
        retry: false,
      });
  }
}

export const rowsOutput = z.object({
  rows: z.array(z.unknown()).optional().describe('The documents, unless they are stored.'),
  size: z.number().describe('How many documents there are.'),
  uri: z.string().optional().describe('A file with the documents, when they are stored.'),
});

/** Reads a cursor to its end: into a file with back-pressure, or into a list. */
export async function keepDocuments(
  context: TaskContext,
  cursor: AsyncIterable<Mongo.Document>,
  keep: 'STORE' | 'FETCH' | 'FETCH_ONE' | 'NONE',
): Promise<z.infer<typeof rowsOutput>> {
  let size = 0;
  const rows: unknown[] = [];
  const plain = async function* () {
    for await (const document of cursor) {
      size += 1;
      yield toPlain(document);
      if (keep === 'FETCH_ONE') return;
    }
  };
  const asRows = async function* () {
    for await (const row of plain()) yield toRow(row);
  };
  const uri = keep === 'STORE' ? await context.files.put('documents.ion', asRows()) : undefined;
  if (uri === undefined) for await (const row of plain()) if (keep !== 'NONE') rows.push(row);
  context.metric({ name: 'records', type: 'counter', value: size });
  return { size, ...(uri === undefined ? { rows } : { uri }) };
}
