/**
 * The tables of 001.sqlite.ts. Differences: identity columns, `COLLATE "C"` so that text sorts and compares by byte
 * as SQLite does (and prefix ranges can use an index), room for updates in place (fillfactor), and the roll-up is
 * sharded by connection so that two commits at once do not wait for each other on the row of a busy flow.
 */
export const postgres001 = `
CREATE TABLE executions (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  tenant_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  flow_revision integer NOT NULL,
  state text COLLATE "C" NOT NULL,
  start_date bigint NOT NULL,
  end_date bigint,
  duration bigint,
  over_at bigint,
  parent_id text COLLATE "C",
  trigger_execution_id text COLLATE "C",
  unique_key text COLLATE "C",
  version integer NOT NULL,
  data text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX executions_start ON executions (start_date, seq);
CREATE INDEX executions_namespace ON executions (namespace, start_date, seq);
CREATE INDEX executions_state ON executions (state, start_date, seq);
CREATE INDEX executions_namespace_state ON executions (namespace, state, start_date, seq);
CREATE INDEX executions_flow ON executions (namespace, flow_id, start_date, seq);
CREATE INDEX executions_trigger_execution ON executions (trigger_execution_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_id ON executions (lower(id));
CREATE UNIQUE INDEX executions_unique_key ON executions (unique_key) WHERE unique_key IS NOT NULL;
CREATE INDEX executions_open ON executions (start_date, id) WHERE over_at IS NULL;

CREATE TABLE task_runs (
  execution_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  start_date bigint NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (execution_id, id)
) WITH (fillfactor = 80);

CREATE TABLE execution_events (
  execution_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  at bigint NOT NULL,
  events text COLLATE "C" NOT NULL,
  PRIMARY KEY (execution_id, seq)
);

CREATE TABLE execution_labels (
  execution_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  start_date bigint NOT NULL,
  PRIMARY KEY (execution_id, key, value)
);
CREATE INDEX execution_labels_value ON execution_labels (key, value, start_date);

CREATE TABLE execution_stats (
  day integer NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  shard smallint NOT NULL,
  n bigint NOT NULL,
  duration bigint NOT NULL,
  PRIMARY KEY (day, namespace, flow_id, state, shard)
) WITH (fillfactor = 50);
CREATE INDEX execution_stats_flow ON execution_stats (namespace, flow_id);

CREATE TABLE logs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id text COLLATE "C" NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  execution_id text COLLATE "C",
  task_id text COLLATE "C",
  task_run_id text COLLATE "C",
  attempt integer,
  trigger_id text COLLATE "C",
  at bigint NOT NULL,
  level smallint NOT NULL,
  thread text COLLATE "C",
  message text COLLATE "C" NOT NULL,
  search text COLLATE "C" NOT NULL
);
CREATE INDEX logs_execution ON logs (execution_id, id);
CREATE INDEX logs_at ON logs (at, id);
CREATE INDEX logs_flow ON logs (namespace, flow_id, at);
CREATE INDEX logs_warnings ON logs (at) WHERE level >= 3;
-- The log search. New entries wait in the index's own list and are sorted in by autovacuum, behind the commits.
-- A database whose owner may not have the extension searches without the index: slower, not different.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX logs_search ON logs USING gin (search gin_trgm_ops) WITH (fastupdate = on, gin_pending_list_limit = 16384);
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR undefined_object THEN
  RAISE WARNING 'pg_trgm is not available: the log search works without an index';
END $$;

CREATE TABLE metrics (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  execution_id text COLLATE "C",
  task_id text COLLATE "C",
  task_run_id text COLLATE "C",
  name text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  value double precision,
  data text COLLATE "C" NOT NULL
);
CREATE INDEX metrics_execution ON metrics (execution_id, id);
CREATE INDEX metrics_flow ON metrics (namespace, flow_id, name, at);

CREATE TABLE flows (
  namespace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  labels text COLLATE "C" NOT NULL,
  disabled smallint NOT NULL,
  deleted smallint NOT NULL,
  updated_at bigint NOT NULL,
  search text COLLATE "C" NOT NULL,
  source_search text COLLATE "C" NOT NULL,
  latest smallint NOT NULL,
  PRIMARY KEY (namespace, id, revision)
) WITH (fillfactor = 80);
CREATE INDEX flows_latest ON flows (namespace, id) WHERE latest = 1 AND deleted = 0;

CREATE TABLE flow_labels (
  namespace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  revision integer NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, id, revision, key, value)
);

CREATE TABLE triggers (
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  trigger_id text COLLATE "C" NOT NULL,
  next_at bigint,
  disabled smallint NOT NULL,
  execution_id text COLLATE "C",
  updated_at bigint NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, flow_id, trigger_id)
) WITH (fillfactor = 80);
CREATE INDEX triggers_due ON triggers (next_at) WHERE disabled = 0;

CREATE TABLE settings (
  key text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);
`;
