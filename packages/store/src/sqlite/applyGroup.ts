import { StatSums } from '../commit/statSums.ts';
import type { SqlValue } from '../rows/value.ts';
import type { Database, Statement } from './openDatabase.ts';
import { codeOf, statementList } from './statements.ts';

/** Why a unit was not applied: the place of the write whose guard failed, or what SQLite said. */
export type UnitFailure = { readonly unit: number } & (
  | { readonly conflictAt: number }
  | { readonly message: string }
);

type Units = readonly (readonly SqlValue[])[];

/**
 * Runs groups of units, each group in one transaction.
 * First without savepoints: they would cost more than an insert each. When a unit fails after it has written
 * something, the whole group is rolled back and run again with a savepoint around every unit. That is rare: a guard
 * is nearly always the first write of its unit, and a unit refused there needs nothing taken back.
 */
export class GroupApplier {
  readonly #statements: readonly Statement[];
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #rollbackTo: Statement;

  constructor(database: Database) {
    this.#statements = statementList.map((definition) => database.prepare(definition.text));
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#rollback = database.prepare('ROLLBACK');
    this.#savepoint = database.prepare('SAVEPOINT unit');
    this.#release = database.prepare('RELEASE unit');
    this.#rollbackTo = database.prepare('ROLLBACK TO unit');
  }

  apply(units: Units): UnitFailure[] {
    return this.#attempt(units, false) ?? this.#attempt(units, true) ?? [];
  }

  /** Undefined: a unit failed half-way and must be isolated by savepoints. Throws when the commit itself fails. */
  #attempt(units: Units, savepoints: boolean): UnitFailure[] | undefined {
    const failures: UnitFailure[] = [];
    const stats = new StatSums();
    this.#begin.run();
    try {
      for (const [unit, writes] of units.entries()) {
        const failure = savepoints ? this.#applySafely(writes, stats) : this.#applyUnit(writes, stats);
        if (failure === undefined) stats.keep();
        else {
          stats.drop();
          // An error may have ended the transaction already; going on would commit statement by statement.
          if (!savepoints && (failure.written > 0 || failure.message !== undefined)) {
            this.#tryRollback();
            return undefined;
          }
          const { written, message } = failure;
          failures.push(message === undefined ? { unit, conflictAt: written } : { unit, message });
        }
      }
      const addStats = this.#statements[codeOf('addStats')];
      for (const row of stats.rows()) addStats?.run(...row);
      this.#commit.run();
    } catch (error) {
      this.#tryRollback();
      throw error;
    }
    return failures;
  }

  #applySafely(writes: readonly SqlValue[], stats: StatSums): Failed | undefined {
    this.#savepoint.run();
    const failure = this.#applyUnit(writes, stats);
    if (failure !== undefined) this.#rollbackTo.run();
    this.#release.run();
    return failure;
  }

  #applyUnit(writes: readonly SqlValue[], stats: StatSums): Failed | undefined {
    let written = 0;
    try {
      for (let at = 0; at < writes.length; written++) {
        const code = writes[at] as number;
        const { arity = 0, guarded = false } = statementList[code] ?? {};
        const params = writes.slice(at + 1, at + 1 + arity);
        at += 1 + arity;
        if (code === addStatsCode) stats.add(params);
        else {
          const changes = this.#statements[code]?.run(...params).changes;
          if (guarded && Number(changes) !== 1) return { written };
        }
      }
    } catch (error) {
      return { written, message: error instanceof Error ? error.message : String(error) };
    }
    return undefined;
  }

  /** SQLite may have rolled back by itself (disk full, I/O error); then there is nothing to roll back. */
  #tryRollback(): void {
    try {
      this.#rollback.run();
    } catch {
      // The error that led here is the one to report.
    }
  }
}

interface Failed {
  readonly written: number;
  readonly message?: string;
}

const addStatsCode = codeOf('addStats');
