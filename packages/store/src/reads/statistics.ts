import { isTerminal, type LogLevel, logLevels, type StateType } from '@millrace/contract';
import { isOnFlow, whereOf } from '../filters/executionFilters.ts';
import { compileLogFilters } from '../filters/logFilters.ts';
import { notPlayground, ofPlayground } from '../filters/playground.ts';
import { always, and, hideFromPlanner, raw, type Sql, sql } from '../filters/sql.ts';
import type { LogBucket, RunBucket, Series, StatisticsQuery } from '../port/statistics.ts';
import { allNamespaces, rollUpSubjects, stepMs } from '../rows/rollUp.ts';
import { decodeText, encodeText } from '../rows/text.ts';
import type { Row } from '../rows/value.ts';
import { type Bucket, bucketsBetween, calendarOf } from '../statistics/calendar.ts';
import { rowsOfFlows } from './countRows.ts';
import { executionConditions } from './executionConditions.ts';
import type { Queries } from './queries.ts';
import { readPackedRows } from './readPackedRows.ts';
import { type RollUpSpan, rollUpSpans } from './rollUpSpans.ts';
import { type DatedTable, type StepWindow, stepWindow } from './stepWindow.ts';
import { taskRunsOfExecutions } from './taskRuns.ts';
import { fitsSteps, unitAt, unitSql } from './unitSql.ts';

/** Where the figures of one kind come from. */
interface Source {
  readonly kind: number;
  /** Used to check whether rows exist outside the window. */
  readonly dated: DatedTable;
  /** The rows with the columns namespace, flow_id, `at`, `word`, `duration` and whatever `rowWhere` names. */
  readonly rows: Sql;
  /** The condition on the roll-up; undefined: the roll-up cannot be used, and every row is scanned. */
  readonly rollUpWhere: Sql | undefined;
  readonly ofFlows: boolean;
  readonly rowWhere: Sql;
  /** Rows that the roll-up counts but the statistics do not. */
  readonly lessRows?: Sql;
}

export async function executionStatistics(
  queries: Queries,
  query: StatisticsQuery,
): Promise<Series<RunBucket>[]> {
  const source = await runSource(queries, query, {
    kind: rollUpSubjects.executions,
    dated: { table: 'executions', date: 'start_date' },
    rows: sql`(SELECT *, start_date AS at, state AS word FROM executions) executions`,
  });
  return foldSeries(await read(queries, query, source), bucketsOf(query), query.groupBy, runBucket);
}

/** Filters and flows apply to the executions, but a state filter to the task run. */
export async function taskRunStatistics(
  queries: Queries,
  query: StatisticsQuery,
): Promise<Series<RunBucket>[]> {
  const source = await runSource(queries, query, {
    kind: rollUpSubjects.taskRuns,
    dated: { table: 'task_runs', date: 'start_date' },
    rows: sql`(SELECT *, start_date AS at, state AS word FROM ${taskRunsOfExecutions}) executions`,
  });
  return foldSeries(await read(queries, query, source), bucketsOf(query), query.groupBy, runBucket);
}

export async function logStatistics(queries: Queries, query: StatisticsQuery): Promise<Series<LogBucket>[]> {
  const where = and(compileLogFilters(query.filters, queries.dialect), flowsWhere(queries, query));
  const known = new Set(['namespace', 'flowId', 'scope', 'level']);
  const isRolledUp = query.filters.every(({ field }) => known.has(field));
  const source: Source = {
    kind: rollUpSubjects.logs,
    dated: { table: 'logs', date: 'at' },
    rows: sql`(SELECT *, level AS word, CAST(NULL AS BIGINT) AS duration FROM logs) logs`,
    rollUpWhere: isRolledUp ? where : undefined,
    ...(isRolledUp && { lessRows: and(where, ofPlayground('logs')) }),
    ofFlows: query.filters.some(({ field }) => field === 'flowId') || isByFlow(query),
    rowWhere: and(where, notPlayground('logs')),
  };
  return foldSeries(await read(queries, query, source), bucketsOf(query), query.groupBy, logBucket);
}

async function runSource(
  queries: Queries,
  query: StatisticsQuery,
  base: Pick<Source, 'kind' | 'dated' | 'rows'>,
): Promise<Source> {
  const conditions = await executionConditions(queries, query.filters);
  const where = and(whereOf(conditions), flowsWhere(queries, query));
  const isCovered = conditions.every(({ kind }) => kind === 'rollUp');
  return {
    ...base,
    rollUpWhere: isCovered ? where : undefined,
    ...(isCovered && { lessRows: and(where, ofPlayground('executions')) }),
    ofFlows: isByFlow(query) || conditions.some(isOnFlow),
    rowWhere: and(where, notPlayground('executions')),
  };
}

