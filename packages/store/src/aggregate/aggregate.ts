import { AppError, logLevels, terminalStates } from '@millrace/contract';
import type { Dialect } from '../filters/dialect.ts';
import { limitOf } from '../filters/list.ts';
import { and, joined, raw, type Sql, sql, values } from '../filters/sql.ts';
import type { AggregateColumn, AggregateQuery, AggregateRow } from '../port/aggregate.ts';
import type { Page } from '../port/queries.ts';
import type { Queries } from '../reads/queries.ts';
import { unitSql } from '../reads/unitSql.ts';
import { decodeText } from '../rows/text.ts';
import type { Row, SqlValue } from '../rows/value.ts';
import { calendarOf } from '../statistics/calendar.ts';
import { compileCondition } from './conditions.ts';
import { type AggregateField, expressionOf, fieldOf } from './fields.ts';
import { formatUnit } from './formatUnit.ts';
import { type Relation, relationOf } from './relation.ts';

interface Column {
  readonly column: AggregateColumn;
  /** Absent for a COUNT of everything. */
  readonly field?: AggregateField;
}

/**
 * Groups, aggregates, sorts and pages in the database; reads the roll-up instead of the rows wherever it
 * covers the query.
 */
export async function aggregate(queries: Queries, query: AggregateQuery): Promise<Page<AggregateRow>> {
  const columns = query.columns.map((column): Column => checkedColumn(query, column));
  if (columns.length === 0) throw new AppError('illegal-argument', 'At least one column is needed.');
  const relation = await relationOf(queries, query);
  const offsets = calendarOf(query.timeZone).offsets(query.from, query.to);
  const selected = columns.map(({ column, field }) =>
    column.aggregation === undefined && field !== undefined
      ? field.kind === 'date'
        ? bucketOf(unitSql(field.column, offsets, query.width, anyDate), query, queries.dialect)
        : expressionOf(field, column.labelKey)
      : aggregated(column, field, relation),
  );
  const where = and(
    ...query.conditions.map((each) => compileCondition(query.subject, each, queries.dialect)),
  );
  const keys = columns.flatMap(({ column }, index) => (column.aggregation === undefined ? [index + 1] : []));
  const grouped =
    keys.length > 0 && keys.length < columns.length
      ? raw(` GROUP BY ${keys.join(', ')}${relation.isRollUp ? ' HAVING sum(n) <> 0' : ''}`)
      : raw('');
  const named = selected.map((expression, index) => sql`${expression} AS ${raw(`c${index}`)}`);
  const body = sql`SELECT ${joined(named, ', ')} FROM ${relation.from} WHERE ${where}${grouped}`;
  const paged = query.size === undefined ? undefined : limitOf({ page: query.page ?? 1, size: query.size });
  const [rows, counts] = await Promise.all([
    queries.scan(
      sql`${body} ORDER BY ${orderOf(query, columns)} LIMIT ${paged?.limit ?? maxRows} OFFSET ${paged?.offset ?? 0}`,
    ),
    paged === undefined ? undefined : queries.scan(sql`SELECT count(*) AS total FROM (${body}) g`),
  ]);
  const results = rows.map((row) => decode(row, columns, query));
  return { results, total: Number(counts?.[0]?.total ?? results.length) };
}

/** For dates that the window does not bound, such as an end date. */
const anyDate = { from: Number.NEGATIVE_INFINITY };

/** A chart with more rows is unreadable. */
const maxRows = 10_000;

function checkedColumn(query: AggregateQuery, column: AggregateColumn): Column {
  if (column.field === undefined) {
    if (column.aggregation === 'COUNT') return { column };
    throw new AppError('illegal-argument', `The column ${JSON.stringify(column.alias)} needs a field.`);
  }
  const field = fieldOf(query.subject, column.field);
  const { aggregation } = column;
  const isNumber = field.kind === 'number' || field.kind === 'seconds';
  const fits =
    aggregation === undefined ||
    aggregation === 'COUNT' ||
    isNumber ||
    (field.kind === 'date' && (aggregation === 'MIN' || aggregation === 'MAX'));
  if (fits) return { column, field };
  throw new AppError(
    'illegal-argument',
    `${aggregation} of ${column.field} is not possible: it is not a number.`,
  );
}

