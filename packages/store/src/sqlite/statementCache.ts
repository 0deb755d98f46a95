import type { Row, SqlValue } from '../rows/value.ts';
import type { Database, Statement } from './openDatabase.ts';

const capacity = 200;

/** An LRU cache of prepared statements by text: filters produce many different texts. */
export class StatementCache {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  all(text: string, params: readonly SqlValue[]): Row[] {
    // `as`: the driver gives rows by column name, and no column holds a blob or a big integer.
    return this.#get(text).all(...params) as Row[];
  }

  run(text: string, params: readonly SqlValue[]): void {
    this.#get(text).run(...params);
  }

  #get(text: string): Statement {
    const statement = this.#statements.get(text) ?? this.#database.prepare(text);
    this.#statements.delete(text);
    this.#statements.set(text, statement);
    if (this.#statements.size > capacity) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    return statement;
  }
}
