import {
  allNamespaces,
  blockSums,
  dayTotals,
  rollUpKey,
  rollUpSubjects,
  stepMs,
  stepsPerBlock,
  stepsPerDay,
} from '../rows/rollUp.ts';

/** The roll-up columns under which a stored task run was counted. */
export const leavingTaskRuns = `SELECT ${rollUpSubjects.taskRuns} AS subject, coalesce(u.namespace, e.namespace) AS namespace,
  coalesce(u.flow_id, e.flow_id) AS flow_id, t.start_date AS at, t.state AS word, -1 AS n, t.duration`;

/** Each entry once, even when two selections of one batch match it. */
export function leavingLogs(from: string, where: string): string {
  return `SELECT ${rollUpSubjects.logs} AS subject, g.namespace, g.flow_id, g.at, g.level::text AS word, -1 AS n,
    NULL::bigint AS duration FROM (SELECT DISTINCT t.id, t.namespace, t.flow_id, t.at, t.level
    FROM logs t, ${from} WHERE ${where}) g`;
}

/**
 * Sorted, so that all servers lock rows in the same order; sharded, so that they seldom lock the same rows.
 */
export function addDays(from: string, leaving: readonly string[]): string {
  const executions = leaving
    .filter((name) => name === 'leaveExecution')
    .map(
      (name) => ` UNION ALL SELECT floor(l.at / 86400000.0)::integer, l.namespace, l.flow_id, l.word, l.n,
        -coalesce(l.duration, 0) FROM ${name} l`,
    );
  return `INSERT INTO execution_stats (day, namespace, flow_id, state, shard, n, duration)
    SELECT s.day, s.namespace, s.flow_id, s.state, pg_backend_pid() % 16, sum(s.n), sum(s.duration)
    FROM (SELECT u.* FROM ${from}${executions.join('')}) s
    GROUP BY 1, 2, 3, 4 HAVING sum(s.n) <> 0 OR sum(s.duration) <> 0 ORDER BY 1, 2, 3, 4
    ON CONFLICT (day, namespace, flow_id, state, shard)
    DO UPDATE SET n = execution_stats.n + excluded.n, duration = execution_stats.duration + excluded.duration`;
}

/**
 * Subtracts removed rows from the sums of their flow and namespace, of half an hour and of four hours, of all
 * namespaces and of the whole day.
 */
export function addRollUp(from: string, leaving: readonly string[]): string {
  const firstOf = (steps: number): string => `floor(l.at / ${stepMs * steps}.0)::integer * ${steps}`;
  const left = leaving.map(
    (name) => ` UNION ALL
      SELECT l.subject + v.subject, CASE WHEN v.of_flow THEN l.flow_id ELSE '' END,
        CASE v.subject WHEN ${dayTotals} THEN ${firstOf(stepsPerDay)} WHEN ${blockSums} THEN ${firstOf(stepsPerBlock)}
          ELSE ${firstOf(1)} END,
        CASE v.subject WHEN ${allNamespaces} THEN '' ELSE l.namespace END, l.word, l.n,
        sign(l.n) * coalesce(v.timed * l.duration, 0), CASE WHEN l.n > 0 THEN v.timed * l.duration END,
        CASE WHEN l.n > 0 THEN v.timed * l.duration END,
        CASE WHEN l.n < 0 AND v.timed * l.duration IS NOT NULL THEN 1 ELSE 0 END
      FROM ${name} l CROSS JOIN (VALUES (0, true, 1), (0, false, 1), (${blockSums}, true, 1),
        (${blockSums}, false, 1), (${allNamespaces}, false, 1), (${dayTotals}, false, NULL)) v (subject, of_flow, timed)`,
  );
  const key = rollUpKey.join(', ');
  return `INSERT INTO roll_up (${key}, shard, n, duration, shortest, longest, unsettled)
    SELECT ${rollUpKey.map((name) => `s.${name}`).join(', ')}, pg_backend_pid() % 16, sum(s.n), sum(s.duration),
      min(s.shortest), max(s.longest), max(s.unsettled)
    FROM (SELECT u.* FROM ${from}${left.join('')}) s
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(s.n) <> 0 OR sum(s.duration) <> 0 OR min(s.shortest) IS NOT NULL
    ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (${key}, shard) DO UPDATE SET n = roll_up.n + excluded.n, duration = roll_up.duration + excluded.duration,
      shortest = least(roll_up.shortest, excluded.shortest), longest = greatest(roll_up.longest, excluded.longest),
      unsettled = greatest(roll_up.unsettled, excluded.unsettled)`;
}
