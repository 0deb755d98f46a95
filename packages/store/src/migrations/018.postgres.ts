/** The table of 018.sqlite.ts. */
export const postgres018 = `
CREATE TABLE documents (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  parent text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  version integer NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX documents_at ON documents (kind, at, id);
CREATE INDEX documents_parent ON documents (kind, parent, at, id);
`;
