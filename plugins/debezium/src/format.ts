import { choice, text } from '@millrace/plugin-kit';
import type { Change, Values } from './change.ts';

export const formatProperties = () => ({
  format: choice(['RAW', 'INLINE', 'WRAP'])
    .default('INLINE')
    .describe(
      '`INLINE`: the columns of the row, of a deleted row those before. `WRAP`: the same inside `record`. `RAW`: `key` and `value` with `before`, `after`, `op`, `ts_ms` and `source`.',
    ),
  deleted: choice(['ADD_FIELD', 'NULL', 'DROP'])
    .default('ADD_FIELD')
    .describe(
      'Deleted rows: mark them with a field, set all columns but the key to null, or leave them out.',
    ),
  deletedFieldName: text().default('deleted').describe('The field that marks deleted rows.'),
  key: choice(['ADD_FIELD', 'DROP'])
    .default('ADD_FIELD')
    .describe('Whether the columns of the key are added to the row.'),
  metadata: choice(['ADD_FIELD', 'DROP'])
    .default('ADD_FIELD')
    .describe('Whether database, table, operation and position are added to the row.'),
  metadataFieldName: text().default('metadata').describe('The field of the metadata.'),
  splitTable: choice(['OFF', 'DATABASE', 'TABLE'])
    .default('TABLE')
    .describe('One file for everything (`data`), one per database, or one per table (`database.table`).'),
});

export interface FormatInput {
  readonly format: 'RAW' | 'INLINE' | 'WRAP';
  readonly deleted: 'ADD_FIELD' | 'NULL' | 'DROP';
  readonly deletedFieldName: string;
  readonly key: 'ADD_FIELD' | 'DROP';
  readonly metadata: 'ADD_FIELD' | 'DROP';
  readonly metadataFieldName: string;
  readonly splitTable: 'OFF' | 'DATABASE' | 'TABLE';
}

export interface Formatted {
  readonly stream: string;
  readonly data: Values;
}

/** Formats a change as a row of its stream; undefined for a change that is left out. */
export function formatChange(change: Change, input: FormatInput): Formatted | undefined {
  const isDeleted = change.operation === 'd';
  if (isDeleted && input.deleted === 'DROP') return undefined;
  const stream = streamOf(change, input.splitTable);
  if (input.format === 'RAW') return { stream, data: { key: change.key, value: envelope(change) } };
  const columns = isDeleted ? deletedColumns(change, input) : (change.after ?? {});
  const row: Values = {
    ...(input.key === 'ADD_FIELD' && change.key),
    ...columns,
    ...(input.deleted === 'ADD_FIELD' && { [input.deletedFieldName]: isDeleted }),
    ...(input.metadata === 'ADD_FIELD' && { [input.metadataFieldName]: metadataOf(change) }),
  };
  return { stream, data: input.format === 'WRAP' ? { record: row } : row };
}

function streamOf({ database, table }: Change, split: FormatInput['splitTable']): string {
  if (split === 'OFF') return 'data';
  return split === 'DATABASE' ? database : `${database}.${table}`;
}

function deletedColumns({ before, key }: Change, { deleted }: FormatInput): Values {
  if (deleted !== 'NULL') return before ?? {};
  const nulls = Object.keys(before ?? {}).map((column) => [column, null]);
  return { ...Object.fromEntries(nulls), ...key };
}

const sourceOf = ({ database, schema, table, timestamp, source }: Change): Values => ({
  db: database,
  ...(schema !== undefined && { schema }),
  table,
  ts_ms: timestamp,
  ...source,
});

const metadataOf = (change: Change): Values => ({ ...sourceOf(change), op: change.operation });

const envelope = (change: Change): Values => ({
  before: change.before,
  after: change.after,
  source: sourceOf(change),
  op: change.operation,
  ts_ms: change.timestamp,
});
