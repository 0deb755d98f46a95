/** The column of 010.sqlite.ts. */
export const postgres010 = `
ALTER TABLE triggers ADD COLUMN worker_group text COLLATE "C";
CREATE INDEX triggers_group ON triggers (worker_group, next_at) WHERE worker_group IS NOT NULL;
`;
