/** The tables of 002.sqlite.ts. */
export const postgres002 = `
ALTER TABLE triggers ADD COLUMN type text COLLATE "C";
ALTER TABLE triggers ADD COLUMN search text COLLATE "C" NOT NULL DEFAULT '';
DROP INDEX triggers_due;
CREATE INDEX triggers_due ON triggers (next_at) WHERE disabled = 0 AND execution_id IS NULL;
CREATE INDEX triggers_locked ON triggers (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX triggers_type ON triggers (type);

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
`;
