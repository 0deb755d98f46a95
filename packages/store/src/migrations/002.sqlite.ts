/**
 * Triggers can be searched, store windows, and have a list of state changes that they have not evaluated yet.
 */
export const sqlite002 = `
ALTER TABLE triggers ADD COLUMN type TEXT;
ALTER TABLE triggers ADD COLUMN search TEXT NOT NULL DEFAULT '';
DROP INDEX triggers_due;
-- A trigger whose execution is under way waits for its end, whatever its next date.
CREATE INDEX triggers_due ON triggers (next_at) WHERE disabled = 0 AND execution_id IS NULL;
CREATE INDEX triggers_locked ON triggers (execution_id) WHERE execution_id IS NOT NULL;
CREATE INDEX triggers_type ON triggers (type);

-- What has been true for a flow trigger so far, inside one window of time.
CREATE TABLE trigger_windows (
  namespace TEXT NOT NULL,
  flow_id TEXT NOT NULL,
  trigger_id TEXT NOT NULL,
  condition_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (namespace, flow_id, trigger_id, condition_id)
) WITHOUT ROWID;

-- State changes that a flow trigger has still to look at. Written with the change, gone with the decision about it.
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
`;
