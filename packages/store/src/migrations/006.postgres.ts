/**
 * Servers that share the database. `executions.owner` is the server that runs an execution; an index finds
 * open executions by it. Ages come from the database's clock.
 */
export const postgres006 = `
ALTER TABLE executions ADD COLUMN owner text COLLATE "C";
CREATE INDEX executions_owner ON executions (owner) WHERE over_at IS NULL;

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

CREATE TABLE worker_attempts (
  execution_id text COLLATE "C" NOT NULL,
  task_run_id text COLLATE "C" NOT NULL,
  attempt integer NOT NULL,
  worker_id text COLLATE "C" NOT NULL,
  lost smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (execution_id, task_run_id, attempt)
);
CREATE INDEX worker_attempts_worker ON worker_attempts (worker_id);

CREATE TABLE concurrency_places (
  execution_id text COLLATE "C" PRIMARY KEY,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  namespace text COLLATE "C" NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  holds smallint NOT NULL,
  forced smallint NOT NULL DEFAULT 0,
  at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint
);
CREATE INDEX concurrency_places_flow ON concurrency_places (namespace, flow_id, seq);
`;
