/** Contents of namespaces besides flows: values, templates, and whether they have files. */
export const sqlite003 = `
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

-- The files themselves are in internal storage, which cannot be asked for the namespaces it has files of.
CREATE TABLE file_namespaces (namespace TEXT PRIMARY KEY) WITHOUT ROWID;
`;
