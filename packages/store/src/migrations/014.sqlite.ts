/**
 * The roll-up has the sums of four hours as well, of flows and of namespaces: charts of days are made of a third of the
 * rows. A day of a time zone begins inside such hours; only there the half hours are still needed.
 */
export const sqlite014 = `
INSERT INTO roll_up (subject, flow_id, step, namespace, word, n, duration, shortest, longest, doubt)
SELECT subject + 30, flow_id, step - (step % 8 + 8) % 8, namespace, word, sum(n), sum(duration), min(shortest),
  max(longest), max(doubt)
FROM roll_up WHERE subject < 10 GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5;
`;
