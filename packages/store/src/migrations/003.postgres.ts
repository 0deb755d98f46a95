/** The tables of 003.sqlite.ts. */
export const postgres003 = `
CREATE TABLE kv (
  namespace text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  description text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  expires_at bigint,
  version integer NOT NULL,
  search text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, key)
) WITH (fillfactor = 80);
CREATE INDEX kv_expires ON kv (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE templates (
  namespace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  updated_at bigint NOT NULL,
  search text COLLATE "C" NOT NULL,
  data text COLLATE "C" NOT NULL,
  PRIMARY KEY (namespace, id)
);

CREATE TABLE file_namespaces (namespace text COLLATE "C" PRIMARY KEY);
`;
