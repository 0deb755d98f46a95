/** The table of 016.sqlite.ts. */
export const postgres016 = `
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
`;
