/**
 * The whole schema. Times are epoch milliseconds, booleans 0 or 1, nested values JSON text: the same in both dialects.
 */
export const sqlite020 = `
CREATE TABLE executions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  flow_revision INTEGER NOT NULL,
  state TEXT NOT NULL,
  start_date INTEGER NOT NULL,
  end_date INTEGER,
  duration INTEGER,
  closed_at INTEGER,
  parent_id TEXT,
  trigger_execution_id TEXT,
  unique_key TEXT,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  origin TEXT NOT NULL
);
CREATE INDEX executions_start ON executions (start_date);
CREATE INDEX executions_trigger_execution ON executions (trigger_execution_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_id ON executions (lower(id));
CREATE UNIQUE INDEX executions_unique_key ON executions (unique_key) WHERE unique_key IS NOT NULL;
-- The executions that a restart resumes: few, however many executions are stored.
CREATE INDEX executions_open ON executions (start_date, id) WHERE closed_at IS NULL;
CREATE INDEX executions_ended ON executions (namespace, flow_id, end_date) WHERE end_date IS NOT NULL;
-- These indexes include the id, so that labels can be checked without reading the rows.
CREATE INDEX executions_namespace ON executions (namespace, start_date, id);
CREATE INDEX executions_state ON executions (state, start_date, id);
CREATE INDEX executions_namespace_state ON executions (namespace, state, start_date, id);
CREATE INDEX executions_children ON executions (state, namespace, flow_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_duration ON executions (duration);
CREATE INDEX executions_end ON executions (end_date);
-- The flow comes first: lists are sorted by flow, and filtered by flow in any namespace.
CREATE INDEX executions_flow ON executions (flow_id, namespace, start_date, id);

CREATE TABLE task_runs (
  execution_id TEXT NOT NULL,
  id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  state TEXT NOT NULL,
  start_date INTEGER NOT NULL,
  data TEXT NOT NULL,
  duration INTEGER,
  PRIMARY KEY (execution_id, id)
) WITHOUT ROWID;
CREATE INDEX task_runs_start ON task_runs (start_date);
-- The states that users filter by; almost all or very few task runs have one of the others.
CREATE INDEX task_runs_state ON task_runs (state, start_date)
  WHERE state IN ('FAILED', 'WARNING', 'KILLED', 'CANCELLED', 'RETRIED', 'SKIPPED', 'PAUSED');

CREATE TABLE execution_events (
  execution_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  events TEXT NOT NULL,
  PRIMARY KEY (execution_id, seq)
) WITHOUT ROWID;

CREATE TABLE execution_labels (
  execution_id TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  start_date INTEGER NOT NULL,
  PRIMARY KEY (execution_id, key, value)
) WITHOUT ROWID;
CREATE INDEX execution_labels_value ON execution_labels (key, value, start_date);

-- Executions per day, flow and state: the source of totals and charts.
CREATE TABLE execution_stats (
  day INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  state TEXT NOT NULL,
  n INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  PRIMARY KEY (day, namespace, flow_id, state)
) WITHOUT ROWID;
CREATE INDEX execution_stats_flow ON execution_stats (namespace, flow_id);

CREATE TABLE logs (
  id INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  execution_id TEXT,
  task_id TEXT,
  task_run_id TEXT,
  attempt INTEGER,
  trigger_id TEXT,
  at INTEGER NOT NULL,
  level INTEGER NOT NULL,
  thread TEXT,
  message TEXT NOT NULL
);
CREATE INDEX logs_execution ON logs (execution_id, id);
CREATE INDEX logs_at ON logs (at);
CREATE INDEX logs_flow ON logs (namespace, flow_id, at);
CREATE INDEX logs_warnings ON logs (at) WHERE level >= 3;
-- Retention finds log entries without an execution by age.
CREATE INDEX logs_loose ON logs (at) WHERE execution_id IS NULL;

-- Filled after the commit by the writer when it has nothing else to do; see logIndex.ts.
CREATE VIRTUAL TABLE log_search USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TABLE log_search_position (last_id INTEGER NOT NULL);
INSERT INTO log_search_position (last_id) VALUES (0);

CREATE TABLE metrics (
  id INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  execution_id TEXT,
  task_id TEXT,
  task_run_id TEXT,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  value REAL,
  data TEXT NOT NULL
);
CREATE INDEX metrics_execution ON metrics (execution_id, id);
CREATE INDEX metrics_flow ON metrics (namespace, flow_id, name, at);

CREATE TABLE flows (
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  tenant_id TEXT NOT NULL,
  source TEXT NOT NULL,
  description TEXT,
  labels TEXT NOT NULL,
  disabled INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  search TEXT NOT NULL,
  source_search TEXT NOT NULL,
  latest INTEGER NOT NULL,
  -- Who saved the revision, and why.
  author TEXT,
  message TEXT,
  PRIMARY KEY (namespace, id, revision)
);
CREATE INDEX flows_latest ON flows (namespace, id) WHERE latest = 1 AND deleted = 0;

CREATE TABLE flow_labels (
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (namespace, id, revision, key, value)
) WITHOUT ROWID;

CREATE TABLE triggers (
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  trigger_id TEXT NOT NULL,
  next_at INTEGER,
  disabled INTEGER NOT NULL,
  execution_id TEXT,
  updated_at INTEGER NOT NULL,
  data TEXT NOT NULL,
  type TEXT,
  search TEXT NOT NULL DEFAULT '',
  worker_group TEXT,
  PRIMARY KEY (namespace, flow_id, trigger_id)
);
-- A trigger whose execution is under way waits for its end, whatever its next date.
CREATE INDEX triggers_due ON triggers (next_at) WHERE disabled = 0 AND execution_id IS NULL;
CREATE INDEX triggers_locked ON triggers (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX triggers_type ON triggers (type);
-- Triggers that only workers of a group evaluate.
CREATE INDEX triggers_group ON triggers (worker_group, next_at) WHERE worker_group IS NOT NULL;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- The conditions of a flow trigger that are met so far, within one time window.
CREATE TABLE trigger_windows (
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  trigger_id TEXT NOT NULL,
  condition_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (namespace, flow_id, trigger_id, condition_id)
) WITHOUT ROWID;

-- State changes that a flow trigger has not evaluated yet. The commit of the change writes a row, the commit of the
-- evaluation removes it.
CREATE TABLE flow_events (
  execution_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  trigger_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (execution_id, position, namespace, flow_id, trigger_id)
) WITHOUT ROWID;
CREATE INDEX flow_events_at ON flow_events (at);

CREATE TABLE kv (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  description TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  version INTEGER NOT NULL,
  search TEXT NOT NULL,
  PRIMARY KEY (namespace, key)
) WITHOUT ROWID;
CREATE INDEX kv_expires ON kv (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE templates (
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  search TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (namespace, id)
) WITHOUT ROWID;

-- The files are in internal storage, which cannot list the namespaces that have files.
CREATE TABLE file_namespaces (namespace TEXT PRIMARY KEY) WITHOUT ROWID;

-- Sessions and their tokens. Only hashes are stored.
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  username TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_username ON sessions (username);
CREATE INDEX sessions_ends_at ON sessions (ends_at);

-- A token is valid only while its session exists, so removing the session ends it.
CREATE TABLE session_tokens (
  hash TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) WITHOUT ROWID;
CREATE INDEX session_tokens_expires_at ON session_tokens (expires_at);

-- Executions (subject 0), task runs (1) and logs (2) in steps of half an hour, updated in the commits that change them.
-- flow_id '' holds the sums of the namespace. subject + 10 holds whole days of a namespace, + 20 the sums of all
-- namespaces, + 30 steps of four hours. Rows that count nothing are removed.
CREATE TABLE roll_up (
  subject INTEGER NOT NULL,
  flow_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  word TEXT NOT NULL,
  n INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  shortest INTEGER,
  longest INTEGER,
  unsettled INTEGER NOT NULL,
  PRIMARY KEY (subject, flow_id, step, namespace, word)
) WITHOUT ROWID;
CREATE INDEX roll_up_unsettled ON roll_up (subject, step) WHERE unsettled = 1;

CREATE TABLE dashboards (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  search TEXT NOT NULL,
  data TEXT NOT NULL
) WITHOUT ROWID;

-- Each saved version of a suite of flow tests, with its last result.
CREATE TABLE flow_tests (
  namespace TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  flow_id TEXT NOT NULL,
  flow_revision INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  result TEXT,
  data TEXT NOT NULL,
  PRIMARY KEY (namespace, id, version)
) WITHOUT ROWID;
CREATE INDEX flow_tests_flow ON flow_tests (namespace, flow_id);

-- Alert rules and channels, incidents, pending messages, failure groups. "at" is the date by which a kind is sorted.
CREATE TABLE documents (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  parent TEXT NOT NULL,
  at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE INDEX documents_at ON documents (kind, at, id);
CREATE INDEX documents_parent ON documents (kind, parent, at, id);
`;

/** From schema 19, which named these differently. */
export const sqliteFrom019 = `
ALTER TABLE executions RENAME COLUMN over_at TO closed_at;
ALTER TABLE log_search_mark RENAME TO log_search_position;
ALTER TABLE roll_up RENAME COLUMN doubt TO unsettled;
DROP INDEX roll_up_doubt;
CREATE INDEX roll_up_unsettled ON roll_up (subject, step) WHERE unsettled = 1;
`;
