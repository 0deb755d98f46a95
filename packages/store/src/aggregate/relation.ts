import { notPlayground, ofPlayground, rowsNotOfPlayground, rowsOfPlayground } from '../filters/playground.ts';
import { type Sql, sql } from '../filters/sql.ts';
import type { AggregateColumn, AggregateQuery } from '../port/aggregate.ts';
import type { Queries } from '../reads/queries.ts';
import { rollUpSpans } from '../reads/rollUpSpans.ts';
import { type StepWindow, stepWindow } from '../reads/stepWindow.ts';
import { fitsSteps, unitAt } from '../reads/unitSql.ts';
import { rollUpSubjects, stepMs, wholeNamespace } from '../rows/rollUp.ts';
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
    ? ['CAST(word AS INTEGER) AS level', 'level, at, 1, 0, 0, 0']
    : ['word AS state', 'state, start_date, 1, duration, duration, duration'];
  const parts = [
    ...spans.map(({ subject, steps }) =>
      sql(
        `SELECT namespace, flow_id, ${word}, CAST(step AS BIGINT) * ${stepMs} AS at, n, duration, shortest, longest
         FROM roll_up WHERE subject = ${subject} AND flow_id ${ofFlows ? '<>' : '='} '${wholeNamespace}' AND ${steps}`,
      ),
    ),
    ...window.edges.map(([from, to]) =>
      counted(
        query.subject,
        sql(`SELECT namespace, flow_id, ${row} FROM ${table} WHERE ${date} >= ? AND ${date} < ?`, from, to),
      ),
    ),
    playgroundRows(isLogs, window),
  ];
  const text = `(${parts.map((part) => part.text).join(' UNION ALL ')}) ${query.subject}`;
  return { from: sql(text, ...parts.flatMap(({ params }) => params)), isRollUp: true };
}

/** The roll-up counts playground executions, too: they are subtracted. */
function playgroundRows(isLogs: boolean, { firstStep, endStep }: StepWindow): Sql {
  const played = isLogs ? rowsOfPlayground('logs') : ofPlayground;
  const rows = isLogs
    ? 'SELECT namespace, flow_id, level, at, -1, 0, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT) FROM logs WHERE at >= ? AND at < ?'
    : `SELECT namespace, flow_id, state, start_date, -1, -duration, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT)
       FROM executions WHERE start_date >= ? AND start_date < ?`;
  return sql(`${rows} AND ${played.text}`, firstStep * stepMs, endStep * stepMs, ...played.params);
}

function counted(subject: AggregateQuery['subject'], { text, params }: Sql): Sql {
  const normal = subject === 'executions' ? notPlayground : rowsNotOfPlayground(subject);
  return sql(`${text} AND ${normal.text}`, ...params, ...normal.params);
}

function rowsOf(queries: Queries, { subject, from, to }: AggregateQuery): Sql {
  const date = subject === 'executions' ? 'start_date' : 'at';
  const more = {
    executions: ', start_date AS at',
    logs: '',
    metrics: `, ${queries.dialect.jsonText('data', 'type')} AS type`,
  }[subject];
  const rows = sql(`SELECT ${subject}.*${more} FROM ${subject} WHERE ${date} >= ? AND ${date} < ?`, from, to);
  const { text, params } = counted(subject, rows);
  return sql(`(${text}) ${subject}`, ...params);
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
