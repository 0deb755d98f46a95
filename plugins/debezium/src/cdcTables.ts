/**
 * Changes of SQL Server. An agent of the server copies committed changes from the log to one change table per captured
 * table. Rows of all change tables are merged by their log sequence number (LSN), so that they arrive in the order of
 * their commits, and the LSN of the last one taken is the position.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Change, type ChangeSource, createFilter, type Values } from './change.ts';
import type { SharedInput } from './database.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Query = (
  sql: string,
  values?: Readonly<Record<string, string | Buffer>>,
) => Promise<readonly Row[]>;

interface CdcInput extends SharedInput {
  readonly database: string;
  readonly snapshotMode: 'INITIAL' | 'INITIAL_ONLY' | 'SCHEMA_ONLY';
}

/** LSN and sequence of the last change taken, in hexadecimal, and while the snapshot is read its last row. */
const Position = z.object({
  lsn: z.string(),
  sequence: z.string(),
  snapshot: z.object({ table: z.string(), after: z.array(z.string()).optional() }).optional(),
});
type Position = z.infer<typeof Position>;

interface Table {
  readonly schema: string;
  readonly name: string;
  readonly instance: string;
  readonly keys: readonly string[];
}

const batchSize = 500;
const pauseMs = 500;
const noSequence = '00'.repeat(10);
const quote = (name: string): string => `[${name.replaceAll(']', ']]')}]`;
const hex = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString('hex') : '');

const tablesSql = `SELECT s.name AS table_schema, t.name AS table_name, c.capture_instance AS instance,
  (SELECT STRING_AGG(col.name, CHAR(10)) WITHIN GROUP (ORDER BY ic.key_ordinal) FROM sys.indexes i
    JOIN sys.index_columns ic ON ic.object_id = i.object_id AND ic.index_id = i.index_id
    JOIN sys.columns col ON col.object_id = ic.object_id AND col.column_id = ic.column_id
    WHERE i.object_id = t.object_id AND i.is_primary_key = 1) AS table_keys
  FROM cdc.change_tables c JOIN sys.tables t ON t.object_id = c.source_object_id
  JOIN sys.schemas s ON s.schema_id = t.schema_id ORDER BY s.name, t.name, c.create_date DESC`;

const changesSql = (
  instance: string,
) => `SELECT TOP ${batchSize} sys.fn_cdc_map_lsn_to_time(__$start_lsn) AS __$time, *
  FROM cdc.${quote(`${instance}_CT`)}
  WHERE (__$start_lsn > @lsn OR (__$start_lsn = @lsn AND __$seqval > @sequence)) AND __$start_lsn <= @max
  ORDER BY __$start_lsn, __$seqval, __$operation`;

export class CdcSource implements ChangeSource {
  readonly resumesSnapshot = true;
  readonly #query: Query;
  readonly #close: () => void;
  readonly #input: CdcInput;
  readonly #tables: readonly Table[];
  #position: Position;
  #snapshot: AsyncGenerator<Change> | undefined;
  #log: AsyncGenerator<Change> | undefined;

  private constructor(
    query: Query,
    close: () => void,
    input: CdcInput,
    state: {
      readonly tables: readonly Table[];
      readonly position: Position;
      readonly takesSnapshot: boolean;
    },
  ) {
    this.#query = query;
    this.#close = close;
    this.#input = input;
    this.#tables = state.tables;
    this.#position = state.position;
    if (state.takesSnapshot) this.#snapshot = this.#readTables(state.position.snapshot);
  }

  static async open(query: Query, close: () => void, input: CdcInput, stored: unknown): Promise<CdcSource> {
    const [enabled] = await query(
      'SELECT is_cdc_enabled AS enabled FROM sys.databases WHERE name = DB_NAME()',
    );
    if (!enabled || Number(enabled.enabled) !== 1)
      throw new TaskFailed(
        `Change data capture is not enabled in the database "${input.database}": run sys.sp_cdc_enable_db and sys.sp_cdc_enable_table.`,
        { retry: false },
      );
    const tables = newestOf((await query(tablesSql)).map(toTable)).filter(wantedTables(input));
    if (tables.length === 0)
      throw new TaskFailed(
        'No wanted table has change data capture enabled: run sys.sp_cdc_enable_table for each.',
        { retry: false },
      );
    const known = Position.safeParse(stored).data;
    if (known) await refuseLostChanges(query, tables, known);
    // Read before the snapshot: changes of that moment may be captured twice, but none is missed.
    const position = known ?? { lsn: await maxLsn(query), sequence: noSequence };
    const isNew = !known || known.snapshot !== undefined;
    return new CdcSource(query, close, input, {
      tables,
      position,
      takesSnapshot: isNew && input.snapshotMode !== 'SCHEMA_ONLY',
    });
  }

