/** The index of 008.sqlite.ts, and one for merging the shards of a step of the roll-up when it has passed. */
export const postgres008 = `
CREATE INDEX logs_loose ON logs (at) WHERE execution_id IS NULL;
CREATE INDEX roll_up_step ON roll_up (step);
`;
