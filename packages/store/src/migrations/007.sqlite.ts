/** The dashboards that users write. */
export const sqlite007 = `
CREATE TABLE dashboards (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  search TEXT NOT NULL,
  data TEXT NOT NULL
) WITHOUT ROWID;
`;
