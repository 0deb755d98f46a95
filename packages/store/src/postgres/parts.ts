import {
  flowColumns,
  flowEventColumns,
  kvColumns,
  logColumns,
  metricColumns,
  replaceKv,
  sessionColumns,
  sessionTokenColumns,
  templateColumns,
  triggerColumns,
  windowColumns,
} from '../rows/columns.ts';

type ColumnType = 'text' | 'bigint' | 'integer' | 'smallint' | 'double precision';

/** One piece of the statement that writes a batch: rows of these columns arrive as arrays and become `u`. */
export interface Part {
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** The command on the rows `from`, which is `unnest(…) u(…)`. */
  readonly command: (from: string) => string;
  /** Every row must lead to one returned row, otherwise the statement fails and the batch is rolled back. */
  readonly guarded?: true;
}

const integers = new Set(['flow_revision', 'attempt', 'revision', 'version', 'seq', 'day', 'position']);
const bigints = new Set([
  'start_date',
  'end_date',
  'duration',
  'over_at',
  'at',
  'created_at',
  'updated_at',
  'expires_at',
  'next_at',
  'n',
  'ends_at',
  'used_at',
  'before',
]);
const smallints = new Set(['level', 'disabled', 'deleted']);

const typed = (names: readonly string[]): Part['columns'] =>
  names.map((name) => [name, typeOf(name)] as const);

function typeOf(name: string): ColumnType {
  if (integers.has(name)) return 'integer';
  if (bigints.has(name) || name.startsWith('expect_')) return 'bigint';
  if (smallints.has(name)) return 'smallint';
  return name === 'metric_value' ? 'double precision' : 'text';
}

const insertInto = (table: string, names: readonly string[], end = ''): Part => ({
  columns: typed(names),
  command: (from) =>
    `INSERT INTO ${table} (${names.join(', ')}) SELECT ${names.map((name) => `u.${name}`).join(', ')} FROM ${from}${end}`,
});

const guard = (part: Part): Part => ({ ...part, guarded: true });
const assign = (names: readonly string[]): string =>
  names.map((name) => `${name} = excluded.${name}`).join(', ');
const triggerKey = ['namespace', 'flow_id', 'trigger_id'];
const upsertTrigger = ` ON CONFLICT (${triggerKey.join(', ')}) DO UPDATE SET ${assign(triggerColumns)}`;
const updateTrigger = triggerColumns
  .filter((name) => !triggerKey.includes(name))
  .map((name) => `${name} = u.${name}`)
  .join(', ');
const sameTrigger = triggerKey.map((name) => `t.${name} = u.${name}`).join(' AND ');
const sameWindow = `${sameTrigger} AND t.condition_id = u.condition_id`;
const logRows = [...logColumns, 'search'];
const metricRows = metricColumns.map((name) => (name === 'value' ? 'metric_value' : name));

