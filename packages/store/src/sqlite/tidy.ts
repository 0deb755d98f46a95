import { rollUpKey } from '../rows/rollUp.ts';
import { extremesOf, findUnsettled, keyOfRow, settledPerStep } from '../rows/settleRollUp.ts';
import type { Row } from '../rows/value.ts';
import type { Database } from './openDatabase.ts';
import { StatementCache } from './statementCache.ts';

/** 200 pages are 1.6 MB: a few milliseconds. */
const pagesPerStep = 200;

/** Housekeeping of the writing thread, in small steps between commits. */
export class Tidying {
  readonly #database: Database;
  readonly #statements: StatementCache;

  constructor(database: Database) {
    this.#database = database;
    this.#statements = new StatementCache(database);
  }

  /** Returns true when there is more to do. */
  step(): boolean {
    const settled = this.#settleExtremes();
    const freed = this.#giveBackSpace();
    return settled || freed;
  }

  #settleExtremes(): boolean {
    const rows = this.#statements.all(findUnsettled, []);
    for (const row of rows) {
      const { text, params } = extremesOf(row);
      const found: Row | undefined = this.#statements.all(text, params)[0];
      this.#statements.run(
        `UPDATE roll_up SET shortest = ?, longest = ?, unsettled = 0 WHERE ${rollUpKey.map((name) => `${name} = ?`).join(' AND ')}`,
        [found?.shortest ?? null, found?.longest ?? null, ...keyOfRow(row)],
      );
    }
    return rows.length === settledPerStep;
  }

  /** Does nothing on a file created before incremental vacuum was enabled. */
  #giveBackSpace(): boolean {
    const [free] = this.#statements.all('PRAGMA freelist_count', []);
    const [mode] = this.#statements.all('PRAGMA auto_vacuum', []);
    if (Number(mode?.auto_vacuum) !== incremental || Number(free?.freelist_count) === 0) return false;
    this.#database.exec(`PRAGMA incremental_vacuum(${pagesPerStep})`);
    return Number(free?.freelist_count) > pagesPerStep;
  }
}

const incremental = 2;
