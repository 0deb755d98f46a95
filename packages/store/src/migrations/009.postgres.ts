/** The indexes of 009.sqlite.ts. */
export const postgres009 = `
DROP INDEX executions_namespace;
DROP INDEX executions_state;
DROP INDEX executions_namespace_state;
DROP INDEX executions_flow;
CREATE INDEX executions_namespace ON executions (namespace, start_date, seq) INCLUDE (id);
CREATE INDEX executions_state ON executions (state, start_date, seq) INCLUDE (id);
CREATE INDEX executions_namespace_state ON executions (namespace, state, start_date, seq) INCLUDE (id);
CREATE INDEX executions_flow ON executions (namespace, flow_id, start_date, seq) INCLUDE (id);
CREATE INDEX executions_children ON executions (state, namespace, flow_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_duration ON executions (duration NULLS FIRST, seq);
CREATE INDEX executions_end ON executions (end_date NULLS FIRST, seq);
DROP INDEX execution_labels_value;
CREATE INDEX execution_labels_value ON execution_labels (key, value, start_date) INCLUDE (execution_id);
`;
