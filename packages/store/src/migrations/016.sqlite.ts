/** The tests of flows: every saved version of a suite, and the last result of each. */
export const sqlite016 = `
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
`;
