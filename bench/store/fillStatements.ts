export interface FillOptions {
  readonly executions: number;
  readonly logs: number;
  /** The date of the newest execution. */
  readonly now: number;
}

/** SQL that differs between the two databases. */
export interface FillWords {
  series(count: number): string;
  /** A number as eleven hexadecimal digits. */
  hex(value: string): string;
  /** Joins every row of the preceding table with one row per number, starting at 0. */
  times(count: number): string;
  /** Ends a subquery whose expressions must be evaluated once, not at every use. */
  readonly fence: string;
  /** Columns that only this database has, with a leading comma. */
  readonly shardColumn: string;
  readonly shard: string;
  readonly logSearchColumn: string;
  readonly logSearch: string;
}

export const sqliteWords: FillWords = {
  series: (count) =>
    `(WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${count}) SELECT i FROM s) s`,
  hex: (value) => `printf('%011x', ${value})`,
  times: (count) =>
    `CROSS JOIN (${Array.from({ length: count }, (_, k) => `SELECT ${k} AS k`).join(' UNION ALL ')}) times`,
  fence: 'LIMIT -1',
  shardColumn: '',
  shard: '',
  logSearchColumn: '',
  logSearch: '',
};

export const postgresWords: FillWords = {
  series: (count) => `(SELECT i::bigint AS i FROM generate_series(1, ${count}) i) s`,
  hex: (value) => `lpad(to_hex(${value}), 11, '0')`,
  // Lateral: the table is scanned once, in the order of its rows.
  times: (count) =>
    `CROSS JOIN LATERAL (SELECT k::bigint AS k FROM generate_series(0, ${count - 1} + 0 * e.seq) k) times`,
  fence: 'OFFSET 0',
  shardColumn: ', shard',
  shard: ', 0',
  logSearchColumn: ', search',
  logSearch: `, ' ' || replace(lower(namespace || ' ' || flow_id || ' log ' || execution_id || ' ' || task_run_id || ' ' ||
    message), '.', ' ')`,
};

const periodMs = 90 * 86_400_000;
/** Numbers without a pattern, each independent of the others: parts of a whole from 0 to 2^32. */
const whole = 4_294_967_296;
const spread = (i: string, factor: number): string => `((${i}) * ${factor} % ${whole})`;
const [first, second, third] = [3_242_174_889, 2_447_445_413, 1_656_730_837] as const;
const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
/** Six letters and digits derived from such a number. */
const letters = (from: string): string =>
  Array.from(
    { length: 6 },
    (_, place) => `substr('${alphabet}', CAST(${from} / ${36 ** place} % 36 AS INTEGER) + 1, 1)`,
  ).join(' || ');

/**
 * Ninety days of a busy installation, in the order of time: fifty namespaces with four hundred flows of which some are
 * far busier than others; labels that come from the flow (team), from a few values (env) and from very many (customer);
 * ids as the product makes them, the time first; the lines of an execution beside each other.
 */
