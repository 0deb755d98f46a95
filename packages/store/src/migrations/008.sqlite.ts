/** Retention: an index finds log entries that belong to no execution by age. */
export const sqlite008 = `
CREATE INDEX logs_loose ON logs (at) WHERE execution_id IS NULL;
`;
