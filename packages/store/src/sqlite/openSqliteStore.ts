import { join } from 'node:path';
import { AppError, isTerminal } from '@millrace/contract';
import { changeOf } from '../commit/change.ts';
import { GroupCommitter, type Queued } from '../commit/groupCommitter.ts';
import { Listeners } from '../commit/listeners.ts';
import { readNewLogs } from '../commit/newLogs.ts';
import { conflictOf } from '../commit/subject.ts';
import { WrittenExecutions } from '../commit/writtenExecutions.ts';
import type { Sql } from '../filters/sql.ts';
import { sqliteDialect } from '../filters/sqliteDialect.ts';
import type { Op } from '../port/op.ts';
import type { Store } from '../port/store.ts';
import { cacheCounts } from '../reads/cachedCounts.ts';
import { createReads } from '../reads/createReads.ts';
import { SlowQueries } from '../reads/slowQueries.ts';
import type { OpenOptions } from '../storeConfig.ts';
import type { UnitFailure } from './applyGroup.ts';
import { describeWalDamage, keepWal, refuseEmptied, unreadable } from './damage.ts';
import { databaseFile } from './databaseFile.ts';
import { describeSqlite } from './describeSqlite.ts';
import { type EncodedUnit, encodeUnit } from './encodeUnit.ts';
import { findWalDamage } from './findWalDamage.ts';
import { lockFolder } from './folderLock.ts';
import type { ReadJob, ReadResult, WriteJob, WriteResult } from './messages.ts';
import { migrateSqlite } from './migrate.ts';
import { openForReading } from './openForReading.ts';
import { StatementCache } from './statementCache.ts';
import { Thread } from './thread.ts';
import { readerEntry, writerEntry } from './threadEntry.ts';

const maxOpsPerGroup = 2_000;
const pointCacheKilobytes = 8_192;

interface SqliteUnit extends Queued, EncodedUnit {
  readonly unit: readonly Op[];
  /** The id before that of the unit's first log entry. */
  readonly lastLogId: number;
}

/**
 * One file in its own folder. One thread writes, one reads lists and searches, and one runs counts that are
 * too slow for the list thread. Rows found by key are read in the calling thread, because that is faster than
 * a message to a thread.
 */
export async function openSqliteStore(
  folder: string,
  { onDamage, onFatal, startReader }: OpenOptions = {},
): Promise<Store> {
  const lock = lockFolder(folder);
  const file = join(folder, databaseFile);
  let opened: ReturnType<typeof openFile>;
  try {
    refuseEmptied(folder);
    const damage = findWalDamage(file);
    if (damage) onDamage?.(`${describeWalDamage(damage)} ${keepWal(file)}`.trim());
    opened = openFile(file, damage !== undefined);
  } catch (error) {
    lock.unlock();
    throw error instanceof AppError ? error : unreadable(file, error);
  }
  const { points, statements } = opened;
  let { lastLogId } = opened;
  const writer = new Thread<WriteJob, WriteResult>(writerEntry(), file, (cause) =>
    onFatal?.(new Error('The thread that writes to the database has ended.', { cause })),
  );
  const readers = new Map<'lists' | 'counts', Thread<ReadJob, ReadResult>>();
  const written = new WrittenExecutions();
  const listeners = new Listeners();
  const slow = new SlowQueries();

  const committer = new GroupCommitter<SqliteUnit>({
    maxOps: maxOpsPerGroup,
    parallel: 1,
    run: async (units) => {
      const startedAt = performance.now();
      const { failures } = await writer.ask(units.map(({ writes }) => writes));
      slow.ended('COMMIT', startedAt);
      return failuresOf(units, failures);
    },
    committed: (units) => {
      written.note(units.flatMap(({ unit }) => unit));
      const change = changeOf(units.map(({ unit }) => unit));
      const hasLogs = change !== undefined && change.logExecutionIds.length > 0;
      listeners.tell(hasLogs ? { ...change, logsOf: readNewLogs(units) } : change);
    },
  });
  /**
   * Starts a reading thread on first use, and again after it has ended: restarting is safe because it only
   * reads.
   */
  const readerOf = (name: 'lists' | 'counts'): Thread<ReadJob, ReadResult> => {
    const known = readers.get(name);
    if (known && !known.hasEnded) return known;
    const reader = new Thread<ReadJob, ReadResult>(readerEntry(), file);
    readers.set(name, reader);
    return reader;
  };
  if (startReader) readerOf('lists');
  const ask = async (reader: 'lists' | 'counts', statement: Sql) => {
    const startedAt = performance.now();
    const rows = await readerOf(reader).ask(statement);
    slow.ended(statement.text, startedAt);
    return rows;
  };
  const reads = createReads({
    dialect: sqliteDialect,
    point: async ({ text, params }) => {
      const startedAt = performance.now();
      const rows = statements.all(text, params);
      slow.ended(text, startedAt);
      return rows;
    },
    scan: (statement) => ask('lists', statement),
    cachedCount: cacheCounts(async (statement) => Number((await ask('counts', statement))[0]?.total ?? 0)),
  });

  const close = async (): Promise<void> => {
    await committer.drain();
    await Promise.all([...readers.values()].map((reader) => reader.close()));
    points.close();
    await writer.close();
    lock.unlock();
  };
  let closing: Promise<void> | undefined;

  return {
    ...reads,
    commit: async (unit) => {
      if (closing !== undefined) throw new AppError('unavailable', 'The store is closed.');
      if (unit.length === 0) return;
      const before = lastLogId;
      const encoded = encodeUnit(unit, { written, nextLogId: () => ++lastLogId });
      await committer.commit({
        unit,
        keys: [],
        ops: encoded.opOfWrite.length,
        lastLogId: before,
        ...encoded,
      });
    },
    getExecution: async (id) => {
      const found = await reads.getExecution(id);
      if (found !== undefined && !isTerminal(found.execution.state.current)) {
        written.remember(found.execution, found.version);
      }
      return found;
    },
    describeDatabase: () => describeSqlite(file, statements),
    slowQueries: () => slow.list(),
    tidy: async () => (await writer.ask('tidy')).more,
    onChange: (listener) => listeners.add(listener),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function openFile(file: string, isDamaged: boolean) {
  migrateSqlite(file, isDamaged);
  const points = openForReading(file, pointCacheKilobytes);
  try {
    const statements = new StatementCache(points);
    const [last] = statements.all('SELECT coalesce(max(id), 0) AS id FROM logs', []);
    return { points, statements, lastLogId: Number(last?.id ?? 0) };
  } catch (error) {
    points.close();
    throw error;
  }
}

function failuresOf(units: readonly SqliteUnit[], failures: readonly UnitFailure[]): (Error | undefined)[] {
  const results = new Array<Error | undefined>(units.length).fill(undefined);
  for (const failure of failures) {
    const unit = units[failure.unit];
    if (unit === undefined) continue;
    results[failure.unit] =
      'message' in failure
        ? new Error(failure.message)
        : conflictOf(unit.unit[unit.opOfWrite[failure.conflictAt] ?? -1]);
  }
  return results;
}
