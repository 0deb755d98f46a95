import { join } from 'node:path';
import pg from 'pg';
import type { StoreConfig } from '../openStore.ts';
import { settingsFor } from '../postgres/connect.ts';
import { migratePostgres } from '../postgres/migrate.ts';
import { LogIndex } from '../sqlite/logIndex.ts';
import { migrateSqlite } from '../sqlite/migrate.ts';
import { openForWriting } from '../sqlite/openForWriting.ts';

export interface FillOptions {
  readonly executions: number;
  readonly logs: number;
  /** The date of the newest execution. */
  readonly now: number;
}

/**
 * Fills an empty database with rows such as a busy installation has after ninety days: fifty namespaces, four hundred
 * flows, two task runs and three labels for each execution. Made by the database itself: the store would take an hour.
 */
export async function fillRows(config: StoreConfig, options: FillOptions): Promise<void> {
  if (config.kind === 'sqlite') return fillSqlite(join(config.folder, 'millrace.db'), options);
  await migratePostgres(config.url);
  const client = new pg.Client(settingsFor(config.url));
  await client.connect();
  try {
    for (const statement of statements(options, postgres)) await client.query(statement);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

function fillSqlite(file: string, options: FillOptions): void {
  migrateSqlite(file);
  const database = openForWriting(file);
  try {
    for (const statement of statements(options, sqlite)) database.exec(statement);
    const index = new LogIndex(database);
    while (index.step()) {
      // The writing thread does this in its quiet moments.
    }
    database.exec('PRAGMA analysis_limit = 1000');
    database.exec('PRAGMA optimize = 0x10002');
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

interface Words {
  series(count: number): string;
  /** Columns that only this database has. */
  readonly shardColumn: string;
  readonly shard: string;
  readonly logSearchColumn: string;
  readonly logSearch: string;
}

const sqlite: Words = {
  series: (count) =>
    `(WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${count}) SELECT i FROM s) s`,
  shardColumn: '',
  shard: '',
  logSearchColumn: '',
  logSearch: '',
};

const postgres: Words = {
  series: (count) => `(SELECT i::bigint AS i FROM generate_series(1, ${count}) i) s`,
  shardColumn: ', shard',
  shard: ', 0',
  logSearchColumn: ', search',
  logSearch: `, ' ' || replace(lower(namespace || ' ' || flow_id || ' log ' || execution_id || ' ' || message), '.', ' ')`,
};

const periodMs = 90 * 86_400_000;
const rank = '(i * 2654435761) % 4294967296';
const state = `CASE WHEN r % 100 < 93 THEN 'SUCCESS' WHEN r % 100 < 97 THEN 'FAILED' WHEN r % 100 < 99 THEN 'WARNING'
  WHEN r % 1000 < 995 THEN 'KILLED' ELSE 'PAUSED' END`;

function statements({ executions, logs, now }: FillOptions, words: Words): string[] {
  const start = `(${now - periodMs} + i * ${periodMs} / ${executions})`;
  const history = `'{"current":"' || state || '","histories":[{"state":"CREATED","date":' || start_date ||
    '},{"state":"RUNNING","date":' || (start_date + 3) || '},{"state":"' || state || '","date":' ||
    (start_date + coalesce(duration, 5)) || '}]}'`;
  const rows = `SELECT i, r, 'e' || i || 'x' || r AS id, 'company.team' || (r % 50) AS namespace,
      'flow' || (r % 400) AS flow_id, ${state} AS state, ${start} AS start_date,
      CASE WHEN r % 1000 = 999 THEN NULL ELSE 5 + r % 1000 + (r % 97) * (r % 97) * 10 END AS duration
    FROM (SELECT i, ${rank} AS r FROM ${words.series(executions)}) g`;
  const counted = (subject: number, from: string, word: string, at: string, duration: string): string =>
    ['flow_id', `''`]
      .map(
        (
          flow,
        ) => `INSERT INTO roll_up (subject, flow_id, step, namespace, word${words.shardColumn}, n, duration,
            shortest, longest, doubt)
          SELECT ${subject}, ${flow}, ${at} / 1800000, namespace, ${word}${words.shard}, count(*),
            coalesce(sum(${duration}), 0), min(${duration}), max(${duration}), 0
          FROM ${from} GROUP BY ${flow === 'flow_id' ? 'flow_id, ' : ''}${at} / 1800000, namespace, ${word}
          ORDER BY 3`,
      )
      .join(';\n');
  return [
    `INSERT INTO executions (id, tenant_id, namespace, flow_id, flow_revision, state, start_date, end_date, duration,
       over_at, trigger_execution_id, version, data, origin)
     SELECT id, 'main', namespace, flow_id, 1, state, start_date, start_date + duration, duration,
       start_date + duration, CASE WHEN r % 10 = 0 THEN 'e' || (i / 2) || 'x' END, 3,
       '{"id":"' || id || '","tenantId":"main","namespace":"' || namespace || '","flowId":"' || flow_id ||
         '","flowRevision":1,"labels":[{"key":"system.correlationId","value":"' || id || '"},{"key":"env","value":"prod"}],' ||
         '"originalId":"' || id || '","attemptNumber":1,"originalCreatedAt":' || start_date || ',"state":' || ${history} || '}',
       '{"inputs":{"name":"World"},"trigger":{"id":"webhook","type":"core.trigger.Webhook","variables":{"body":{}}}}'
     FROM (${rows}) x`,
    `INSERT INTO execution_labels (execution_id, key, value, start_date)
     SELECT id, 'system.correlationId', id, start_date FROM executions`,
    `INSERT INTO execution_labels (execution_id, key, value, start_date)
     SELECT id, 'env', CASE WHEN seq % 2 = 0 THEN 'prod' ELSE 'dev' END, start_date FROM executions`,
    `INSERT INTO execution_labels (execution_id, key, value, start_date)
     SELECT id, 'team', 'team' || (seq % 20), start_date FROM executions`,
    ...['concatenate', 'log'].map(
      (task, order) => `INSERT INTO task_runs (execution_id, id, task_id, state, start_date, duration, data)
       SELECT id, id || 't${order}', '${task}', state, start_date + ${order}, duration,
         '{"id":"' || id || 't${order}","executionId":"' || id || '","taskId":"${task}","order":${order},"state":' || ${history} ||
         ',"attempts":[]}'
       FROM executions`,
    ),
    `INSERT INTO logs (tenant_id, namespace, flow_id, execution_id, task_id, task_run_id, attempt, at, level,
       message${words.logSearchColumn})
     SELECT 'main', namespace, flow_id, execution_id, 'log', execution_id || 't1', 0, at, level, message${words.logSearch}
     FROM (SELECT 'company.team' || (r % 50) AS namespace, 'flow' || (r % 400) AS flow_id,
         'e' || (i % ${executions}) || 'x' AS execution_id, ${now - periodMs} + i * ${periodMs} / ${logs} AS at,
         CASE WHEN r % 100 < 90 THEN 2 WHEN r % 100 < 97 THEN 3 ELSE 4 END AS level,
         'Read ' || (r % 977) || ' rows from table ' || (r % 31) || ' of customer' || (r % 50000) ||
           CASE WHEN r % 5003 = 0 THEN ' timeout while connecting' ELSE ' without a problem' END AS message
       FROM (SELECT i, ${rank} AS r FROM ${words.series(logs)}) g) x`,
    `INSERT INTO execution_stats (day, namespace, flow_id, state${words.shardColumn}, n, duration)
     SELECT start_date / 86400000, namespace, flow_id, state${words.shard}, count(*), coalesce(sum(duration), 0)
     FROM executions GROUP BY start_date / 86400000, namespace, flow_id, state`,
    counted(0, 'executions', 'state', 'start_date', 'duration'),
    counted(
      1,
      '(SELECT e.namespace, e.flow_id, t.state, t.start_date, t.duration FROM task_runs t JOIN executions e ON e.id = t.execution_id) x',
      'state',
      'start_date',
      'duration',
    ),
    counted(
      2,
      '(SELECT *, CAST(level AS TEXT) AS word, CAST(NULL AS BIGINT) AS duration FROM logs) x',
      'word',
      'at',
      'duration',
    ),
  ];
}
