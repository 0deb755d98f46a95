import { AppError, isTerminal } from '@millrace/contract';
import type pg from 'pg';
import { changeOf } from '../commit/change.ts';
import { GroupCommitter, type Queued } from '../commit/groupCommitter.ts';
import { Listeners } from '../commit/listeners.ts';
import { WrittenExecutions } from '../commit/writtenExecutions.ts';
import { sql } from '../filters/sql.ts';
import type { Op } from '../port/op.ts';
import type { Store } from '../port/store.ts';
import { createReads } from '../reads/createReads.ts';
import { SlowQueries } from '../reads/slowQueries.ts';
import type { OpenOptions } from '../storeConfig.ts';
import { openCluster } from './cluster/openCluster.ts';
import { commitGroup } from './commitGroup.ts';
import { createPool } from './connect.ts';
import { createQueries } from './createQueries.ts';
import { describePostgres } from './describePostgres.ts';
import { migratePostgres } from './migrate.ts';
import { Notifications } from './notifications.ts';
import { keysOf } from './rowKeys.ts';
import { tidyPostgres } from './tidy.ts';

const maxOpsPerGroup = 2_000;
/** Two, so that one batch is sent while the other is being written to disk. */
const writers = 2;
const readers = 4;
/** For coordination between servers; opened on first use. */
const clusterConnections = 2;
/**
 * Dedicated to heartbeats: a heartbeat that waits behind other work under load gets the server marked as
 * gone.
 */
const beatConnections = 1;
/** For reading this server's messages, one query at a time. */
const messageConnections = 1;
const readTimeoutMs = 30_000;

/**
 * JIT compilation and parallel workers take longer than a list may take; they only pay off for queries of
 * minutes. With little memory the bitmap of the word index becomes lossy, and every entry of a page is
 * compared.
 */
const setForLists = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`SET jit = off; SET max_parallel_workers_per_gather = 0; SET work_mem = '32MB'`);
};

/**
 * PostgreSQL plans a statement on first use, mostly on empty tables, and keeps the plan: a sequential scan
 * would stay after the table has grown. Every row of a batch is found by a key, so an index scan is always
 * right.
 */
const setForBatches = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    'SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
  );
};

/**
 * Messages are short-lived: an ordered index scan skips dead entries after the first visit, a bitmap scan
 * reads them all.
 */
const setForMessages = async (client: pg.ClientBase): Promise<void> => {
  await client.query('SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off');
};

interface PostgresUnit extends Queued {
  readonly unit: readonly Op[];
}

/**
 * One database, any number of processes: each commits its own groups and is notified of the others' changes.
 */
export async function openPostgresStore(url: string, { onFatal }: OpenOptions = {}): Promise<Store> {
  await migratePostgres(url);
  const writing = createPool(url, { max: writers, onConnect: setForBatches });
  const reading = createPool(url, { max: readers, statement_timeout: readTimeoutMs, onConnect: setForLists });
  const clusterPool = createPool(url, { max: clusterConnections, statement_timeout: readTimeoutMs });
  const beating = createPool(url, { max: beatConnections, statement_timeout: readTimeoutMs });
  const messages = createPool(url, {
    max: messageConnections,
    statement_timeout: readTimeoutMs,
    onConnect: setForMessages,
  });
  const slow = new SlowQueries();
  const queries = createQueries(reading, slow);
  const written = new WrittenExecutions();
  const listeners = new Listeners();
  const notifications = new Notifications(url, (change) => listeners.tell(change));
  await notifications.open();

  let fenced: Error | undefined;
  const onFenced = (error: Error): void => {
    if (!fenced) onFatal?.(error);
    fenced ??= error;
  };
  const committer = new GroupCommitter<PostgresUnit>({
    maxOps: maxOpsPerGroup,
    parallel: writers,
    run: (units) => {
      const startedAt = performance.now();
      return commitGroup(
        units.map(({ unit }) => unit),
        { pool: writing, queries, written, onFenced },
      ).finally(() => slow.ended('COMMIT', startedAt));
    },
    committed: (units) => {
      written.note(units.flatMap(({ unit }) => unit));
      const change = changeOf(units.map(({ unit }) => unit));
      if (change === undefined) return;
      listeners.tell(change);
      notifications.tell(change);
    },
  });
  const reads = createReads(queries);

  const cluster = openCluster({
    pool: clusterPool,
    beats: beating,
    messages,
    onFenced,
    notify: (change) =>
      notifications.tell({ executionIds: [], logExecutionIds: [], flows: [], templates: [], ...change }),
  });

  const close = async (): Promise<void> => {
    await committer.drain();
    await notifications.close();
    await Promise.all([writing, reading, clusterPool, beating, messages].map((pool) => pool.end()));
  };
  let closing: Promise<void> | undefined;

  return {
    ...reads,
    commit: async (unit) => {
      if (closing !== undefined) throw new AppError('unavailable', 'The store is closed.');
      if (fenced) throw fenced;
      if (unit.length > 0) await committer.commit({ unit, keys: keysOf(unit), ops: unit.length });
    },
    getExecution: async (id) => {
      const found = await reads.getExecution(id);
      if (found !== undefined && !isTerminal(found.execution.state.current)) {
        written.remember(found.execution, found.version);
      }
      return found;
    },
    logFrontier: async () => {
      const [row] = await queries.point(
        sql`SELECT (SELECT last_value FROM logs_id_seq) AS last, pg_snapshot_xmin(s)::text AS oldest,
          pg_snapshot_xmax(s)::text AS next FROM pg_current_snapshot() s`,
      );
      return { lastId: Number(row?.last), oldestOpen: Number(row?.oldest), next: Number(row?.next) };
    },
    describeDatabase: () => describePostgres(queries),
    slowQueries: () => slow.list(),
    tidy: () => tidyPostgres(writing, Date.now()),
    onChange: (listener) => listeners.add(listener),
    cluster,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
