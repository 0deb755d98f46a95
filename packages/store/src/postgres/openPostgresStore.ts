import { AppError, isTerminal } from '@millrace/contract';
import type pg from 'pg';
import { changeOf } from '../commit/change.ts';
import { GroupCommitter, type Queued } from '../commit/groupCommitter.ts';
import { Listeners } from '../commit/listeners.ts';
import { WrittenExecutions } from '../commit/writtenExecutions.ts';
import type { OpenOptions } from '../openStore.ts';
import type { Op } from '../port/op.ts';
import type { Store } from '../port/store.ts';
import { createReads } from '../reads/createReads.ts';
import { openCluster } from './cluster/openCluster.ts';
import { commitGroup } from './commitGroup.ts';
import { createPool } from './connect.ts';
import { createQueries } from './createQueries.ts';
import { migratePostgres } from './migrate.ts';
import { Notifications } from './notifications.ts';
import { keysOf } from './rowKeys.ts';
import { tidyPostgres } from './tidy.ts';

const maxOpsPerGroup = 2_000;
/** Two, so that one batch is sent while the other is being written to disk. */
const writers = 2;
const readers = 4;
/** For what servers have to say to each other; opened when there is something. */
const clusterConnections = 2;
/** For saying that this server is alive: whoever waits behind other work for that is buried under load. */
const beatConnections = 1;
/** For what this server was told; one question at a time. */
const messageConnections = 1;
const readTimeoutMs = 30_000;

/**
 * Compiling a statement, and calling helpers for it, takes longer than a list may: both pay for reports of minutes.
 * With little memory the index of words forgets which entries of a page it meant, and all of them are compared.
 */
const setForLists = async (client: pg.ClientBase): Promise<void> => {
  await client.query(`SET jit = off; SET max_parallel_workers_per_gather = 0; SET work_mem = '32MB'`);
};

/**
 * A plan is made when a statement is first used, mostly on tables that have nothing in them yet, and kept: one that reads
 * a whole table then does so when that has grown. Every row of a batch is found by a key, so there is one right plan.
 */
const setForBatches = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    'SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off',
  );
};

/** Messages come and go: an index that is walked in its order forgets those that were taken, a bitmap meets them all. */
const setForMessages = async (client: pg.ClientBase): Promise<void> => {
  await client.query('SET jit = off; SET enable_seqscan = off; SET enable_bitmapscan = off');
};

interface PostgresUnit extends Queued {
  readonly unit: readonly Op[];
}

/** One database, any number of processes: each commits in groups of its own and hears of the others' changes. */
export async function openPostgresStore(url: string, { onFatal }: OpenOptions = {}): Promise<Store> {
  await migratePostgres(url);
  const writing = createPool(url, { max: writers, onConnect: setForBatches });
  const reading = createPool(url, { max: readers, statement_timeout: readTimeoutMs, onConnect: setForLists });
  const sharing = createPool(url, { max: clusterConnections, statement_timeout: readTimeoutMs });
  const beating = createPool(url, { max: beatConnections, statement_timeout: readTimeoutMs });
  const messages = createPool(url, {
    max: messageConnections,
    statement_timeout: readTimeoutMs,
    onConnect: setForMessages,
  });
  const queries = createQueries(reading);
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
    run: (units) =>
      commitGroup(
        units.map(({ unit }) => unit),
        { pool: writing, queries, written, onFenced },
      ),
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
    pool: sharing,
    beats: beating,
    messages,
    onFenced,
    notify: (change) =>
      notifications.tell({ executionIds: [], logExecutionIds: [], flows: [], templates: [], ...change }),
  });

  const close = async (): Promise<void> => {
    await committer.drain();
    await notifications.close();
    await Promise.all([writing, reading, sharing, beating, messages].map((pool) => pool.end()));
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
        `SELECT (SELECT last_value FROM logs_id_seq) AS last, pg_snapshot_xmin(s)::text AS oldest,
           pg_snapshot_xmax(s)::text AS next FROM pg_current_snapshot() s`,
        [],
      );
      return { lastId: Number(row?.last), oldestOpen: Number(row?.oldest), next: Number(row?.next) };
    },
    tidy: () => tidyPostgres(writing, Date.now()),
    onChange: (listener) => listeners.add(listener),
    cluster,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