const isByFlow = (query: StatisticsQuery): boolean => query.flows !== undefined || query.groupBy === 'flow';

/** Two conditions: the list of ids uses the index of the roll-up, and the pairs are only compared. */
function flowsWhere(queries: Queries, { flows }: StatisticsQuery): Sql {
  if (flows === undefined) return always;
  const pairs = flows.map(({ namespace, id }) => [encodeText(namespace), encodeText(id)]);
  const ids = [...new Set(pairs.map(([, id]) => id))];
  return and(
    queries.dialect.textOneOf(raw('flow_id'), JSON.stringify(ids)),
    hideFromPlanner(queries.dialect.flowOneOf(JSON.stringify(pairs))),
  );
}

const bucketsOf = (query: StatisticsQuery) => bucketsBetween(calendarOf(query.timeZone), query.width, query);

async function read(queries: Queries, query: StatisticsQuery, source: Source): Promise<readonly Row[]> {
  const calendar = calendarOf(query.timeZone);
  const offsets = calendar.offsets(query.from, query.to);
  const groupedBy =
    query.groupBy === undefined ? [] : query.groupBy === 'flow' ? ['namespace', 'flow_id'] : ['namespace'];
  const group = raw(groupedBy.map((column) => `, ${column}`).join(''));
  const unit = unitSql('at', offsets, query.width, query);
  const rowsIn = (where: Sql, from: number, to: number): Sql =>
    sql`SELECT ${unit} AS unit, word${group}, count(*) AS n, sum(duration) AS duration,
        min(duration) AS shortest, max(duration) AS longest
      FROM ${source.rows} WHERE at >= ${from} AND at < ${to} AND ${where} GROUP BY unit, word${group}`;
  const columns = ['unit', 'word', ...groupedBy, 'n', 'duration', 'shortest', 'longest'];
  const run = (asked: Sql) => readPackedRows(queries, asked, columns);
  if (query.from >= query.to) return [];
  if (source.rollUpWhere === undefined || !fitsSteps(calendar, query, query.width)) {
    return run(rowsIn(source.rowWhere, query.from, query.to));
  }
  const window = await stepWindow(queries, source.dated, query);
  const { firstStep, endStep, edges } = window;
  const unitOf = (at: number): number => unitAt(at, offsets, query.width);
  const rolledUp = isOfAll(query)
    ? [sumsOfAll(source, window, unit)]
    : rollUpSpans(source.kind, window, unitOf).map((span) =>
        sumsOf(source, span, unitSql(startOfStep, offsets, query.width, query), group),
      );
  const results = await Promise.all([
    ...(endStep > firstStep ? rolledUp.map(run) : []),
    ...edges.map(([from, to]) => run(rowsIn(source.rowWhere, from, to))),
  ]);
  const less =
    source.lessRows === undefined || endStep <= firstStep
      ? []
      : await run(rowsIn(source.lessRows, firstStep * stepMs, endStep * stepMs));
  // Rows with a count of zero may remain.
  return subtract(results.flat(), less, ['unit', 'word', ...groupedBy]).filter((row) => Number(row.n) > 0);
}

/** The rows with other counts and durations. Their extremes stay: they are only bounds then. */
function subtract(rows: readonly Row[], less: readonly Row[], key: readonly string[]): readonly Row[] {
  if (less.length === 0) return rows;
  const keyOf = (row: Row): string => JSON.stringify(key.map((name) => String(row[name])));
  const left = new Map(less.map((row) => [keyOf(row), { n: Number(row.n), duration: Number(row.duration) }]));
  return rows.map((row) => {
    const taken = left.get(keyOf(row));
    if (!taken) return row;
    // A roll-up of blocks and steps can have several rows of one key.
    const n = Math.min(taken.n, Number(row.n));
    const duration = n === taken.n ? taken.duration : 0;
    left.set(keyOf(row), { n: taken.n - n, duration: taken.duration - duration });
    return { ...row, n: Number(row.n) - n, duration: Number(row.duration) - duration };
  });
}

const sums = raw(
  'sum(n) AS n, sum(duration) AS duration, min(shortest) AS shortest, max(longest) AS longest',
);

const startOfStep = `(CAST(step AS BIGINT) * ${stepMs})`;

