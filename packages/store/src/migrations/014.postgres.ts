/** The sums of 014.sqlite.ts. */
export const postgres014 = `
INSERT INTO roll_up (subject, flow_id, step, namespace, word, shard, n, duration, shortest, longest, doubt)
SELECT subject + 30, flow_id, step - (step % 8 + 8) % 8, namespace, word, 0, sum(n), sum(duration), min(shortest),
  max(longest), max(doubt)
FROM roll_up WHERE subject < 10 GROUP BY 1, 2, 3, 4, 5 HAVING sum(n) <> 0 ORDER BY 1, 2, 3, 4, 5;
ANALYZE roll_up;
`;
