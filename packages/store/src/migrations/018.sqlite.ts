/**
 * Small records that the server keeps besides executions: alert rules and channels, incidents, messages to
 * deliver, failure groups. `at` is the date by which a kind is read in order.
 */
export const sqlite018 = `
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
