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

const values = (columns: readonly string[]): string => columns.map(() => '?').join(', ');
const assign = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(', ');
const trigger = { columns: triggerColumns.join(', '), values: values(triggerColumns) };
const addUp = 'n = n + excluded.n, duration = duration + excluded.duration';

const executionColumns = [
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
];

/** Each optional part is given twice: NULL takes every row. */
const selectedLogs = `execution_id = ? AND level >= ? AND (? IS NULL OR task_id = ?)
  AND (? IS NULL OR task_run_id = ?) AND (? IS NULL OR attempt = ?)`;
const flowLogs = 'namespace = ? AND flow_id = ? AND (? IS NULL OR trigger_id = ?)';

/** Every statement of the writing thread. A guarded one must change exactly one row, otherwise its unit conflicts. */
const definitions = {
  insertExecution: guarded(
    `INSERT INTO executions (${executionColumns.join(', ')}) VALUES (${values(executionColumns)}) ON CONFLICT DO NOTHING`,
  ),
  updateExecution: guarded(
    `UPDATE executions SET flow_revision = ?, state = ?, end_date = ?, duration = ?, over_at = ?, parent_id = ?,
       data = ?, version = version + 1
     WHERE id = ? AND version = ? AND state = ?`,
  ),
  updateExecutionAndOrigin: guarded(
    `UPDATE executions SET trigger_execution_id = ?, origin = ?, flow_revision = ?, state = ?, end_date = ?,
       duration = ?, over_at = ?, parent_id = ?, data = ?, version = version + 1
     WHERE id = ? AND version = ? AND state = ?`,
  ),
  deleteExecution: free('DELETE FROM executions WHERE id = ?'),
  putTaskRun: free(
    `INSERT INTO task_runs (execution_id, id, task_id, state, start_date, data) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (execution_id, id) DO UPDATE SET ${assign(['task_id', 'state', 'start_date', 'data'])}`,
  ),
  deleteTaskRun: free('DELETE FROM task_runs WHERE execution_id = ? AND id = ?'),
  deleteTaskRuns: free('DELETE FROM task_runs WHERE execution_id = ?'),
  appendEvents: guarded(
    'INSERT INTO execution_events (execution_id, seq, at, events) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  ),
  deleteEvents: free('DELETE FROM execution_events WHERE execution_id = ?'),
  insertLabel: free(
    'INSERT INTO execution_labels (execution_id, key, value, start_date) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  ),
  deleteLabels: free('DELETE FROM execution_labels WHERE execution_id = ?'),
  insertLog: free(`INSERT INTO logs (id, ${logColumns.join(', ')}) VALUES (?, ${values(logColumns)})`),
  deleteLogSearch: free(
    'DELETE FROM log_search WHERE rowid IN (SELECT id FROM logs WHERE execution_id = ? AND id <= (SELECT last_id FROM log_search_mark))',
  ),
  deleteLogs: free('DELETE FROM logs WHERE execution_id = ?'),
  deleteSelectedLogSearch: free(
    `DELETE FROM log_search WHERE rowid IN (SELECT id FROM logs WHERE ${selectedLogs} AND id <= (SELECT last_id FROM log_search_mark))`,
  ),
  deleteSelectedLogs: free(`DELETE FROM logs WHERE ${selectedLogs}`),
  deleteFlowLogSearch: free(
    `DELETE FROM log_search WHERE rowid IN (SELECT id FROM logs WHERE ${flowLogs} AND id <= (SELECT last_id FROM log_search_mark))`,
  ),
  deleteFlowLogs: free(`DELETE FROM logs WHERE ${flowLogs}`),
  insertMetric: free(`INSERT INTO metrics (${metricColumns.join(', ')}) VALUES (${values(metricColumns)})`),
  deleteMetrics: free('DELETE FROM metrics WHERE execution_id = ?'),
  insertFlow: guarded(
    `INSERT INTO flows (latest, ${flowColumns.join(', ')}) SELECT 1, ${values(flowColumns)}
     WHERE coalesce((SELECT max(revision) FROM flows WHERE namespace = ? AND id = ?), 0) = ?
     ON CONFLICT DO NOTHING`,
  ),
  retireFlow: free(
    'UPDATE flows SET latest = 0 WHERE namespace = ? AND id = ? AND latest = 1 AND revision <> ?',
  ),
  insertFlowLabel: free(
    'INSERT INTO flow_labels (namespace, id, revision, key, value) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  ),
  putTrigger: free(
    `INSERT INTO triggers (${trigger.columns}) VALUES (${trigger.values})
     ON CONFLICT (namespace, flow_id, trigger_id) DO UPDATE SET ${assign(triggerColumns)}`,
  ),
  putTriggerWithoutNext: guarded(
    `INSERT INTO triggers (${trigger.columns}) VALUES (${trigger.values})
     ON CONFLICT (namespace, flow_id, trigger_id) DO UPDATE SET ${assign(triggerColumns)}
     WHERE triggers.next_at IS NULL`,
  ),
  putTriggerWithNext: guarded(
    `INSERT INTO triggers (${trigger.columns}) SELECT ${trigger.values}
     WHERE EXISTS (SELECT 1 FROM triggers WHERE namespace = ? AND flow_id = ? AND trigger_id = ? AND next_at = ?)
     ON CONFLICT (namespace, flow_id, trigger_id) DO UPDATE SET ${assign(triggerColumns)}`,
  ),
  putNewTrigger: guarded(
    `INSERT INTO triggers (${trigger.columns}) VALUES (${trigger.values}) ON CONFLICT DO NOTHING`,
  ),
  putTriggerAsRead: guarded(
    `INSERT INTO triggers (${trigger.columns}) SELECT ${trigger.values}
     WHERE EXISTS (SELECT 1 FROM triggers WHERE namespace = ? AND flow_id = ? AND trigger_id = ? AND updated_at = ?)
     ON CONFLICT (namespace, flow_id, trigger_id) DO UPDATE SET ${assign(triggerColumns)}`,
  ),
  deleteTrigger: free('DELETE FROM triggers WHERE namespace = ? AND flow_id = ? AND trigger_id = ?'),
  insertWindow: guarded(
    `INSERT INTO trigger_windows (${windowColumns.join(', ')}) VALUES (${values(windowColumns)}) ON CONFLICT DO NOTHING`,
  ),
  updateWindow: guarded(
    `UPDATE trigger_windows SET version = ?, data = ?
     WHERE namespace = ? AND flow_id = ? AND trigger_id = ? AND condition_id = ? AND version = ?`,
  ),
  deleteWindow: guarded(
    `DELETE FROM trigger_windows
     WHERE namespace = ? AND flow_id = ? AND trigger_id = ? AND condition_id = ? AND version = ?`,
  ),
  clearWindows: free('DELETE FROM trigger_windows WHERE namespace = ? AND flow_id = ? AND trigger_id = ?'),
  putFlowEvent: free(
    `INSERT INTO flow_events (${flowEventColumns.join(', ')}) VALUES (${values(flowEventColumns)}) ON CONFLICT DO NOTHING`,
  ),
  takeFlowEvent: guarded(
    `DELETE FROM flow_events
     WHERE execution_id = ? AND position = ? AND namespace = ? AND flow_id = ? AND trigger_id = ?`,
  ),
  putKv: free(
    `INSERT INTO kv (${kvColumns.join(', ')}) VALUES (${values(kvColumns)})
     ON CONFLICT (namespace, key) DO UPDATE SET ${replaceKv}`,
  ),
  putNewKv: guarded(
    `INSERT INTO kv (${kvColumns.join(', ')}) VALUES (${values(kvColumns)})
     ON CONFLICT (namespace, key) DO UPDATE SET ${replaceKv} WHERE kv.expires_at <= excluded.updated_at`,
  ),
  deleteKv: guarded('DELETE FROM kv WHERE namespace = ? AND key = ?'),
  sweepKv: free('DELETE FROM kv WHERE expires_at <= ?'),
  putTemplate: free(
    `INSERT INTO templates (${templateColumns.join(', ')}) VALUES (${values(templateColumns)})
     ON CONFLICT (namespace, id) DO UPDATE SET ${assign(templateColumns)}`,
  ),
  putNewTemplate: guarded(
    `INSERT INTO templates (${templateColumns.join(', ')}) VALUES (${values(templateColumns)}) ON CONFLICT DO NOTHING`,
  ),
  deleteTemplate: guarded('DELETE FROM templates WHERE namespace = ? AND id = ?'),
  putFileNamespace: free('INSERT INTO file_namespaces (namespace) VALUES (?) ON CONFLICT DO NOTHING'),
  deleteFileNamespace: free('DELETE FROM file_namespaces WHERE namespace = ?'),
  insertSession: free(
    `INSERT INTO sessions (${sessionColumns.join(', ')}) VALUES (${values(sessionColumns)})`,
  ),
  insertSessionToken: free(
    `INSERT INTO session_tokens (${sessionTokenColumns.join(', ')}) VALUES (${values(sessionTokenColumns)})`,
  ),
  useSessionToken: free('UPDATE session_tokens SET used_at = coalesce(used_at, ?) WHERE hash = ?'),
  deleteSession: free('DELETE FROM sessions WHERE id = ?'),
  deleteSessionsOfUser: free('DELETE FROM sessions WHERE username = ?'),
  deleteEndedSessions: free('DELETE FROM sessions WHERE ends_at < ?'),
  deleteExpiredTokens: free('DELETE FROM session_tokens WHERE expires_at < ?'),
  putSetting: free(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  ),
  deleteSetting: free('DELETE FROM settings WHERE key = ?'),
  /** Collected over a group and run once per distinct day, flow and state. */
  addStats: free(
    `INSERT INTO execution_stats (day, namespace, flow_id, state, n, duration) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, namespace, flow_id, state) DO UPDATE SET ${addUp}`,
  ),
  /** Takes a stored execution out of the roll-up. Reads, so it is used only where what was stored is not known. */
  removeStats: free(
    `INSERT INTO execution_stats (day, namespace, flow_id, state, n, duration)
     SELECT start_date / 86400000 - (start_date % 86400000 < 0), namespace, flow_id, state, -1, -coalesce(duration, 0)
     FROM executions WHERE id = ?
     ON CONFLICT (day, namespace, flow_id, state) DO UPDATE SET ${addUp}`,
  ),
} satisfies Record<string, StatementDefinition>;

export interface StatementDefinition {
  readonly text: string;
  readonly guarded: boolean;
}

export type StatementName = keyof typeof definitions;

/** The two threads name a statement by its place in this list. */
export const statementNames = Object.keys(definitions) as readonly StatementName[];
export const statementList: readonly (StatementDefinition & { readonly arity: number })[] = Object.values(
  definitions,
).map((definition) => ({ ...definition, arity: definition.text.split('?').length - 1 }));

const codes = new Map(statementNames.map((name, code) => [name, code]));
export const codeOf = (name: StatementName): number => codes.get(name) ?? -1;

function guarded(text: string): StatementDefinition {
  return { text, guarded: true };
}

function free(text: string): StatementDefinition {
  return { text, guarded: false };
}
