/**
 * Lists at a million rows: the indexes of executions include the id, so that labels can be checked without
 * the rows; indexes also count children and find the executions that took longest or ended last.
 */
export const sqlite009 = `
DROP INDEX executions_namespace;
DROP INDEX executions_state;
DROP INDEX executions_namespace_state;
DROP INDEX executions_flow;
CREATE INDEX executions_namespace ON executions (namespace, start_date, id);
CREATE INDEX executions_state ON executions (state, start_date, id);
CREATE INDEX executions_namespace_state ON executions (namespace, state, start_date, id);
CREATE INDEX executions_flow ON executions (namespace, flow_id, start_date, id);
CREATE INDEX executions_children ON executions (state, namespace, flow_id, start_date)
  WHERE trigger_execution_id IS NOT NULL;
CREATE INDEX executions_duration ON executions (duration);
CREATE INDEX executions_end ON executions (end_date);
`;