  isInSnapshot(): boolean {
    return this.#snapshot !== undefined;
  }

  position(): unknown {
    return this.#position;
  }

  /** The flow stores the position, and the server deletes old changes by its own schedule. */
  async confirm(): Promise<void> {}

  async next(waitMs: number): Promise<Change | undefined> {
    const read = await this.#snapshot?.next();
    if (read && !read.done) return read.value;
    if (this.#snapshot) this.#position = { lsn: this.#position.lsn, sequence: this.#position.sequence };
    this.#snapshot = undefined;
    if (this.#input.snapshotMode === 'INITIAL_ONLY') return undefined;
    for (const deadline = Date.now() + waitMs; ; ) {
      this.#log ??= this.#readChanges(await maxLsn(this.#query));
      const { value } = await this.#log.next();
      if (value) return value;
      this.#log = undefined;
      const left = deadline - Date.now();
      if (left <= 0) return undefined;
      await delay(Math.min(left, pauseMs));
    }
  }

  async close(): Promise<void> {
    this.#close();
  }

  /** Changes of all tables up to an LSN, merged in the order of the log. */
  async *#readChanges(max: string): AsyncGenerator<Change, undefined> {
    if (max === '') return undefined;
    const cursors = this.#tables.map((table) => new TableCursor(this.#query, table, this.#position, max));
    for (;;) {
      let first: TableCursor | undefined;
      for (const cursor of cursors) {
        const at = await cursor.peek();
        if (at !== undefined && (first === undefined || at < (first.at ?? ''))) first = cursor;
      }
      const rows = first?.take();
      if (!first || !rows) return undefined;
      const { lsn, sequence } = rows;
      this.#position = { lsn, sequence };
      yield this.#toChange(first.table, rows);
    }
  }

  #toChange(table: Table, { lsn, sequence, before, after, operation, at }: Changed): Change {
    const row = after ?? before ?? {};
    return {
      operation,
      database: this.#input.database,
      schema: table.schema,
      table: table.name,
      key: Object.fromEntries(table.keys.map((name) => [name, row[name] ?? null])),
      before: before && this.#columns(table, before),
      after: after && this.#columns(table, after),
      timestamp: at,
      source: { connector: 'sqlserver', change_lsn: sequence, commit_lsn: lsn, snapshot: false },
      id: `${table.instance}/${lsn}/${sequence}`,
    };
  }

  #columns({ schema, name }: Table, row: Values): Values {
    const wanted = createFilter(this.#input.includedColumns, this.#input.excludedColumns);
    return Object.fromEntries(
      Object.entries(row).filter(([column]) => wanted(`${schema}.${name}.${column}`, `${name}.${column}`)),
    );
  }

  /** Rows in the order of their keys, so that an interrupted snapshot continues where it stopped. */
  async *#readTables(from: Position['snapshot']): AsyncGenerator<Change> {
    for (const table of this.#tables) {
      const name = `${table.schema}.${table.name}`;
      if (from && name < from.table) continue;
      let after = from && name === from.table ? from.after : undefined;
      for (;;) {
        const rows = await this.#query(snapshotSql(table, after), keyValues(after));
        for (const row of rows) {
          const values = plainRow(row);
          if (table.keys.length > 0) {
            after = table.keys.map((key) => String(values[key]));
            this.#position = { ...this.#position, snapshot: { table: name, after } };
          } else this.#position = { ...this.#position, snapshot: { table: name } };
          const key = Object.fromEntries(table.keys.map((column) => [column, values[column] ?? null]));
          yield {
            operation: 'r',
            database: this.#input.database,
            schema: table.schema,
            table: table.name,
            key,
            before: null,
            after: this.#columns(table, values),
            timestamp: Date.now(),
            source: { connector: 'sqlserver', snapshot: true },
            id: `snapshot/${name}/${JSON.stringify(table.keys.length > 0 ? key : values)}`,
          };
        }
        if (table.keys.length === 0 || rows.length < batchSize) break;
      }
    }
  }
}

/** A table without a primary key is read at once, and again when the snapshot was interrupted. */
function snapshotSql({ schema, name, keys }: Table, after: readonly string[] | undefined): string {
  const from = `FROM ${quote(schema)}.${quote(name)}`;
  if (keys.length === 0) return `SELECT * ${from}`;
  const order = keys.map(quote).join(', ');
  const beyond = keys.map((key, index) => {
    const equal = keys.slice(0, index).map((before, at) => `${quote(before)} = @k${at}`);
    return `(${[...equal, `${quote(key)} > @k${index}`].join(' AND ')})`;
  });
  const where = after ? `WHERE ${beyond.join(' OR ')} ` : '';
  return `SELECT TOP ${batchSize} * ${from} ${where}ORDER BY ${order}`;
}

