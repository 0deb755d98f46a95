/** Retention: entries of logs that belong to no execution are found by their age. */
export const sqlite008 = `
CREATE INDEX logs_loose ON logs (at) WHERE execution_id IS NULL;
`;
