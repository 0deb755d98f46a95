/** Times are epoch milliseconds, booleans 0 or 1, nested values JSON text: the same in both dialects. */
export const sqlite001 = `
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
  over_at INTEGER,
  parent_id TEXT,
  trigger_execution_id TEXT,
  unique_key TEXT,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  origin TEXT NOT NULL
);
CREATE INDEX executions_start ON executions (start_date);
CREATE INDEX executions_namespace ON executions (namespace, start_date);
CREATE INDEX executions_state ON executions (state, start_date);
CREATE INDEX executions_namespace_state ON executions (namespace, state, start_date);
CREATE INDEX executions_flow ON executions (namespace, flow_id, start_date);
CREATE INDEX executions_trigger_execution ON executions (trigger_execution_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_id ON executions (lower(id));
CREATE UNIQUE INDEX executions_unique_key ON executions (unique_key) WHERE unique_key IS NOT NULL;
-- What a restart must carry on with: small, whatever the number of executions.
CREATE INDEX executions_open ON executions (start_date, id) WHERE over_at IS NULL;

CREATE TABLE task_runs (
  execution_id TEXT NOT NULL,
  id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  state TEXT NOT NULL,
  start_date INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (execution_id, id)
) WITHOUT ROWID;

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

-- Filled after the commit by the writer when it has nothing else to do; see logIndex.ts.
CREATE VIRTUAL TABLE log_search USING fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 0'
);
CREATE TABLE log_search_mark (last_id INTEGER NOT NULL);
INSERT INTO log_search_mark (last_id) VALUES (0);

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
  PRIMARY KEY (namespace, flow_id, trigger_id)
);
CREATE INDEX triggers_due ON triggers (next_at) WHERE disabled = 0;

CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
`;
