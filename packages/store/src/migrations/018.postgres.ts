/** The changes of 018.sqlite.ts. */
export const postgres018 = `
CREATE TABLE flow_tests (
  namespace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  flow_revision integer NOT NULL,
  deleted smallint NOT NULL,
  updated_at bigint NOT NULL,
  result text COLLATE "C",
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, id, version)
);
CREATE INDEX flow_tests_flow ON flow_tests (namespace, flow_id);

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

ALTER TABLE flows ADD COLUMN author text, ADD COLUMN message text;
`;
