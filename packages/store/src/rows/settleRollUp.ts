import {
  allNamespaces,
  blockSums,
  rollUpKey,
  rollUpSubjects,
  stepMs,
  stepsPerBlock,
  subjectOf,
  wholeNamespace,
} from './rollUp.ts';
import type { Row, SqlValue } from './value.ts';

/** The number of roll-up rows whose shortest and longest durations one step of housekeeping recomputes. */
export const settledPerStep = 20;

export const findUnsettled = `SELECT ${rollUpKey.join(', ')} FROM roll_up WHERE unsettled = 1 LIMIT ${settledPerStep}`;

/**
 * A query for the shortest and longest remaining duration of the rows that a roll-up row counts. For both
 * databases.
 */
export function extremesOf(row: Row): { text: string; params: SqlValue[] } {
  const start = Number(row.step) * stepMs;
  const subject = Number(row.subject);
  const isTaskRuns = subjectOf(subject) === rollUpSubjects.taskRuns;
  const end = start + stepMs * (subject >= blockSums ? stepsPerBlock : 1);
  const from = isTaskRuns ? 'task_runs t JOIN executions e ON e.id = t.execution_id' : 'executions t';
  const owner = isTaskRuns ? 'e' : 't';
  const flow = row.flow_id === wholeNamespace ? '' : ` AND ${owner}.flow_id = ?`;
  const isOfAll = subject - subjectOf(subject) === allNamespaces;
  const namespace = isOfAll ? '' : ` AND ${owner}.namespace = ?`;
  return {
    text: `SELECT min(t.duration) AS shortest, max(t.duration) AS longest FROM ${from}
      WHERE t.start_date >= ? AND t.start_date < ? AND t.state = ?${namespace}${flow}`,
    params: [
      start,
      end,
      row.word ?? null,
      ...(namespace === '' ? [] : [row.namespace ?? null]),
      ...(flow === '' ? [] : [row.flow_id ?? null]),
    ],
  };
}

export const keyOfRow = (row: Row): SqlValue[] => rollUpKey.map((column) => row[column] ?? null);
