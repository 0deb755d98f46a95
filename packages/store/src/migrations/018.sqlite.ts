/** Flow tests, small records of the server, and who saved a revision and why (revisions of before have neither). */
export const sqlite018 = `
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

ALTER TABLE flows ADD COLUMN author TEXT;
ALTER TABLE flows ADD COLUMN message TEXT;
`;
