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
import { rollUpColumns, rollUpSubjects } from '../rows/rollUp.ts';
import { clusterParts } from './cluster/clusterParts.ts';
import { type Cte, guard, insertInto, typed } from './cte.ts';
import { addDays, addRollUp, leavingLogs, leavingTaskRuns } from './rollUpCommands.ts';

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
const selectedLogs = `t.execution_id = u.execution_id AND t.level >= u.level
  AND (u.task_id IS NULL OR t.task_id = u.task_id) AND (u.task_run_id IS NULL OR t.task_run_id = u.task_run_id)
  AND (u.attempt IS NULL OR t.attempt = u.attempt)`;
const flowLogs = `t.namespace = u.namespace AND t.flow_id = u.flow_id
  AND (u.trigger_id IS NULL OR t.trigger_id = u.trigger_id)`;
const logRows = [...logColumns, 'search'];
const metricRows = metricColumns.map((name) => (name === 'value' ? 'metric_value' : name));

/**
 * In the order they appear in a statement. Each sees the rows as they were before the statement: see
 * `fusable`.
 */
export const parts = {
  insertExecution: guard(insertInto('executions', [...executionColumns, 'owner'], ' RETURNING 1')),
  updateExecution: guard({
    columns: typed([
      'id',
      'expect_version',
      'previous_state',
      ...executionUpdateColumns,
      ...executionOriginColumns,
    ]),
    // `origin` is not written: it is already stored and does not change.
    command: (from) => `UPDATE executions e
      SET ${executionUpdateColumns.map((name) => `${name} = u.${name}`).join(', ')}, version = e.version + 1,
        origin = coalesce(u.origin, e.origin),
        trigger_execution_id = CASE WHEN u.origin IS NULL THEN e.trigger_execution_id ELSE u.trigger_execution_id END
      FROM ${from} WHERE e.id = u.id AND e.version = u.expect_version AND e.state = u.previous_state RETURNING 1`,
  }),
  deleteExecution: {
    columns: typed(['id']),
    command: (from) => `DELETE FROM executions e USING ${from} WHERE e.id = u.id`,
  },
  /** Locks the row, so that no server restarts the execution before it is deleted. */
  checkClosed: guard({
    columns: typed(['id', 'expect_closed_before']),
    command: (from) =>
      `SELECT 1 FROM executions e JOIN ${from} ON e.id = u.id WHERE e.closed_at < u.expect_closed_before FOR UPDATE OF e`,
  }),
  putTaskRun: insertInto(
    'task_runs',
    taskRunColumns,
    ` ON CONFLICT (execution_id, id) DO UPDATE SET ${assign(taskRunColumns.filter((name) => !name.endsWith('id') || name === 'task_id'))}`,
  ),
  deleteTaskRun: {
    columns: typed(['execution_id', 'id']),
    command: (from) =>
      `DELETE FROM task_runs t USING ${from} WHERE t.execution_id = u.execution_id AND t.id = u.id`,
  },
  deleteTaskRuns: deleteOf('task_runs'),
  appendEvents: insertInto('execution_events', ['execution_id', 'seq', 'at', 'events']),
  deleteEvents: deleteOf('execution_events'),
  deleteFlowEvents: deleteOf('flow_events'),
  insertLabel: insertInto(
    'execution_labels',
    ['execution_id', 'key', 'value', 'start_date'],
    ' ON CONFLICT DO NOTHING',
  ),
  /** Deletes removed labels only: one statement cannot delete and insert the same row. */
  keepLabels: {
    columns: typed(['execution_id', 'kept']),
    command: (from) => `DELETE FROM execution_labels l USING ${from}
      WHERE l.execution_id = u.execution_id
        AND NOT EXISTS (SELECT 1 FROM json_array_elements(u.kept::json) k WHERE k->>0 = l.key AND k->>1 = l.value)`,
  },
  deleteLabels: deleteOf('execution_labels'),
  insertLog: insertInto('logs', logRows),
  deleteLogs: deleteOf('logs'),
  removeLog: {
    columns: typed(['log_id']),
    command: (from) => `DELETE FROM logs t USING ${from} WHERE t.id = u.log_id`,
  },
  deleteSelectedLogs: {
    columns: typed(['execution_id', 'level', 'task_id', 'task_run_id', 'attempt']),
    command: (from) => `DELETE FROM logs t USING ${from} WHERE ${selectedLogs}`,
  },
  deleteFlowLogs: {
    columns: typed(['namespace', 'flow_id', 'trigger_id']),
    command: (from) => `DELETE FROM logs t USING ${from} WHERE ${flowLogs}`,
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
  insertFlowDraft: guard({
    columns: typed(flowColumns),
    command: (from) => `INSERT INTO flows (latest, ${flowColumns.join(', ')})
      SELECT 0, ${flowColumns.map((name) => `u.${name}`).join(', ')} FROM ${from}
      WHERE u.revision < 0 ON CONFLICT DO NOTHING RETURNING 1`,
  }),
  retireFlow: {
    columns: typed(['namespace', 'id', 'revision']),
    command: (from) => `UPDATE flows f SET latest = 0 FROM ${from}
      WHERE f.namespace = u.namespace AND f.id = u.id AND f.latest = 1 AND f.revision <> u.revision`,
  },
  deleteFlowRevision: guard({
    columns: typed(['namespace', 'id', 'revision']),
    command: (from) => `DELETE FROM flows f USING ${from}
      WHERE f.namespace = u.namespace AND f.id = u.id AND f.revision = u.revision AND f.latest = 0
        AND NOT EXISTS (SELECT 1 FROM executions e WHERE e.namespace = f.namespace AND e.flow_id = f.id
          AND e.flow_revision = f.revision AND e.closed_at IS NULL) RETURNING 1`,
  }),
  deleteFlowLabels: {
    columns: typed(['namespace', 'id', 'revision']),
    command: (from) => `DELETE FROM flow_labels f USING ${from}
      WHERE f.namespace = u.namespace AND f.id = u.id AND f.revision = u.revision`,
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
  putDashboard: insertInto(
    'dashboards',
    dashboardColumns,
    ` ON CONFLICT (id) DO UPDATE SET ${assign(dashboardColumns)}`,
  ),
  putNewDashboard: guard(insertInto('dashboards', dashboardColumns, ' ON CONFLICT DO NOTHING RETURNING 1')),
  deleteDashboard: guard({
    columns: typed(['id']),
    command: (from) => `DELETE FROM dashboards t USING ${from} WHERE t.id = u.id RETURNING 1`,
  }),
  insertFlowTest: guard(insertInto('flow_tests', flowTestColumns, ' ON CONFLICT DO NOTHING RETURNING 1')),
  putFlowTestResult: {
    columns: typed(['result', 'namespace', 'id', 'version']),
    command: (from) => `UPDATE flow_tests t SET result = u.result
      FROM ${from} WHERE t.namespace = u.namespace AND t.id = u.id AND t.version = u.version`,
  },
  putDocument: insertInto(
    'documents',
    documentColumns,
    ` ON CONFLICT (kind, id) DO UPDATE SET ${replaceDocument}`,
  ),
  putNewDocument: guard(insertInto('documents', documentColumns, ' ON CONFLICT DO NOTHING RETURNING 1')),
  putDocumentAsRead: guard({
    columns: typed([...documentColumns, 'expect_version']),
    command: (
      from,
    ) => `UPDATE documents t SET parent = u.parent, at = u.at, version = u.version, data = u.data
      FROM ${from} WHERE t.kind = u.kind AND t.id = u.id AND t.version = u.expect_version RETURNING 1`,
  }),
  deleteDocument: {
    columns: typed(['kind', 'id']),
    command: (from) => `DELETE FROM documents t USING ${from} WHERE t.kind = u.kind AND t.id = u.id`,
  },
  deleteDocumentAsRead: guard({
    columns: typed(['kind', 'id', 'expect_version']),
    command: (from) => `DELETE FROM documents t USING ${from}
      WHERE t.kind = u.kind AND t.id = u.id AND t.version = u.expect_version RETURNING 1`,
  }),
  sweepDocuments: {
    columns: typed(['kind', 'before']),
    command: (from) => `DELETE FROM documents t USING ${from} WHERE t.kind = u.kind AND t.at < u.before`,
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
  putNewSetting: insertInto('settings', ['key', 'value']),
  deleteSetting: {
    columns: typed(['key']),
    command: (from) => `DELETE FROM settings s USING ${from} WHERE s.key = u.key`,
  },
  ...clusterParts,
  leaveExecution: {
    columns: typed(['id']),
    command: (
      from,
    ) => `SELECT ${rollUpSubjects.executions} AS subject, e.namespace, e.flow_id, e.start_date AS at,
      e.state AS word, -1 AS n, e.duration FROM ${from} JOIN executions e ON e.id = u.id`,
  },
  leaveTaskRun: {
    columns: typed(['execution_id', 'id', 'namespace', 'flow_id']),
    command: (from) => `${leavingTaskRuns} FROM ${from}
      JOIN task_runs t ON t.execution_id = u.execution_id AND t.id = u.id
      LEFT JOIN executions e ON u.namespace IS NULL AND e.id = u.execution_id
      WHERE coalesce(u.namespace, e.namespace) IS NOT NULL`,
  },
  leaveTaskRuns: {
    columns: typed(['execution_id', 'namespace', 'flow_id']),
    command: (from) => `${leavingTaskRuns} FROM ${from}
      JOIN task_runs t ON t.execution_id = u.execution_id JOIN executions e ON e.id = u.execution_id`,
  },
  /** Adds to the roll-up the task runs of an execution that is not part of the batch. */
  countTaskRun: {
    columns: typed(['execution_id', 'state', 'start_date', 'duration']),
    command: (
      from,
    ) => `SELECT ${rollUpSubjects.taskRuns} AS subject, e.namespace, e.flow_id, u.start_date AS at,
      u.state AS word, 1 AS n, u.duration FROM ${from} JOIN executions e ON e.id = u.execution_id`,
  },
  leaveLogs: {
    columns: typed(['execution_id']),
    command: (from) => leavingLogs(from, 't.execution_id = u.execution_id'),
  },
  leaveLog: {
    columns: typed(['log_id']),
    command: (from) => leavingLogs(from, 't.id = u.log_id'),
  },
  leaveSelectedLogs: {
    columns: typed(['execution_id', 'level', 'task_id', 'task_run_id', 'attempt']),
    command: (from) => leavingLogs(from, selectedLogs),
  },
  leaveFlowLogs: {
    columns: typed(['namespace', 'flow_id', 'trigger_id']),
    command: (from) => leavingLogs(from, flowLogs),
  },
  addDay: {
    columns: typed(['day', 'namespace', 'flow_id', 'state', 'n', 'duration']),
    command: (from, leaving) => addDays(from, leaving),
  },
  addRollUp: {
    columns: typed(rollUpColumns),
    command: (from, leaving) => addRollUp(from, leaving),
  },
} satisfies Record<string, Cte>;

export type CteName = keyof typeof parts;
export const cteNames = Object.keys(parts) as readonly CteName[];

/** Parts that only select the rows to subtract from (or add to) the roll-up. */
export const isCounting = (name: CteName): boolean => name.startsWith('leave') || name === 'countTaskRun';

function deleteOf(table: string): Cte {
  return {
    columns: typed(['execution_id']),
    command: (from) => `DELETE FROM ${table} t USING ${from} WHERE t.execution_id = u.execution_id`,
  };
}
