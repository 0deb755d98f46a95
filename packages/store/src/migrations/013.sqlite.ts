/**
 * Lists can be sorted by flow, and filtered by flow in any namespace: the flow comes first in its index. The
 * roll-up has the totals of whole days and the sums of all namespaces, so that adding them up takes no longer
 * than a list.
 */
export const sqlite013 = `
DROP INDEX executions_flow;
CREATE INDEX executions_flow ON executions (flow_id, namespace, start_date, id);

INSERT INTO roll_up (subject, flow_id, step, namespace, word, n, duration, shortest, longest, doubt)
SELECT subject + 10, '', step - (step % 48 + 48) % 48, namespace, word, sum(n), 0, NULL, NULL, 0
FROM roll_up WHERE flow_id = '' AND subject < 10 GROUP BY 1, 3, 4, 5 HAVING sum(n) <> 0 ORDER BY 1, 3, 4, 5;
INSERT INTO roll_up (subject, flow_id, step, namespace, word, n, duration, shortest, longest, doubt)
SELECT subject + 20, '', step, '', word, sum(n), sum(duration), min(shortest), max(longest), max(doubt)
FROM roll_up WHERE flow_id = '' AND subject < 10 GROUP BY 1, 3, 5 HAVING sum(n) <> 0 ORDER BY 1, 3, 5;
`;
