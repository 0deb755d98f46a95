/** Triggers that only workers of a group may evaluate: found by group, and skipped by all other servers. */
export const sqlite010 = `
ALTER TABLE triggers ADD COLUMN worker_group TEXT;
CREATE INDEX triggers_group ON triggers (worker_group, next_at) WHERE worker_group IS NOT NULL;
`;
