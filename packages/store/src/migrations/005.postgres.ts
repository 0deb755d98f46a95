/** The tables of 005.sqlite.ts; the roll-up is sharded by connection like `execution_stats`. */
export const postgres005 = `
CREATE TABLE roll_up (
  subject smallint NOT NULL,
  flow_id text COLLATE "C" NOT NULL,
  step integer NOT NULL,
  namespace text COLLATE "C" NOT NULL,
  word text COLLATE "C" NOT NULL,
  shard smallint NOT NULL,
  n bigint NOT NULL,
  duration bigint NOT NULL,
  shortest bigint,
  longest bigint,
  doubt smallint NOT NULL,
  PRIMARY KEY (subject, flow_id, step, namespace, word, shard)
) WITH (fillfactor = 50);
CREATE INDEX roll_up_doubt ON roll_up (subject, step) WHERE doubt = 1;

CREATE INDEX executions_ended ON executions (namespace, flow_id, end_date) WHERE end_date IS NOT NULL;

ALTER TABLE task_runs ADD COLUMN duration bigint;
UPDATE task_runs SET duration = (data::json -> 'state' -> 'histories' -> -1 ->> 'date')::bigint - start_date
  WHERE state IN ('FAILED', 'WARNING', 'SUCCESS', 'KILLED', 'CANCELLED', 'RETRIED', 'SKIPPED');
CREATE INDEX task_runs_start ON task_runs (start_date);
CREATE INDEX task_runs_state ON task_runs (state, start_date)
  WHERE state IN ('FAILED', 'WARNING', 'KILLED', 'CANCELLED', 'RETRIED', 'SKIPPED', 'PAUSED');

WITH counted (subject, namespace, flow_id, at, word, duration) AS (
  SELECT 0, namespace, flow_id, start_date, state, duration FROM executions
  UNION ALL
  SELECT 1, e.namespace, e.flow_id, t.start_date, t.state, t.duration
    FROM task_runs t JOIN executions e ON e.id = t.execution_id
  UNION ALL
  SELECT 2, namespace, flow_id, at, level::text, NULL FROM logs
)
INSERT INTO roll_up (subject, flow_id, step, namespace, word, shard, n, duration, shortest, longest, doubt)
SELECT subject, CASE WHEN flow_only THEN flow_id ELSE '' END, floor(at / 1800000.0)::integer, namespace, word, 0,
  count(*), coalesce(sum(duration), 0), min(duration), max(duration), 0
FROM counted CROSS JOIN (VALUES (true), (false)) levels (flow_only) GROUP BY 1, 2, 3, 4, 5;
`;
