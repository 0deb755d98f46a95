/**
 * The roll-up also has sums of four hours, per flow and per namespace, so that charts of days read a third of
 * the rows. Half hours are only needed for the four hours in which a local day begins.
 */
export const sqlite014 = `
INSERT INTO roll_up (subject, flow_id, step, namespace, word, n, duration, shortest, longest, doubt)
SELECT subject + 30, flow_id, step - (step % 8 + 8) % 8, namespace, word, sum(n), sum(duration), min(shortest),
  max(longest), max(doubt)
FROM roll_up WHERE subject < 10 GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5;
`;