export function fillStatements({ executions, logs, now }: FillOptions, words: FillWords): string[] {
  const start = (i: string): string => `(${now - periodMs} + (${i}) * ${periodMs} / ${executions})`;
  const idOf = (i: string): string =>
    `${words.hex(start(i))} || ${letters(spread(i, first))} || substr(${letters(spread(i, second))}, 1, 5)`;
  // The square of a uniform distribution: the busiest flow has a twentieth of all executions, the quieter
  // half less than a third.
  const flow = `CAST(400 * ((a / ${whole}.0) * (a / ${whole}.0)) AS INTEGER) % 400`;
  const state = `CASE WHEN b % 1000 < 930 THEN 'SUCCESS' WHEN b % 1000 < 970 THEN 'FAILED'
    WHEN b % 1000 < 990 THEN 'WARNING' WHEN b % 1000 < 999 THEN 'KILLED' ELSE 'PAUSED' END`;
  const duration = `CASE WHEN b % 1000 = 999 THEN NULL ELSE 5 + c % 1000 + (c % 97) * (c % 97) * 10 END`;
  const rows = `SELECT i, a, b, c, ${idOf('i')} AS id, ${flow} AS f, ${state} AS state, ${start('i')} AS start_date,
      ${duration} AS duration
    FROM (SELECT i, ${spread('i', first)} AS a, ${spread('i', second)} / 7 AS b, ${spread('i', third)} / 11 AS c
          FROM ${words.series(executions)} ${words.fence}) g ${words.fence}`;
  const history = `'{"current":"' || state || '","histories":[{"state":"CREATED","date":' || start_date ||
    '},{"state":"RUNNING","date":' || (start_date + 3) || '},{"state":"' || state || '","date":' ||
    (start_date + coalesce(duration, 5)) || '}]}'`;
  const env = `CASE WHEN seq * 7 % 10 < 6 THEN 'prod' WHEN seq * 7 % 10 < 9 THEN 'dev' ELSE 'staging' END`;
  const customer = `'customer' || (${spread('seq', third)} / 13 % 2000)`;
  const lines = Math.max(1, Math.round(logs / executions));
  return [
    `INSERT INTO executions (id, tenant_id, namespace, flow_id, flow_revision, state, start_date, end_date, duration,
       closed_at, trigger_execution_id, version, data, origin)
     SELECT id, 'main', 'company.team' || (f % 50), 'flow' || f, 1, state, start_date, start_date + duration, duration,
       start_date + duration, CASE WHEN c % 10 = 0 AND i > 50 THEN ${idOf('i - 1 - c % 47')} END, 3,
       '{"id":"' || id || '","tenantId":"main","namespace":"company.team' || (f % 50) || '","flowId":"flow' || f ||
         '","flowRevision":1,"labels":[{"key":"system.correlationId","value":"' || id || '"},{"key":"env","value":"prod"}],' ||
         '"originalId":"' || id || '","attemptNumber":1,"originalCreatedAt":' || start_date || ',"state":' || ${history} || '}',
       '{"inputs":{"name":"World"},"trigger":{"id":"webhook","type":"core.trigger.Webhook","variables":{"body":{}}}}'
     FROM (${rows}) x`,
    `INSERT INTO execution_labels (execution_id, key, value, start_date)
     SELECT * FROM (SELECT e.id, CASE k WHEN 0 THEN 'system.correlationId' WHEN 1 THEN 'env' WHEN 2 THEN 'team'
         ELSE 'customer' END AS key,
       CASE k WHEN 0 THEN e.id WHEN 1 THEN ${env} WHEN 2 THEN 'team' || (CAST(substr(e.flow_id, 5) AS INTEGER) % 20)
         WHEN 3 THEN CASE WHEN seq % 3 = 0 THEN ${customer} END END AS value, e.start_date
       FROM executions e ${words.times(4)}) l WHERE value IS NOT NULL`,
    `INSERT INTO task_runs (execution_id, id, task_id, state, start_date, duration, data)
     SELECT id, run, task, state, start_date + k, duration,
       '{"id":"' || run || '","executionId":"' || id || '","taskId":"' || task || '","order":' || k || ',"state":' ||
         ${history} || ',"attempts":[]}'
     FROM (SELECT e.id, e.id || 't' || k AS run, CASE k WHEN 0 THEN 'concatenate' ELSE 'log' END AS task, e.state,
         e.start_date, e.duration, k FROM executions e ${words.times(2)} ${words.fence}) x`,
    `INSERT INTO logs (tenant_id, namespace, flow_id, execution_id, task_id, task_run_id, attempt, at, level,
       message${words.logSearchColumn})
     SELECT 'main', namespace, flow_id, execution_id, 'log', task_run_id, 0, at, level, message${words.logSearch}
     FROM (SELECT namespace, flow_id, execution_id, execution_id || 't1' AS task_run_id, at,
         CASE WHEN r % 100 < 90 THEN 2 WHEN r % 100 < 97 THEN 3 ELSE 4 END AS level,
         CASE WHEN r % 5003 = 0 THEN 'The disk of host' || (r % 31) || ' is almost full'
           WHEN r % 100 < 90 THEN 'Read ' || (r % 977) || ' rows from table ' || (r % 31) || ' of customer' ||
             (10000 + r % 50000) || ' without a problem'
           WHEN r % 100 < 97 THEN 'A slow answer of service' || (r % 61) || ' for customer' || (10000 + r % 50000)
           ELSE 'A timeout while connecting to host' || (r % 31) || ' after ' || (r % 977) || ' ms' END AS message
       FROM (SELECT e.namespace, e.flow_id, e.id AS execution_id, e.start_date + 20 * k AS at,
           ${spread(`e.seq * ${lines} + k`, second)} / 5 AS r
         FROM executions e ${words.times(lines)} ${words.fence}) g ${words.fence}) x`,
    `INSERT INTO execution_stats (day, namespace, flow_id, state${words.shardColumn}, n, duration)
     SELECT start_date / 86400000, namespace, flow_id, state${words.shard}, count(*), coalesce(sum(duration), 0)
     FROM executions GROUP BY start_date / 86400000, namespace, flow_id, state`,
    ...rollUps(words),
  ];
}

function rollUps(words: FillWords): string[] {
  const counted = (subject: number, from: string): string[] =>
    ['flow_id', `''`].map(
      (
        flow,
      ) => `INSERT INTO roll_up (subject, flow_id, step, namespace, word${words.shardColumn}, n, duration,
          shortest, longest, unsettled)
        SELECT ${subject}, ${flow}, at / 1800000, namespace, word${words.shard}, count(*), coalesce(sum(duration), 0),
          min(duration), max(duration), 0
        FROM ${from} GROUP BY ${flow === 'flow_id' ? 'flow_id, ' : ''}at / 1800000, namespace, word ORDER BY 3`,
    );
  return [
    ...counted(0, '(SELECT namespace, flow_id, state AS word, start_date AS at, duration FROM executions) x'),
    ...counted(
      1,
      `(SELECT e.namespace, e.flow_id, t.state AS word, t.start_date AS at, t.duration
        FROM task_runs t JOIN executions e ON e.id = t.execution_id) x`,
    ),
    ...counted(
      2,
      `(SELECT namespace, flow_id, CAST(level AS TEXT) AS word, at, CAST(NULL AS BIGINT) AS duration FROM logs) x`,
    ),
    ...sums(words),
  ];
}

/** Sums of days, of all namespaces and of four hours, as the migrations create them. */
function sums(words: FillWords): string[] {
  const into = `INSERT INTO roll_up (subject, flow_id, step, namespace, word${words.shardColumn}, n, duration, shortest,
    longest, unsettled)`;
  const all = 'sum(n), sum(duration), min(shortest), max(longest), 0';
  return [
    `${into} SELECT subject + 10, '', step - step % 48, namespace, word${words.shard}, sum(n), 0, NULL, NULL, 0
     FROM roll_up WHERE flow_id = '' AND subject < 10 GROUP BY 1, 3, 4, 5 ORDER BY 1, 3, 4, 5`,
    `${into} SELECT subject + 20, '', step, '', word${words.shard}, ${all}
     FROM roll_up WHERE flow_id = '' AND subject < 10 GROUP BY 1, 3, 5 ORDER BY 1, 3, 5`,
    `${into} SELECT subject + 30, flow_id, step - step % 8, namespace, word${words.shard}, ${all}
     FROM roll_up WHERE subject < 10 GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
  ];
}
