import { logTextColumns } from '../rows/columns.ts';
import { searchText } from '../rows/searchText.ts';
import { decodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import type { Database, Statement } from './openDatabase.ts';

/** Each step waits once for the disk; commits of other work wait for the step. */
const entriesPerStep = 1_000;

/**
 * Fills the full-text index of logs after the commits: within the commit it would cost more than the log
 * itself. `log_search_position` is the last indexed entry; searches compare entries after it one by one.
 */
export class LogIndex {
  readonly #database: Database;
  readonly #next: Statement;
  readonly #add: Statement;
  readonly #position: Statement;
  readonly #waiting: Statement;
  /** The last value of each column with its text: the entries of a task differ in their messages only. */
  readonly #known = new Map<string, { readonly value: string; readonly text: string }>();

  constructor(database: Database) {
    this.#database = database;
    this.#next = database.prepare(
      `SELECT id, ${logTextColumns.join(', ')} FROM logs
       WHERE id > (SELECT last_id FROM log_search_position) ORDER BY id LIMIT ${entriesPerStep}`,
    );
    this.#add = database.prepare('INSERT INTO log_search (rowid, text) VALUES (?, ?)');
    this.#position = database.prepare('UPDATE log_search_position SET last_id = ?');
    this.#waiting = database.prepare(
      'SELECT (SELECT coalesce(max(id), 0) FROM logs) - last_id AS count FROM log_search_position',
    );
  }

  /** The number of entries that are not indexed, at most: some may have been deleted. */
  waiting(): number {
    return Number((this.#waiting.get() as Row).count); // `as`: the table has one row.
  }

  /** Indexes the next few entries in a separate transaction. Returns true when there is more to do. */
  step(): boolean {
    // `as`: the columns are those of the statement.
    const rows = this.#next.all() as Row[];
    const last = rows[rows.length - 1];
    if (last === undefined) return false;
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      for (const row of rows) this.#add.run(Number(row.id), this.#textOf(row));
      this.#position.run(Number(last.id));
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    return rows.length === entriesPerStep;
  }

  /** SQLite has already rolled back after some errors; the caller reports the first error. */
  #rollBack(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {}
  }

  #textOf(row: Row): string {
    return logTextColumns.map((column) => this.#columnText(column, row[column])).join('');
  }

  #columnText(column: string, value: Row[string] | undefined): string {
    if (typeof value !== 'string') return '';
    const known = this.#known.get(column);
    if (known?.value === value) return known.text;
    const text = searchText(decodeText(value));
    this.#known.set(column, { value, text });
    return text;
  }
}