const keyValues = (after: readonly string[] | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((after ?? []).map((value, index) => [`k${index}`, value]));

interface Changed {
  readonly lsn: string;
  readonly sequence: string;
  readonly operation: 'c' | 'u' | 'd';
  readonly before: Values | null;
  readonly after: Values | null;
  /** Milliseconds. */
  readonly at: number;
}

const operations = { deleted: 1, inserted: 2, before: 3, after: 4 };

/** The changes of one table, read in batches. */
class TableCursor {
  readonly #query: Query;
  readonly #max: string;
  readonly table: Table;
  #rows: Row[] = [];
  #last: Pick<Position, 'lsn' | 'sequence'>;
  #isAtEnd = false;

  constructor(query: Query, table: Table, from: Position, max: string) {
    this.#query = query;
    this.table = table;
    this.#last = from;
    this.#max = max;
  }

  get at(): string | undefined {
    const [row] = this.#rows;
    return row && `${hex(row.__$start_lsn)}/${hex(row.__$seqval)}`;
  }

  async peek(): Promise<string | undefined> {
    // Two rows, because an update has one for the row before and one for the row after.
    if (this.#rows.length < 2 && !this.#isAtEnd) {
      const kept = this.#rows;
      const rows = await this.#query(changesSql(this.table.instance), {
        lsn: Buffer.from(this.#last.lsn || noSequence, 'hex'),
        sequence: Buffer.from(this.#last.sequence, 'hex'),
        max: Buffer.from(this.#max, 'hex'),
      });
      this.#isAtEnd = rows.length < batchSize;
      this.#rows = [...rows];
      if (kept.length > 0 && rows.length === 0) this.#rows = kept;
    }
    return this.at;
  }

  take(): Changed | undefined {
    const row = this.#rows.shift();
    if (!row) return undefined;
    const [lsn, sequence] = [hex(row.__$start_lsn), hex(row.__$seqval)];
    this.#last = { lsn, sequence };
    const at = row.__$time instanceof Date ? row.__$time.getTime() : Date.now();
    const values = plainRow(row);
    const operation = Number(row.__$operation);
    if (operation === operations.inserted)
      return { lsn, sequence, operation: 'c', before: null, after: values, at };
    if (operation === operations.deleted)
      return { lsn, sequence, operation: 'd', before: values, after: null, at };
    const next = operation === operations.before ? this.#rows.shift() : undefined;
    if (!next) return { lsn, sequence, operation: 'u', before: null, after: values, at };
    return { lsn, sequence, operation: 'u', before: values, after: plainRow(next), at };
  }
}

/** The columns of the table, with dates as text and bytes as base64. */
const plainRow = (row: Row): Values =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => !name.startsWith('__$'))
      .map(([name, value]) => {
        if (value instanceof Date) return [name, value.toISOString()];
        return [name, Buffer.isBuffer(value) ? value.toString('base64') : value];
      }),
  );

const toTable = (row: Row): Table => ({
  schema: String(row.table_schema),
  name: String(row.table_name),
  instance: String(row.instance),
  keys: row.table_keys ? String(row.table_keys).split('\n') : [],
});

/** A table may have two capture instances while its columns change; the newer one comes first. */
const newestOf = (tables: readonly Table[]): readonly Table[] =>
  tables.filter(
    ({ schema, name }, index) =>
      tables.findIndex((each) => each.schema === schema && each.name === name) === index,
  );

function wantedTables(input: CdcInput): (table: Table) => boolean {
  const databases = createFilter(input.includedDatabases, input.excludedDatabases);
  const tables = createFilter(input.includedTables, input.excludedTables);
  return ({ schema, name }) =>
    databases(input.database) && tables(`${schema}.${name}`, name, `${input.database}.${schema}.${name}`);
}

async function maxLsn(query: Query): Promise<string> {
  const [row] = await query('SELECT sys.fn_cdc_get_max_lsn() AS lsn');
  return hex(row?.lsn);
}

/** The server deletes changes after its retention period; a position before that would skip some of them. */
async function refuseLostChanges(query: Query, tables: readonly Table[], { lsn }: Position): Promise<void> {
  for (const { instance } of tables) {
    const [row] = await query(
      'SELECT sys.fn_cdc_get_min_lsn(@instance) AS lsn, start_lsn FROM cdc.change_tables WHERE capture_instance = @instance',
      { instance },
    );
    const [kept, started] = [hex(row?.lsn), hex(row?.start_lsn)];
    // A table whose capture began later has no older changes.
    if (lsn !== '' && kept > lsn && kept !== started)
      throw new TaskFailed(
        `SQL Server has deleted changes of "${instance}" that were not captured yet. Delete the stored position to start with a new snapshot, and raise the retention of the CDC cleanup job.`,
        { retry: false },
      );
  }
}