/** Aggregates one span separately: a union before the aggregation would copy the rows. */
const sumsOf = (source: Source, { subject, steps }: RollUpSpan, unit: Sql, group: Sql): Sql =>
  sql`SELECT ${unit} AS unit, word${group}, ${sums} FROM ${rollUpOf(source, subject, source.ofFlows, steps)}
    WHERE ${source.rollUpWhere ?? always} GROUP BY unit, word${group}`;

/** Aggregates by step first, so that the unit is computed once per step. */
const sumsOfAll = (source: Source, { firstStep, endStep }: StepWindow, unit: Sql): Sql =>
  sql`SELECT ${unit} AS unit, word, ${sums}
    FROM (SELECT ${raw(startOfStep)} AS at, word, ${sums} FROM ${rollUpOf(source, source.kind + allNamespaces, false, always)}
          WHERE step >= ${firstStep} AND step < ${endStep} AND ${source.rollUpWhere ?? always} GROUP BY step, word) s
    GROUP BY unit, word`;

/** Rows of the roll-up with the columns that filters name. Only logs have numbers as words. */
function rollUpOf({ kind }: Source, subject: number, ofFlows: boolean, steps: Sql): Sql {
  const level = raw(kind === rollUpSubjects.logs ? 'word' : 'NULL');
  return sql`(SELECT *, word AS state, CAST(${level} AS INTEGER) AS level FROM roll_up
    WHERE subject = ${raw(subject)} AND ${rowsOfFlows(ofFlows)} AND ${steps}) r`;
}

/** No condition on a namespace or a flow, so the sums of all namespaces are enough. */
const isOfAll = (query: StatisticsQuery): boolean =>
  query.groupBy === undefined &&
  query.flows === undefined &&
  query.filters.every(({ field }) => field === 'state' || field === 'level');

/** Puts rows (`unit`, and `namespace`, `flow_id` when grouped) into the buckets of their series. */
function foldSeries<B>(
  rows: readonly Row[],
  buckets: readonly Bucket[],
  groupBy: StatisticsQuery['groupBy'],
  makeBucket: (at: number, rows: readonly Row[]) => B,
): Series<B>[] {
  const placeOf = new Map<number, number>();
  for (const [place, { firstUnit, endUnit }] of buckets.entries()) {
    for (let unit = firstUnit; unit < endUnit; unit++) placeOf.set(unit, place);
  }
  const groups = new Map<string, { row: Row; places: Row[][] }>();
  const emptySlots = (): Row[][] => buckets.map(() => []);
  if (groupBy === undefined) groups.set('', { row: {}, places: emptySlots() });
  for (const row of rows) {
    const key =
      groupBy === undefined ? '' : JSON.stringify([row.namespace, groupBy === 'flow' ? row.flow_id : '']);
    const group = groups.get(key) ?? { row, places: emptySlots() };
    groups.set(key, group);
    const place = placeOf.get(Number(row.unit));
    if (place !== undefined) group.places[place]?.push(row);
  }
  const made = [...groups.values()].map(
    ({ row, places }): Series<B> => ({
      ...(groupBy === undefined ? {} : { namespace: decodeText(String(row.namespace)) }),
      ...(groupBy === 'flow' ? { flowId: decodeText(String(row.flow_id)) } : {}),
      buckets: buckets.map(({ at }, place) => makeBucket(at, places[place] ?? [])),
    }),
  );
  return made.sort((a, b) => compare(a.namespace, b.namespace) || compare(a.flowId, b.flowId));
}

const compare = (a = '', b = ''): number => (a < b ? -1 : a > b ? 1 : 0);

function runBucket(at: number, rows: readonly Row[]): RunBucket {
  const counts: Partial<Record<StateType, number>> = {};
  const duration: { count: number; sum: number; min?: number; max?: number } = { count: 0, sum: 0 };
  for (const row of rows) {
    // `as`: the store writes no other state.
    const state = String(row.word) as StateType;
    const n = Number(row.n);
    counts[state] = (counts[state] ?? 0) + n;
    if (!isTerminal(state)) continue;
    duration.count += n;
    duration.sum += Number(row.duration);
    if (row.shortest !== null)
      duration.min = Math.min(duration.min ?? Number(row.shortest), Number(row.shortest));
    if (row.longest !== null)
      duration.max = Math.max(duration.max ?? Number(row.longest), Number(row.longest));
  }
  return { at, counts, duration };
}

function logBucket(at: number, rows: readonly Row[]): LogBucket {
  const counts: Partial<Record<LogLevel, number>> = {};
  for (const row of rows) {
    const level = logLevels[Number(row.word)];
    if (level !== undefined) counts[level] = (counts[level] ?? 0) + Number(row.n);
  }
  return { at, counts };
}