/** In the order they appear in a statement. They all see the rows as they were before it: see `fusable`. */
export const parts = {
  insertExecution: guard(
    insertInto(
      'executions',
      [
        'id',
        'tenant_id',
        'namespace',
        'flow_id',
        'flow_revision',
        'state',
        'start_date',
        'end_date',
        'duration',
        'over_at',
        'parent_id',
        'trigger_execution_id',
        'unique_key',
        'version',
        'data',
        'origin',
      ],
      ' RETURNING 1',
    ),
  ),
  updateExecution: guard({
    columns: typed([
      'id',
      'expect_version',
      'previous_state',
      'flow_revision',
      'state',
      'end_date',
      'duration',
      'over_at',
      'parent_id',
      'data',
      'trigger_execution_id',
      'origin',
    ]),
    // No origin: what the execution was started with is stored already and stays.
    command: (
      from,
    ) => `UPDATE executions e SET flow_revision = u.flow_revision, state = u.state, end_date = u.end_date,
      duration = u.duration, over_at = u.over_at, parent_id = u.parent_id, data = u.data, version = e.version + 1,
      origin = coalesce(u.origin, e.origin),
      trigger_execution_id = CASE WHEN u.origin IS NULL THEN e.trigger_execution_id ELSE u.trigger_execution_id END
      FROM ${from} WHERE e.id = u.id AND e.version = u.expect_version AND e.state = u.previous_state RETURNING 1`,
  }),
  deleteExecution: {
    columns: typed(['id']),
    command: (from) => `DELETE FROM executions e USING ${from} WHERE e.id = u.id`,
  },
  putTaskRun: insertInto(
    'task_runs',
    ['execution_id', 'id', 'task_id', 'state', 'start_date', 'data'],
    ` ON CONFLICT (execution_id, id) DO UPDATE SET ${assign(['task_id', 'state', 'start_date', 'data'])}`,
  ),
  deleteTaskRun: {
    columns: typed(['execution_id', 'id']),
    command: (from) =>
      `DELETE FROM task_runs t USING ${from} WHERE t.execution_id = u.execution_id AND t.id = u.id`,
  },
  deleteTaskRuns: deleteOf('task_runs'),
  appendEvents: insertInto('execution_events', ['execution_id', 'seq', 'at', 'events']),
  deleteEvents: deleteOf('execution_events'),
  insertLabel: insertInto(
    'execution_labels',
    ['execution_id', 'key', 'value', 'start_date'],
    ' ON CONFLICT DO NOTHING',
  ),
  /** Labels that are no more; those that stay must not be touched, a row cannot be deleted and inserted at once. */
  keepLabels: {
    columns: typed(['execution_id', 'kept']),
    command: (from) => `DELETE FROM execution_labels l USING ${from}
      WHERE l.execution_id = u.execution_id
        AND NOT EXISTS (SELECT 1 FROM json_array_elements(u.kept::json) k WHERE k->>0 = l.key AND k->>1 = l.value)`,
  },
  deleteLabels: deleteOf('execution_labels'),
  insertLog: insertInto('logs', logRows),
  deleteLogs: deleteOf('logs'),
  deleteSelectedLogs: {
    columns: typed(['execution_id', 'level', 'task_id', 'task_run_id', 'attempt']),
    command: (
      from,
    ) => `DELETE FROM logs t USING ${from} WHERE t.execution_id = u.execution_id AND t.level >= u.level
      AND (u.task_id IS NULL OR t.task_id = u.task_id) AND (u.task_run_id IS NULL OR t.task_run_id = u.task_run_id)
      AND (u.attempt IS NULL OR t.attempt = u.attempt)`,
  },
  deleteFlowLogs: {
    columns: typed(['namespace', 'flow_id', 'trigger_id']),
    command: (
      from,
    ) => `DELETE FROM logs t USING ${from} WHERE t.namespace = u.namespace AND t.flow_id = u.flow_id
      AND (u.trigger_id IS NULL OR t.trigger_id = u.trigger_id)`,
  },
  insertMetric: {
    columns: typed(metricRows),
    command: (from) => `INSERT INTO metrics (${metricColumns.join(', ')})
      SELECT ${metricRows.map((name) => `u.${name}`).join(', ')} FROM ${from}`,
  },
  deleteMetrics: deleteOf('metrics'),
  insertFlow: guard({
    columns: typed([...flowColumns, 'expect_revision']),
    command: (from) => `INSERT INTO flows (latest, ${flowColumns.join(', ')})
      SELECT 1, ${flowColumns.map((name) => `u.${name}`).join(', ')} FROM ${from}
      WHERE coalesce((SELECT max(f.revision) FROM flows f WHERE f.namespace = u.namespace AND f.id = u.id), 0)
        = u.expect_revision RETURNING 1`,
  }),
  retireFlow: {
    columns: typed(['namespace', 'id', 'revision']),
    command: (from) => `UPDATE flows f SET latest = 0 FROM ${from}
      WHERE f.namespace = u.namespace AND f.id = u.id AND f.latest = 1 AND f.revision <> u.revision`,
  },
  insertFlowLabel: insertInto(
    'flow_labels',
    ['namespace', 'id', 'revision', 'key', 'value'],
    ' ON CONFLICT DO NOTHING',
  ),
  putTrigger: insertInto('triggers', triggerColumns, upsertTrigger),
  putTriggerWithoutNext: guard(
    insertInto('triggers', triggerColumns, `${upsertTrigger} WHERE triggers.next_at IS NULL RETURNING 1`),
  ),
  putTriggerWithNext: guard({
    columns: typed([...triggerColumns, 'expect_next']),
    command: (from) =>
      `UPDATE triggers t SET ${updateTrigger} FROM ${from} WHERE ${sameTrigger} AND t.next_at = u.expect_next RETURNING 1`,
  }),
  putNewTrigger: guard(insertInto('triggers', triggerColumns, ' ON CONFLICT DO NOTHING RETURNING 1')),
  putTriggerAsRead: guard({
    columns: typed([...triggerColumns, 'expect_updated']),
    command: (from) =>
      `UPDATE triggers t SET ${updateTrigger} FROM ${from} WHERE ${sameTrigger} AND t.updated_at = u.expect_updated RETURNING 1`,
  }),
  deleteTrigger: {
    columns: typed(triggerKey),
    command: (from) => `DELETE FROM triggers t USING ${from} WHERE ${sameTrigger}`,
  },
  insertWindow: guard(insertInto('trigger_windows', windowColumns, ' ON CONFLICT DO NOTHING RETURNING 1')),
  updateWindow: guard({
    columns: typed([...windowColumns, 'expect_version']),
    command: (from) => `UPDATE trigger_windows t SET version = u.version, data = u.data
      FROM ${from} WHERE ${sameWindow} AND t.version = u.expect_version RETURNING 1`,
  }),
  deleteWindow: guard({
    columns: typed([...triggerKey, 'condition_id', 'expect_version']),
    command: (from) =>
      `DELETE FROM trigger_windows t USING ${from} WHERE ${sameWindow} AND t.version = u.expect_version RETURNING 1`,
  }),
  clearWindows: {
    columns: typed(triggerKey),
    command: (from) => `DELETE FROM trigger_windows t USING ${from} WHERE ${sameTrigger}`,
  },
  putFlowEvent: insertInto('flow_events', flowEventColumns, ' ON CONFLICT DO NOTHING'),
  takeFlowEvent: guard({
    columns: typed(flowEventColumns.filter((name) => name !== 'at')),
    command: (from) => `DELETE FROM flow_events t USING ${from}
      WHERE t.execution_id = u.execution_id AND t.position = u.position AND ${sameTrigger} RETURNING 1`,
  }),
  putKv: insertInto('kv', kvColumns, ` ON CONFLICT (namespace, key) DO UPDATE SET ${replaceKv}`),
  putNewKv: guard(
    insertInto(
      'kv',
      kvColumns,
      ` ON CONFLICT (namespace, key) DO UPDATE SET ${replaceKv} WHERE kv.expires_at <= excluded.updated_at RETURNING 1`,
    ),
  ),
  deleteKv: guard({
    columns: typed(['namespace', 'key']),
    command: (from) =>
      `DELETE FROM kv t USING ${from} WHERE t.namespace = u.namespace AND t.key = u.key RETURNING 1`,
  }),
  sweepKv: {
    columns: typed(['expires_at']),
    command: (from) => `DELETE FROM kv t USING ${from} WHERE t.expires_at <= u.expires_at`,
  },
  putTemplate: insertInto(
    'templates',
    templateColumns,
    ` ON CONFLICT (namespace, id) DO UPDATE SET ${assign(templateColumns)}`,
  ),
  putNewTemplate: guard(insertInto('templates', templateColumns, ' ON CONFLICT DO NOTHING RETURNING 1')),
  deleteTemplate: guard({
    columns: typed(['namespace', 'id']),
    command: (from) =>
      `DELETE FROM templates t USING ${from} WHERE t.namespace = u.namespace AND t.id = u.id RETURNING 1`,
  }),
  putFileNamespace: insertInto('file_namespaces', ['namespace'], ' ON CONFLICT DO NOTHING'),
  deleteFileNamespace: {
    columns: typed(['namespace']),
    command: (from) => `DELETE FROM file_namespaces t USING ${from} WHERE t.namespace = u.namespace`,
  },
  insertSession: insertInto('sessions', sessionColumns),
  insertSessionToken: insertInto('session_tokens', sessionTokenColumns),
  useSessionToken: {
    columns: typed(['hash', 'used_at']),
    command: (from) => `UPDATE session_tokens t SET used_at = coalesce(t.used_at, u.used_at)
      FROM ${from} WHERE t.hash = u.hash`,
  },
  deleteSession: {
    columns: typed(['id']),
    command: (from) => `DELETE FROM sessions t USING ${from} WHERE t.id = u.id`,
  },
  deleteSessionsOfUser: {
    columns: typed(['username']),
    command: (from) => `DELETE FROM sessions t USING ${from} WHERE t.username = u.username`,
  },
  deleteEndedSessions: {
    columns: typed(['before']),
    command: (from) => `DELETE FROM sessions t USING ${from} WHERE t.ends_at < u.before`,
  },
  deleteExpiredTokens: {
    columns: typed(['before']),
    command: (from) => `DELETE FROM session_tokens t USING ${from} WHERE t.expires_at < u.before`,
  },
  putSetting: insertInto(
    'settings',
    ['key', 'value'],
    ' ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  ),
  deleteSetting: {
    columns: typed(['key']),
    command: (from) => `DELETE FROM settings s USING ${from} WHERE s.key = u.key`,
  },
  addStats: {
    columns: typed(['day', 'namespace', 'flow_id', 'state', 'n', 'duration']),
    command: (from) => addUp(`SELECT u.* FROM ${from}`),
  },
  /** The same, and takes stored executions out of the roll-up: rows without a day name the execution instead. */
  addAndRemoveStats: {
    columns: typed(['day', 'namespace', 'flow_id', 'state', 'n', 'duration', 'id']),
    command: (from) =>
      addUp(`SELECT coalesce(u.day, floor(e.start_date / 86400000.0)::integer) AS day, coalesce(u.namespace, e.namespace)
        AS namespace, coalesce(u.flow_id, e.flow_id) AS flow_id, coalesce(u.state, e.state) AS state, u.n,
        coalesce(u.duration, -coalesce(e.duration, 0)) AS duration
      FROM ${from} LEFT JOIN executions e ON e.id = u.id WHERE u.day IS NOT NULL OR e.id IS NOT NULL`),
  },
} satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
export const partNames = Object.keys(parts) as readonly PartName[];

function deleteOf(table: string): Part {
  return {
    columns: typed(['execution_id']),
    command: (from) => `DELETE FROM ${table} t USING ${from} WHERE t.execution_id = u.execution_id`,
  };
}

/** Sorted, so that two servers lock the rows in the same order; sharded, so that they seldom meet at all. */
function addUp(rows: string): string {
  return `INSERT INTO execution_stats (day, namespace, flow_id, state, shard, n, duration)
    SELECT s.day, s.namespace, s.flow_id, s.state, pg_backend_pid() % 16, sum(s.n), sum(s.duration) FROM (${rows}) s
    GROUP BY 1, 2, 3, 4 HAVING sum(s.n) <> 0 OR sum(s.duration) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (day, namespace, flow_id, state, shard)
    DO UPDATE SET n = execution_stats.n + excluded.n, duration = execution_stats.duration + excluded.duration`;
}
