/**
 * An index on messages by execution: a server reads its messages together with those sent to previous owners
 * of the same execution, while the table still contains dead rows of taken messages.
 */
export const postgres015 = `
CREATE INDEX execution_messages_execution ON execution_messages (execution_id);
`;
