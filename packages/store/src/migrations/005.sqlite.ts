/**
 * Statistics: a roll-up in steps of half an hour over executions, task runs and logs, updated in the commits
 * that change them; an index for the last ended execution of a flow; a list of task runs across executions.
 */
export const sqlite005 = `
-- flow_id '' holds the sums of the namespace. Rows that count nothing are removed.
CREATE TABLE roll_up (
  subject INTEGER NOT NULL,
  flow_id TEXT NOT NULL,
  step INTEGER NOT NULL,
  namespace TEXT NOT NULL,
  word TEXT NOT NULL,
  n INTEGER NOT NULL,
  duration INTEGER NOT NULL,
  shortest INTEGER,
  longest INTEGER,
  doubt INTEGER NOT NULL,
  PRIMARY KEY (subject, flow_id, step, namespace, word)
) WITHOUT ROWID;
CREATE INDEX roll_up_doubt ON roll_up (subject, step) WHERE doubt = 1;

CREATE INDEX executions_ended ON executions (namespace, flow_id, end_date) WHERE end_date IS NOT NULL;

ALTER TABLE task_runs ADD COLUMN duration INTEGER;
UPDATE task_runs SET duration = json_extract(data, '$.state.histories[#-1].date') - start_date
  WHERE state IN ('FAILED', 'WARNING', 'SUCCESS', 'KILLED', 'CANCELLED', 'RETRIED', 'SKIPPED');
CREATE INDEX task_runs_start ON task_runs (start_date);
-- The states somebody looks for; the others are as good as all of them, or very few.
CREATE INDEX task_runs_state ON task_runs (state, start_date)
  WHERE state IN ('FAILED', 'WARNING', 'KILLED', 'CANCELLED', 'RETRIED', 'SKIPPED', 'PAUSED');

WITH counted (subject, namespace, flow_id, at, word, duration) AS (
  SELECT 0, namespace, flow_id, start_date, state, duration FROM executions
  UNION ALL
  SELECT 1, e.namespace, e.flow_id, t.start_date, t.state, t.duration
    FROM task_runs t JOIN executions e ON e.id = t.execution_id
  UNION ALL
  SELECT 2, namespace, flow_id, at, CAST(level AS TEXT), NULL FROM logs
),
levels (flow_only) AS (VALUES (1), (0))
INSERT INTO roll_up (subject, flow_id, step, namespace, word, n, duration, shortest, longest, doubt)
SELECT subject, CASE WHEN flow_only = 1 THEN flow_id ELSE '' END, at / 1800000 - (at % 1800000 < 0), namespace, word,
  count(*), coalesce(sum(duration), 0), min(duration), max(duration), 0
FROM counted CROSS JOIN levels GROUP BY 1, 2, 3, 4, 5;
`;
