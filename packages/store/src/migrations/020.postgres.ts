/**
 * The tables of 020.sqlite.ts. Differences: identity columns, `COLLATE "C"` so that text sorts and compares by byte
 * as SQLite does (and prefix ranges can use an index), room for updates in place (fillfactor), tables for servers that
 * share the database, and roll-ups that are sharded by connection so that two concurrent commits do not wait for each
 * other on the row of a busy flow. The log search is by words: a trigram index was three times as large.
 */
export const postgres020 = `
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
  closed_at bigint,
  parent_id text COLLATE "C",
  trigger_execution_id text COLLATE "C",
  unique_key text COLLATE "C",
  version integer NOT NULL,
  data text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  owner text COLLATE "C"
) WITH (fillfactor = 80);
CREATE INDEX executions_start ON executions (start_date, seq);
CREATE INDEX executions_trigger_execution ON executions (trigger_execution_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_id ON executions (lower(id));
CREATE UNIQUE INDEX executions_unique_key ON executions (unique_key) WHERE unique_key IS NOT NULL;
CREATE INDEX executions_open ON executions (start_date, id) WHERE closed_at IS NULL;
CREATE INDEX executions_ended ON executions (namespace, flow_id, end_date) WHERE end_date IS NOT NULL;
-- The owner is the server that runs the execution.
CREATE INDEX executions_owner ON executions (owner) WHERE closed_at IS NULL;
CREATE INDEX executions_namespace ON executions (namespace, start_date, seq) INCLUDE (id);
CREATE INDEX executions_state ON executions (state, start_date, seq) INCLUDE (id);
CREATE INDEX executions_namespace_state ON executions (namespace, state, start_date, seq) INCLUDE (id);
CREATE INDEX executions_children ON executions (state, namespace, flow_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_duration ON executions (duration NULLS FIRST, seq);
CREATE INDEX executions_end ON executions (end_date NULLS FIRST, seq);
CREATE INDEX executions_flow ON executions (flow_id, namespace, start_date, seq) INCLUDE (id);
-- A flow is in one namespace: without this its rows are estimated fifty times too low.
CREATE STATISTICS executions_flows (dependencies, mcv) ON namespace, flow_id FROM executions;

CREATE TABLE task_runs (
  execution_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  task_id text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  start_date bigint NOT NULL,
  data text COLLATE "C" NOT NULL,
  duration bigint,
  PRIMARY KEY (execution_id, id)
) WITH (fillfactor = 80);
CREATE INDEX task_runs_start ON task_runs (start_date);
CREATE INDEX task_runs_state ON task_runs (state, start_date)
  WHERE state IN ('FAILED', 'WARNING', 'KILLED', 'CANCELLED', 'RETRIED', 'SKIPPED', 'PAUSED');

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
CREATE INDEX execution_labels_value ON execution_labels (key, value, start_date) INCLUDE (execution_id);

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

-- Limits of an index entry: the first 500 characters of a word, and the first 200,000 characters of a line.
CREATE FUNCTION log_words(search text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE
    WHEN octet_length(search) <= 2000 THEN array_to_tsvector(array_remove(string_to_array(search, ' '), ''))
    ELSE array_to_tsvector(ARRAY(
      SELECT left(word, 500) FROM unnest(string_to_array(left(search, 200000), ' ')) word WHERE word <> ''))
  END
$$;

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
CREATE INDEX logs_loose ON logs (at) WHERE execution_id IS NULL;
-- New entries wait in a list of the index, which autovacuum merges after the commits.
CREATE INDEX logs_words ON logs USING gin (log_words(search)) WITH (fastupdate = on, gin_pending_list_limit = 16384);

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
  author text,
  message text,
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
  type text COLLATE "C",
  search text COLLATE "C" NOT NULL DEFAULT '',
  worker_group text COLLATE "C",
  PRIMARY KEY (namespace, flow_id, trigger_id)
) WITH (fillfactor = 80);
CREATE INDEX triggers_due ON triggers (next_at) WHERE disabled = 0 AND execution_id IS NULL;
CREATE INDEX triggers_locked ON triggers (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX triggers_type ON triggers (type);
CREATE INDEX triggers_group ON triggers (worker_group, next_at) WHERE worker_group IS NOT NULL;

CREATE TABLE settings (
  key text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C" NOT NULL
);

CREATE TABLE trigger_windows (
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  trigger_id text COLLATE "C" NOT NULL,
  condition_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, flow_id, trigger_id, condition_id)
) WITH (fillfactor = 80);

CREATE TABLE flow_events (
  execution_id text COLLATE "C" NOT NULL,
  position integer NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  trigger_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (execution_id, position, namespace, flow_id, trigger_id)
);
CREATE INDEX flow_events_at ON flow_events (at);

CREATE TABLE kv (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint,
  version integer NOT NULL,
  search text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, key)
) WITH (fillfactor = 80);
CREATE INDEX kv_expires ON kv (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE templates (
  namespace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  updated_at bigint NOT NULL,
  search text COLLATE "C" NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, id)
);

CREATE TABLE file_namespaces (namespace text COLLATE "C" PRIMARY KEY);

CREATE TABLE sessions (
  id text COLLATE "C" PRIMARY KEY,
  username text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  ends_at bigint NOT NULL
);
CREATE INDEX sessions_username ON sessions (username);
CREATE INDEX sessions_ends_at ON sessions (ends_at);

CREATE TABLE session_tokens (
  hash text COLLATE "C" PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint
);
CREATE INDEX session_tokens_expires_at ON session_tokens (expires_at);

CREATE TABLE roll_up (
  subject smallint NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  step integer NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  shard smallint NOT NULL,
  n bigint NOT NULL,
  duration bigint NOT NULL,
  shortest bigint,
  longest bigint,
  unsettled smallint NOT NULL,
  PRIMARY KEY (subject, flow_id, step, namespace, word, shard)
) WITH (fillfactor = 50);
CREATE INDEX roll_up_unsettled ON roll_up (subject, step) WHERE unsettled = 1;
-- For merging the shards of past steps only. The expression keeps other queries from using it: the planner preferred
-- it for the sums of a month, although it reads twenty times as many rows.
CREATE INDEX roll_up_merge ON roll_up ((step + 0));

-- Servers that share the database. Ages come from the database's clock.
CREATE TABLE servers (
  id text COLLATE "C" PRIMARY KEY,
  seen_at bigint NOT NULL,
  gone_at bigint,
  data text COLLATE "C" NOT NULL
);

CREATE TABLE execution_messages (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  execution_id text COLLATE "C" NOT NULL,
  owner text COLLATE "C",
  body text COLLATE "C" NOT NULL,
  refusal text COLLATE "C",
  at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
);
CREATE INDEX execution_messages_owner ON execution_messages (owner, seq);
-- A server reads its messages together with those sent to previous owners of the same execution.
CREATE INDEX execution_messages_execution ON execution_messages (execution_id);

CREATE TABLE worker_attempts (
  execution_id text COLLATE "C" NOT NULL,
  task_run_id text COLLATE "C" NOT NULL,
  attempt integer NOT NULL,
  worker_id text COLLATE "C" NOT NULL,
  lost smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (execution_id, task_run_id, attempt)
);
CREATE INDEX worker_attempts_worker ON worker_attempts (worker_id);

CREATE TABLE concurrency_slots (
  execution_id text COLLATE "C" PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  holds smallint NOT NULL,
  forced smallint NOT NULL DEFAULT 0,
  at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  -- When the execution had been closed before its slot was forced; another value than this releases the slot.
  forced_closed_at bigint
);
CREATE INDEX concurrency_slots_flow ON concurrency_slots (namespace, flow_id, seq);

CREATE TABLE dashboards (
  id text COLLATE "C" PRIMARY KEY,
  title text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  search text COLLATE "C" NOT NULL,
  data text COLLATE "C" NOT NULL
);

-- Folders on a worker in another process that the tasks of an execution share. A name is never reused.
CREATE TABLE worker_folders (
  directory text COLLATE "C" PRIMARY KEY,
  execution_id text COLLATE "C" NOT NULL,
  task_run_id text COLLATE "C" NOT NULL,
  worker_id text COLLATE "C" NOT NULL
);
CREATE INDEX worker_folders_worker ON worker_folders (worker_id);
CREATE INDEX worker_folders_execution ON worker_folders (execution_id);
CREATE TABLE flow_tests (
  namespace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  flow_revision integer NOT NULL,
  deleted smallint NOT NULL,
  updated_at bigint NOT NULL,
  result text COLLATE "C",
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, id, version)
);
CREATE INDEX flow_tests_flow ON flow_tests (namespace, flow_id);

CREATE TABLE documents (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  version integer NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX documents_at ON documents (kind, at, id);
CREATE INDEX documents_parent ON documents (kind, parent, at, id);

ANALYZE executions, roll_up, logs;
`;

/** From schema 19, which named these differently. */
export const postgresFrom019 = `
ALTER TABLE executions RENAME COLUMN over_at TO closed_at;
ALTER TABLE roll_up RENAME COLUMN doubt TO unsettled;
ALTER INDEX roll_up_doubt RENAME TO roll_up_unsettled;
ALTER TABLE concurrency_places RENAME TO concurrency_slots;
ALTER TABLE concurrency_slots RENAME COLUMN forced_over_at TO forced_closed_at;
ALTER INDEX concurrency_places_pkey RENAME TO concurrency_slots_pkey;
ALTER INDEX concurrency_places_flow RENAME TO concurrency_slots_flow;
ALTER SEQUENCE concurrency_places_seq_seq RENAME TO concurrency_slots_seq_seq;
`;