/** Weeks begin on Monday, and day 0 was a Thursday. */
function bucketOf(unit: Sql, { width }: AggregateQuery, dialect: Dialect): Sql {
  if (width === 'month') return dialect.startOfMonth(unit);
  return width === 'week' ? sql`(${unit} - ((${unit} + 3) % 7 + 7) % 7)` : unit;
}

function aggregated(
  { aggregation, labelKey }: AggregateColumn,
  field: AggregateField | undefined,
  relation: Relation,
): Sql {
  if (relation.isRollUp) return aggregatedRollUp(aggregation, field);
  if (field === undefined) return raw('count(*)');
  const expression = expressionOf(field, labelKey);
  const value = field.kind === 'seconds' ? sql`${expression} / 1000.0` : expression;
  return aggregation === 'AVG' ? sql`avg(1.0 * ${value})` : sql`${raw(aggregation ?? 'COUNT')}(${value})`;
}

/** Only ended runs have a duration. */
function aggregatedRollUp(
  aggregation: AggregateColumn['aggregation'],
  field: AggregateField | undefined,
): Sql {
  if (field?.kind === 'date') return raw(`${aggregation}(at)`);
  if (field?.kind !== 'seconds') return raw('sum(n)');
  const ended = sql`sum(CASE WHEN state IN (${values(terminalStates)}) THEN n ELSE 0 END)`;
  switch (aggregation) {
    case 'COUNT':
      return ended;
    case 'AVG':
      return sql`sum(duration) / 1000.0 / nullif(${ended}, 0)`;
    case 'MIN':
      return raw('min(shortest) / 1000.0');
    case 'MAX':
      return raw('max(longest) / 1000.0');
    default:
      return raw('sum(duration) / 1000.0');
  }
}

function orderOf({ orderBy = [] }: AggregateQuery, columns: readonly Column[]): Sql {
  const chosen = orderBy.map(({ alias, descending }) => {
    const place = columns.findIndex(({ column }) => column.alias === alias);
    if (place < 0) {
      throw new AppError('illegal-argument', `There is no column ${JSON.stringify(alias)} to sort by.`);
    }
    return `${place + 1} ${descending ? 'DESC NULLS LAST' : 'ASC NULLS FIRST'}`;
  });
  const rest = columns.flatMap(({ column }, index) =>
    column.aggregation === undefined ? [`${index + 1} ASC NULLS FIRST`] : [],
  );
  return raw([...chosen, ...rest, '1 ASC NULLS FIRST'].join(', '));
}

function decode(row: Row, columns: readonly Column[], query: AggregateQuery): AggregateRow {
  return Object.fromEntries(
    columns.map((column, index) => [
      column.column.alias,
      decodeValue(row[`c${index}`] ?? null, column, query),
    ]),
  );
}

function decodeValue(
  value: SqlValue,
  { column, field }: Column,
  query: AggregateQuery,
): string | number | null {
  const { aggregation } = column;
  if (value === null) return aggregation === 'COUNT' ? 0 : null;
  if (aggregation === 'COUNT') return Number(value);
  switch (field?.kind) {
    case 'date':
      return aggregation === undefined
        ? formatUnit(Number(value), query.width, calendarOf(query.timeZone))
        : new Date(Number(value)).toISOString();
    case 'level':
      return logLevels[Number(value)] ?? String(value);
    case 'seconds':
      return aggregation === undefined ? Number(value) / 1_000 : Number(value);
    case 'number':
      return Number(value);
    default:
      return decodeText(String(value));
  }
}
