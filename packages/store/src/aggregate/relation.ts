import { notPlayground, ofPlayground } from '../filters/playground.ts';
import { joined, raw, type Sql, sql } from '../filters/sql.ts';
import type { AggregateColumn, AggregateQuery } from '../port/aggregate.ts';
import { rowsOfFlows } from '../reads/countRows.ts';
import type { Queries } from '../reads/queries.ts';
import { rollUpSpans } from '../reads/rollUpSpans.ts';
import { type StepWindow, stepWindow } from '../reads/stepWindow.ts';
import { fitsSteps, unitAt } from '../reads/unitSql.ts';
import { rollUpSubjects, stepMs } from '../rows/rollUp.ts';
import { calendarOf } from '../statistics/calendar.ts';
import { fieldsIn } from './conditions.ts';
import { fieldOf } from './fields.ts';

/** The source of a query's columns: the rows themselves, or roll-up sums with `n`, `shortest`, `longest`. */
export interface Relation {
  readonly from: Sql;
  readonly isRollUp: boolean;
}

export async function relationOf(queries: Queries, query: AggregateQuery): Promise<Relation> {
  if (query.subject === 'metrics' || !isRolledUp(query))
    return { from: rowsOf(queries, query), isRollUp: false };
  const isLogs = query.subject === 'logs';
  const [table, date] = isLogs ? ['logs', 'at'] : ['executions', 'start_date'];
  const window = await stepWindow(queries, { table, date }, query);
  const offsets = calendarOf(query.timeZone).offsets(query.from, query.to);
  const ofFlows = usedFields(query).includes('FLOW_ID');
  const spans = rollUpSpans(
    isLogs ? rollUpSubjects.logs : rollUpSubjects.executions,
    window,
    groupsByDate(query) ? (at) => unitAt(at, offsets, query.width) : undefined,
  );
  const [word, row] = isLogs
    ? [raw('CAST(word AS INTEGER) AS level'), raw('level, at, 1, 0, 0, 0')]
    : [raw('word AS state'), raw('state, start_date, 1, duration, duration, duration')];
  const at = raw(date);
  const parts = [
    ...spans.map(
      ({ subject, steps }) =>
        sql`SELECT namespace, flow_id, ${word}, CAST(step AS BIGINT) * ${raw(stepMs)} AS at, n, duration, shortest, longest
          FROM roll_up WHERE subject = ${raw(subject)} AND ${rowsOfFlows(ofFlows)} AND ${steps}`,
    ),
    ...window.edges.map(
      ([from, to]) =>
        sql`SELECT namespace, flow_id, ${row} FROM ${raw(table)}
          WHERE ${at} >= ${from} AND ${at} < ${to} AND ${notPlayground(query.subject)}`,
    ),
    playgroundRows(isLogs, window),
  ];
  return { from: sql`(${joined(parts, ' UNION ALL ')}) ${raw(query.subject)}`, isRollUp: true };
}

/** The roll-up counts playground executions, too: they are subtracted. */
function playgroundRows(isLogs: boolean, { firstStep, endStep }: StepWindow): Sql {
  const [from, to] = [firstStep * stepMs, endStep * stepMs];
  const extremes = raw('CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)');
  return isLogs
    ? sql`SELECT namespace, flow_id, level, at, -1, 0, ${extremes} FROM logs
        WHERE at >= ${from} AND at < ${to} AND ${ofPlayground('logs')}`
    : sql`SELECT namespace, flow_id, state, start_date, -1, -duration, ${extremes} FROM executions
        WHERE start_date >= ${from} AND start_date < ${to} AND ${ofPlayground('executions')}`;
}

function rowsOf(queries: Queries, { subject, from, to }: AggregateQuery): Sql {
  const date = raw(subject === 'executions' ? 'start_date' : 'at');
  const more = {
    executions: raw(', start_date AS at'),
    logs: raw(''),
    metrics: sql`, ${queries.dialect.jsonText('data', 'type')} AS type`,
  }[subject];
  const table = raw(subject);
  return sql`(SELECT ${table}.*${more} FROM ${table}
    WHERE ${date} >= ${from} AND ${date} < ${to} AND ${notPlayground(subject)}) ${table}`;
}

/** Whether the roll-up covers the query. Its dates are steps, so they can be grouped by but not compared. */
function isRolledUp(query: AggregateQuery): boolean {
  const has = (name: string): boolean => fieldOf(query.subject, name).rolledUp === true;
  const isDate = (name: string): boolean => fieldOf(query.subject, name).kind === 'date';
  const isDuration = (name: string): boolean => fieldOf(query.subject, name).kind === 'seconds';
  const fits = ({ field, aggregation }: AggregateColumn): boolean => {
    if (field === undefined) return true;
    if (aggregation === undefined) return has(field) && !isDuration(field);
    return has(field) && (!isDate(field) || aggregation === 'COUNT');
  };
  return (
    query.columns.some(({ aggregation }) => aggregation !== undefined) &&
    query.columns.every(fits) &&
    query.conditions.flatMap(fieldsIn).every((name) => has(name) && !isDate(name) && !isDuration(name)) &&
    (!groupsByDate(query) || fitsSteps(calendarOf(query.timeZone), query, query.width))
  );
}

const groupsByDate = (query: AggregateQuery): boolean =>
  query.columns.some(
    ({ field, aggregation }) =>
      field !== undefined && aggregation === undefined && fieldOf(query.subject, field).kind === 'date',
  );

const usedFields = (query: AggregateQuery): string[] => [
  ...query.columns.flatMap(({ field }) => field ?? []),
  ...query.conditions.flatMap(fieldsIn),
];
