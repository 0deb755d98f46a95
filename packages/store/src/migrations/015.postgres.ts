/**
 * Messages of an execution are found by it: what a server was told is read with what others were told of the same
 * execution before, and the rows of messages that were taken are still in the table then.
 */
export const postgres015 = `
CREATE INDEX execution_messages_execution ON execution_messages (execution_id);
`;
