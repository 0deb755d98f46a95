import {
  dashboardColumns,
  documentColumns,
  executionColumns,
  executionOriginColumns,
  executionUpdateColumns,
  flowColumns,
  flowEventColumns,
  flowTestColumns,
  kvColumns,
  logColumns,
  metricColumns,
  replaceDocument,
  replaceKv,
  sessionColumns,
  sessionTokenColumns,
  taskRunColumns,
  templateColumns,
  triggerColumns,
  windowColumns,
} from '../rows/columns.ts';
import { rollUpColumns, rollUpKey, rollUpSubjects, stepMs } from '../rows/rollUp.ts';

const values = (columns: readonly string[]): string => columns.map(() => '?').join(', ');
const assign = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(', ');
const trigger = { columns: triggerColumns.join(', '), values: values(triggerColumns) };
const equal = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(' AND ');
const set = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(', ');
const addUp = 'n = n + excluded.n, duration = duration + excluded.duration';
const taskRunKey = ['execution_id', 'id'];
const taskRunRest = taskRunColumns.filter((column) => !taskRunKey.includes(column));

/** Each optional parameter is passed twice: NULL matches every row. */
const selectedLogs = `execution_id = ? AND level >= ? AND (? IS NULL OR task_id = ?)
  AND (? IS NULL OR task_run_id = ?) AND (? IS NULL OR attempt = ?)`;
const flowLogs = 'namespace = ? AND flow_id = ? AND (? IS NULL OR trigger_id = ?)';

const leavingTaskRuns = `SELECT ${rollUpSubjects.taskRuns} AS subject, e.namespace, e.flow_id, t.start_date AS at,
  t.state AS word, 1 AS n, t.duration
  FROM task_runs t JOIN executions e ON e.id = t.execution_id WHERE t.execution_id = ?`;
function leavingLogs(where: string): string {
  return `SELECT ${rollUpSubjects.logs} AS subject, namespace, flow_id, min(at) AS at, CAST(level AS TEXT) AS word,
    count(*) AS n, NULL AS duration
    FROM logs WHERE ${where} GROUP BY namespace, flow_id, level, at / ${stepMs} - (at % ${stepMs} < 0)`;
}

/**
 * Every statement of the writing thread. A guarded statement must change exactly one row, otherwise its unit
 * conflicts.
 */
