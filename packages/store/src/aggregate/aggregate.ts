import { AppError, logLevels, terminalStates } from '@millrace/contract';
import type { Dialect } from '../filters/dialect.ts';
import { limitOf } from '../filters/list.ts';
import { join, placeholders, type Sql, sql } from '../filters/sql.ts';
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
        ? sql(bucketOf(unitSql(field.column, offsets, query.width, anyDate), query, queries.dialect))
        : expressionOf(field, column.labelKey)
      : aggregated(column, field, relation),
  );
  const where = join(
    query.conditions.map((condition) => compileCondition(query.subject, condition, queries.dialect)),
    ' AND ',
  );
  const keys = columns.flatMap(({ column }, index) => (column.aggregation === undefined ? [index + 1] : []));
  const grouped =
    keys.length > 0 && keys.length < columns.length
      ? ` GROUP BY ${keys.join(', ')}${relation.isRollUp ? ' HAVING sum(n) <> 0' : ''}`
      : '';
  const body = sql(
    `SELECT ${selected.map(({ text }, index) => `${text} AS c${index}`).join(', ')}
     FROM ${relation.from.text} WHERE ${where.text}${grouped}`,
    ...selected.flatMap(({ params }) => params),
    ...relation.from.params,
    ...where.params,
  );
  const paged = query.size === undefined ? undefined : limitOf({ page: query.page ?? 1, size: query.size });
  const [rows, counts] = await Promise.all([
    queries.scan(`${body.text} ORDER BY ${orderOf(query, columns)} LIMIT ? OFFSET ?`, [
      ...body.params,
      paged?.limit ?? maxRows,
      paged?.offset ?? 0,
    ]),
    paged === undefined
      ? undefined
      : queries.scan(`SELECT count(*) AS total FROM (${body.text}) g`, body.params),
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
function bucketOf(unit: string, { width }: AggregateQuery, dialect: Dialect): string {
  if (width === 'month') return dialect.startOfMonth(unit);
  return width === 'week' ? `(${unit} - ((${unit} + 3) % 7 + 7) % 7)` : unit;
}

function aggregated(
  { aggregation, labelKey }: AggregateColumn,
  field: AggregateField | undefined,
  relation: Relation,
): Sql {
  if (relation.isRollUp) return aggregatedRollUp(aggregation, field);
  if (field === undefined) return sql('count(*)');
  const { text, params } = expressionOf(field, labelKey);
  const value = field.kind === 'seconds' ? `${text} / 1000.0` : text;
  if (aggregation === 'AVG') return sql(`avg(1.0 * ${value})`, ...params);
  return sql(`${aggregation}(${value})`, ...params);
}

/** Only ended runs have a duration. */
function aggregatedRollUp(
  aggregation: AggregateColumn['aggregation'],
  field: AggregateField | undefined,
): Sql {
  if (field?.kind === 'date') return sql(`${aggregation}(at)`);
  if (field?.kind !== 'seconds') return sql('sum(n)');
  const ended = `CASE WHEN state IN (${placeholders(terminalStates.length)}) THEN n ELSE 0 END`;
  switch (aggregation) {
    case 'COUNT':
      return sql(`sum(${ended})`, ...terminalStates);
    case 'AVG':
      return sql(`sum(duration) / 1000.0 / nullif(sum(${ended}), 0)`, ...terminalStates);
    case 'MIN':
      return sql('min(shortest) / 1000.0');
    case 'MAX':
      return sql('max(longest) / 1000.0');
    default:
      return sql('sum(duration) / 1000.0');
  }
}

function orderOf({ orderBy = [] }: AggregateQuery, columns: readonly Column[]): string {
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
  return [...chosen, ...rest, '1 ASC NULLS FIRST'].join(', ');
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
