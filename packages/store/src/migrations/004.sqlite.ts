/** Sessions of signed-in users and their tokens. Only hashes are stored. */
export const sqlite004 = `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  username TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_username ON sessions (username);
CREATE INDEX sessions_ends_at ON sessions (ends_at);

-- A token counts as long as its session is there, so that removing the session is enough to end it.
CREATE TABLE session_tokens (
  hash TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) WITHOUT ROWID;
CREATE INDEX session_tokens_expires_at ON session_tokens (expires_at);
`;