const definitions = {
  insertExecution: guarded(
    `INSERT INTO executions (${executionColumns.join(', ')}) VALUES (${values(executionColumns)}) ON CONFLICT DO NOTHING`,
  ),
  updateExecution: guarded(
    `UPDATE executions SET ${set(executionUpdateColumns)}, version = version + 1
     WHERE id = ? AND version = ? AND state = ?`,
  ),
  updateExecutionAndOrigin: guarded(
    `UPDATE executions SET ${set([...executionOriginColumns, ...executionUpdateColumns])}, version = version + 1
     WHERE id = ? AND version = ? AND state = ?`,
  ),
  deleteExecution: free('DELETE FROM executions WHERE id = ?'),
  /** A guard that changes no values. It must come before the writes that depend on it. */
  checkClosed: guarded('UPDATE executions SET version = version WHERE id = ? AND closed_at < ?'),
  deleteFlowEvents: free('DELETE FROM flow_events WHERE execution_id = ?'),
  /** Inserts a new task run; for a stored one the next two subtract it from the roll-up and replace it. */
  insertTaskRun: free(
    `INSERT INTO task_runs (${taskRunColumns.join(', ')}) VALUES (${values(taskRunColumns)}) ON CONFLICT DO NOTHING`,
  ),
  findTaskRun: free('SELECT state, start_date, duration FROM task_runs WHERE execution_id = ? AND id = ?'),
  updateTaskRun: free(`UPDATE task_runs SET ${set(taskRunRest)} WHERE ${equal(taskRunKey)}`),
  findFlow: free('SELECT namespace, flow_id FROM executions WHERE id = ?'),
  /** Namespace and flow (NULL: look them up) and then the row; see `GroupApplier`. */
  putTaskRun: { text: values(['namespace', 'flow_id', ...taskRunColumns]), kind: 'taskRun' },
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
    'DELETE FROM log_search WHERE rowid IN (SELECT id FROM logs WHERE execution_id = ? AND id <= (SELECT last_id FROM log_search_position))',
  ),
  leaveLog: leaving(leavingLogs('id = ?')),
  removeLogSearch: free(
    'DELETE FROM log_search WHERE rowid = ? AND rowid <= (SELECT last_id FROM log_search_position)',
  ),
  removeLog: free('DELETE FROM logs WHERE id = ?'),
  deleteLogs: free('DELETE FROM logs WHERE execution_id = ?'),
  deleteSelectedLogSearch: free(
    `DELETE FROM log_search WHERE rowid IN (SELECT id FROM logs WHERE ${selectedLogs} AND id <= (SELECT last_id FROM log_search_position))`,
  ),
  deleteSelectedLogs: free(`DELETE FROM logs WHERE ${selectedLogs}`),
  deleteFlowLogSearch: free(
    `DELETE FROM log_search WHERE rowid IN (SELECT id FROM logs WHERE ${flowLogs} AND id <= (SELECT last_id FROM log_search_position))`,
  ),
  deleteFlowLogs: free(`DELETE FROM logs WHERE ${flowLogs}`),
  insertMetric: free(`INSERT INTO metrics (${metricColumns.join(', ')}) VALUES (${values(metricColumns)})`),
  deleteMetrics: free('DELETE FROM metrics WHERE execution_id = ?'),
  insertFlow: guarded(
    `INSERT INTO flows (latest, ${flowColumns.join(', ')}) SELECT 1, ${values(flowColumns)}
     WHERE coalesce((SELECT max(revision) FROM flows WHERE namespace = ? AND id = ?), 0) = ?
     ON CONFLICT DO NOTHING`,
  ),
  insertFlowDraft: guarded(
    `INSERT INTO flows (latest, ${flowColumns.join(', ')}) SELECT 0, ${values(flowColumns)}
     WHERE ? < 0 ON CONFLICT DO NOTHING`,
  ),
  retireFlow: free(
    'UPDATE flows SET latest = 0 WHERE namespace = ? AND id = ? AND latest = 1 AND revision <> ?',
  ),
  deleteFlowRevision: guarded(
    `DELETE FROM flows WHERE namespace = ? AND id = ? AND revision = ? AND latest = 0 AND NOT EXISTS
       (SELECT 1 FROM executions WHERE namespace = ? AND flow_id = ? AND flow_revision = ? AND closed_at IS NULL)`,
  ),
  deleteFlowLabels: free('DELETE FROM flow_labels WHERE namespace = ? AND id = ? AND revision = ?'),
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
  putDashboard: free(
    `INSERT INTO dashboards (${dashboardColumns.join(', ')}) VALUES (${values(dashboardColumns)})
     ON CONFLICT (id) DO UPDATE SET ${assign(dashboardColumns)}`,
  ),
  putNewDashboard: guarded(
    `INSERT INTO dashboards (${dashboardColumns.join(', ')}) VALUES (${values(dashboardColumns)}) ON CONFLICT DO NOTHING`,
  ),
  putDocument: free(
    `INSERT INTO documents (${documentColumns.join(', ')}) VALUES (${values(documentColumns)})
     ON CONFLICT (kind, id) DO UPDATE SET ${replaceDocument}`,
  ),
  putNewDocument: guarded(
    `INSERT INTO documents (${documentColumns.join(', ')}) VALUES (${values(documentColumns)}) ON CONFLICT DO NOTHING`,
  ),
  putDocumentAsRead: guarded(
    `INSERT INTO documents (${documentColumns.join(', ')}) SELECT ${values(documentColumns)}
     WHERE EXISTS (SELECT 1 FROM documents WHERE kind = ? AND id = ? AND version = ?)
     ON CONFLICT (kind, id) DO UPDATE SET ${replaceDocument}`,
  ),
  deleteDocument: free('DELETE FROM documents WHERE kind = ? AND id = ?'),
  deleteDocumentAsRead: guarded('DELETE FROM documents WHERE kind = ? AND id = ? AND version = ?'),
  sweepDocuments: free('DELETE FROM documents WHERE kind = ? AND at < ?'),
  deleteDashboard: guarded('DELETE FROM dashboards WHERE id = ?'),
  insertFlowTest: guarded(
    `INSERT INTO flow_tests (${flowTestColumns.join(', ')}) VALUES (${values(flowTestColumns)}) ON CONFLICT DO NOTHING`,
  ),
  putFlowTestResult: free('UPDATE flow_tests SET result = ? WHERE namespace = ? AND id = ? AND version = ?'),
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
  putNewSetting: guarded('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING'),
  deleteSetting: free('DELETE FROM settings WHERE key = ?'),
  /**
   * Only counts: kind, namespace, flow, date, word, number, duration. The sums of a group are written at its
   * end.
   */
  count: { text: values(['subject', 'namespace', 'flow_id', 'at', 'word', 'n', 'duration']), kind: 'count' },
  /** Reads the rows that are about to be deleted or changed, when their stored values are unknown. */
  leaveExecution: leaving(
    `SELECT ${rollUpSubjects.executions} AS subject, namespace, flow_id, start_date AS at, state AS word, 1 AS n, duration
     FROM executions WHERE id = ?`,
  ),
  leaveTaskRun: leaving(`${leavingTaskRuns} AND t.id = ?`),
  leaveTaskRuns: leaving(leavingTaskRuns),
  leaveLogs: leaving(leavingLogs('execution_id = ?')),
  leaveSelectedLogs: leaving(leavingLogs(selectedLogs)),
  leaveFlowLogs: leaving(leavingLogs(flowLogs)),
  addDay: free(
    `INSERT INTO execution_stats (day, namespace, flow_id, state, n, duration) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, namespace, flow_id, state) DO UPDATE SET ${addUp}`,
  ),
  addRollUp: free(
    `INSERT INTO roll_up (${rollUpColumns.join(', ')}) VALUES (${values(rollUpColumns)})
     ON CONFLICT (${rollUpKey.join(', ')}) DO UPDATE SET ${addUp},
       shortest = min(coalesce(shortest, excluded.shortest), coalesce(excluded.shortest, shortest)),
       longest = max(coalesce(longest, excluded.longest), coalesce(excluded.longest, longest)),
       unsettled = max(unsettled, excluded.unsettled)`,
  ),
  removeEmptyRollUp: free(`DELETE FROM roll_up WHERE ${equal(rollUpKey)} AND n = 0`),
} satisfies Record<string, StatementDefinition>;

/**
 * `guarded` must change one row; `free` may change any number; `leaving` reads the rows to subtract from the
 * roll-up; `count` and `taskRun` are not statements but commands to the applier in the same format.
 */
export interface StatementDefinition {
  readonly text: string;
  readonly kind: 'guarded' | 'free' | 'leaving' | 'count' | 'taskRun';
}

export type StatementName = keyof typeof definitions;

/** The two threads identify a statement by its index in this list. */
export const statementNames = Object.keys(definitions) as readonly StatementName[];
export const statementList: readonly (StatementDefinition & { readonly arity: number })[] = Object.values(
  definitions,
).map((definition) => ({ ...definition, arity: definition.text.split('?').length - 1 }));

const codes = new Map(statementNames.map((name, code) => [name, code]));
export const codeOf = (name: StatementName): number => codes.get(name) ?? -1;

function guarded(text: string): StatementDefinition {
  return { text, kind: 'guarded' };
}

function free(text: string): StatementDefinition {
  return { text, kind: 'free' };
}

function leaving(text: string): StatementDefinition {
  return { text, kind: 'leaving' };
}
