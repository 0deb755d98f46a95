/** The table of 007.sqlite.ts. */
export const postgres007 = `
CREATE TABLE dashboards (
  id text COLLATE "C" PRIMARY KEY,
  title text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  search text COLLATE "C" NOT NULL,
  data text COLLATE "C" NOT NULL
);
`;
