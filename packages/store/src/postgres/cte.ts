type ColumnType = 'text' | 'bigint' | 'integer' | 'smallint' | 'double precision';

/** One piece of the statement that writes a batch: rows of these columns arrive as arrays and become `u`. */
export interface Cte {
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /**
   * The command on the rows `from`, which is `unnest(…) u(…)`; `leaving` are the parts of the statement that
   * select the rows to subtract from the roll-up.
   */
  readonly command: (from: string, leaving: readonly string[]) => string;
  /** Every row must lead to one returned row, otherwise the statement fails and the batch is rolled back. */
  readonly guarded?: true;
}

const integers = new Set([
  'flow_revision',
  'attempt',
  'revision',
  'version',
  'seq',
  'day',
  'position',
  'step',
]);
const bigints = new Set([
  'start_date',
  'end_date',
  'duration',
  'closed_at',
  'at',
  'created_at',
  'updated_at',
  'expires_at',
  'next_at',
  'n',
  'ends_at',
  'used_at',
  'before',
  'shortest',
  'log_id',
  'longest',
]);
const smallints = new Set(['level', 'disabled', 'deleted', 'subject', 'unsettled']);

export const typed = (names: readonly string[]): Cte['columns'] =>
  names.map((name) => [name, typeOf(name)] as const);

function typeOf(name: string): ColumnType {
  if (integers.has(name)) return 'integer';
  if (bigints.has(name) || name.startsWith('expect_')) return 'bigint';
  if (smallints.has(name)) return 'smallint';
  return name === 'metric_value' ? 'double precision' : 'text';
}

export const insertInto = (table: string, names: readonly string[], end = ''): Cte => ({
  columns: typed(names),
  command: (from) =>
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `u.${name}`).join(', ')} FROM ${from}${end}`,
});

export const guard = (part: Cte): Cte => ({ ...part, guarded: true });
