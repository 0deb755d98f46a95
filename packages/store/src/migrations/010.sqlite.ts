/** Triggers that only workers of a group may evaluate: found by their group, and passed over by everybody else. */
export const sqlite010 = `
ALTER TABLE triggers ADD COLUMN worker_group TEXT;
CREATE INDEX triggers_group ON triggers (worker_group, next_at) WHERE worker_group IS NOT NULL;
`;
