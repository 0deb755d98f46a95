/** The tables of 004.sqlite.ts. */
export const postgres004 = `
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
`;
