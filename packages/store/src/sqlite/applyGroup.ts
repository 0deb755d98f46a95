import { type Counted, RollUpSums } from '../commit/rollUpSums.ts';
import { rollUpKey, rollUpSubjects } from '../rows/rollUp.ts';
import type { Row, SqlValue } from '../rows/value.ts';
import type { Database, Statement } from './openDatabase.ts';
import { codeOf, type StatementName, statementList } from './statements.ts';

/** Why a unit was not applied: the index of the write whose guard failed, or SQLite's message. */
export type UnitFailure = { readonly unit: number } & (
  | { readonly conflictAt: number }
  | { readonly message: string }
);

type Units = readonly (readonly SqlValue[])[];

/**
 * Runs groups of units, each group in one transaction. First without savepoints, because each costs more than
 * an insert. When a unit fails after it has written something, the whole group is rolled back and run again
 * with a savepoint around every unit. That is rare: a guard is nearly always the first write of its unit, so
 * a unit that fails there needs no rollback.
 */
export class GroupApplier {
  readonly #statements: readonly (Statement | undefined)[];
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #rollback: Statement;
  readonly #savepoint: Statement;
  readonly #release: Statement;
  readonly #rollbackTo: Statement;

  constructor(database: Database) {
    this.#statements = statementList.map(({ kind, text }) =>
      kind === 'count' || kind === 'taskRun' ? undefined : database.prepare(text),
    );
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
    const sums = new RollUpSums();
    this.#begin.run();
    try {
      for (const [unit, writes] of units.entries()) {
        const failure = savepoints ? this.#applySafely(writes, sums) : this.#applyUnit(writes, sums);
        if (failure === undefined) sums.keep();
        else {
          sums.drop();
          // An error may have ended the transaction; continuing would commit statement by statement.
          if (!savepoints && (failure.written > 0 || failure.message !== undefined)) {
            this.#tryRollback();
            return undefined;
          }
          const { written, message } = failure;
          failures.push(message === undefined ? { unit, conflictAt: written } : { unit, message });
        }
      }
      this.#writeSums(sums);
      this.#commit.run();
    } catch (error) {
      this.#tryRollback();
      throw error;
    }
    return failures;
  }

  #applySafely(writes: readonly SqlValue[], sums: RollUpSums): Failed | undefined {
    this.#savepoint.run();
    const failure = this.#applyUnit(writes, sums);
    if (failure !== undefined) this.#rollbackTo.run();
    this.#release.run();
    return failure;
  }

  #applyUnit(writes: readonly SqlValue[], sums: RollUpSums): Failed | undefined {
    let written = 0;
    try {
      for (let at = 0; at < writes.length; written++) {
        const code = writes[at] as number;
        const { arity = 0, kind = 'free' } = statementList[code] ?? {};
        const params = writes.slice(at + 1, at + 1 + arity);
        at += 1 + arity;
        if (!this.#applyWrite(code, kind, params, sums)) return { written };
      }
    } catch (error) {
      return { written, message: error instanceof Error ? error.message : String(error) };
    }
    return undefined;
  }

  /** Returns false when a guard failed. */
  #applyWrite(code: number, kind: StatementKind, params: readonly SqlValue[], sums: RollUpSums): boolean {
    switch (kind) {
      case 'count':
        // `as`: written by `encodeUnit`, which names the seven values.
        sums.add(params as unknown as Counted);
        return true;
      case 'taskRun':
        this.#putTaskRun(params, sums);
        return true;
      case 'leaving':
        for (const row of this.#statements[code]?.all(...params) ?? []) sums.add(leavingOf(row as Row));
        return true;
      default:
        return Number(this.#statements[code]?.run(...params).changes) === 1 || kind === 'free';
    }
  }

  /** Subtracts a stored task run from the roll-up with its old values and adds it with the new ones. */
  #putTaskRun([namespace, flowId, ...row]: readonly SqlValue[], sums: RollUpSums): void {
    const [executionId = null, id = null, , state, start, duration = null] = row;
    const flow = namespace === null ? this.#get('findFlow', executionId) : { namespace, flow_id: flowId };
    const of = [rollUpSubjects.taskRuns, String(flow?.namespace), String(flow?.flow_id)] as const;
    if (this.#run('insertTaskRun', ...row) === 0) {
      const old = this.#get('findTaskRun', executionId, id);
      if (old !== undefined && flow !== undefined) {
        sums.add([...of, Number(old.start_date), String(old.state), -1, numberOrNull(old.duration)]);
      }
      this.#run('updateTaskRun', ...row.slice(2), executionId, id);
    }
    if (flow !== undefined) sums.add([...of, Number(start), String(state), 1, numberOrNull(duration)]);
  }

  #writeSums(sums: RollUpSums): void {
    for (const day of sums.days()) this.#run('addDay', ...day);
    for (const row of sums.rows()) {
      this.#run('addRollUp', ...row);
      if (Number(row[rollUpKey.length]) < 0)
        this.#run('removeEmptyRollUp', ...row.slice(0, rollUpKey.length));
    }
  }

  #run(name: StatementName, ...params: SqlValue[]): number {
    return Number(this.#statements[codeOf(name)]?.run(...params).changes);
  }

  #get(name: StatementName, ...params: SqlValue[]): Row | undefined {
    // `as`: the columns are those of the statement.
    return this.#statements[codeOf(name)]?.get(...params) as Row | undefined;
  }

  /** SQLite may already have rolled back (disk full, I/O error); then there is nothing to roll back. */
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

type StatementKind = (typeof statementList)[number]['kind'];

const leavingOf = (row: Row): Counted => [
  Number(row.subject),
  String(row.namespace),
  String(row.flow_id),
  Number(row.at),
  String(row.word),
  -Number(row.n),
  numberOrNull(row.duration),
];

const numberOrNull = (value: SqlValue | undefined): number | null =>
  value === null || value === undefined ? null : Number(value);
