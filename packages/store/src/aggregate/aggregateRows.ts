import { AppError } from '@millrace/contract';
import type { AggregateColumn, AggregateQuery, AggregateRow } from '../port/aggregate.ts';
import type { Page } from '../port/queries.ts';
import { type BucketWidth, bucketOfDate, calendarOf } from '../statistics/calendar.ts';
import { formatUnit } from './formatUnit.ts';
import { matchesCondition, type PlainRow } from './matchesCondition.ts';

type Query = Omit<AggregateQuery, 'subject' | 'from' | 'to'>;
type Value = string | number | null;

/** The maximum number of rows for a chart. */
const maxRows = 100_000;

/**
 * Does the same as `aggregate` for rows that are not in the database: the same columns, conditions, order and
 * pages. Dates are `Date`s.
 */
export async function aggregateRows(
  rows: AsyncIterable<PlainRow> | Iterable<PlainRow>,
  query: Query,
): Promise<Page<AggregateRow>> {
  const isAggregate = query.columns.some(({ aggregation }) => aggregation !== undefined);
  const groups = new Map<string | number, Group>();
  let seen = 0;
  for await (const row of rows) {
    seen += 1;
    if (seen > maxRows)
      throw new AppError('illegal-argument', `There are more than ${maxRows} rows, too many for a chart.`);
    if (!query.conditions.every((condition) => matchesCondition(row, condition))) continue;
    const keys = query.columns.map((column) => keyOf(row, column, query));
    // Without an aggregate every row is its own group.
    const id = isAggregate ? JSON.stringify(keys) : seen;
    const group = groups.get(id) ?? new Group(query.columns, keys);
    groups.set(id, group);
    group.add(row);
  }
  const isTotal = query.columns.every(({ aggregation }) => aggregation !== undefined);
  if (isTotal && groups.size === 0) groups.set('', new Group(query.columns, []));
  const results = [...groups.values()].map((group) => group.result()).sort(orderOf(query));
  const { page = 1, size = results.length } = query;
  return { results: results.slice((page - 1) * size, page * size), total: results.length };
}

function keyOf(row: PlainRow, { field = '', aggregation }: AggregateColumn, query: Query): Value {
  if (aggregation !== undefined) return null;
  const value = row[field];
  return value instanceof Date ? labelOf(value, query.width, query.timeZone) : plain(value);
}

function labelOf(date: Date, width: BucketWidth, timeZone: string): string {
  const calendar = calendarOf(timeZone);
  return formatUnit(bucketOfDate(calendar, date.getTime(), width), width, calendar);
}

function plain(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A group of rows with the same key; keeps only the values that the aggregates need. */
class Group {
  readonly #columns: readonly AggregateColumn[];
  readonly #keys: readonly Value[];
  readonly #sums: { count: number; sum: number; least?: Comparable; most?: Comparable }[];

  constructor(columns: readonly AggregateColumn[], keys: readonly Value[]) {
    this.#columns = columns;
    this.#keys = keys;
    this.#sums = columns.map(() => ({ count: 0, sum: 0 }));
  }

  add(row: PlainRow): void {
    for (const [index, { field, aggregation }] of this.#columns.entries()) {
      const sums = this.#sums[index];
      if (aggregation === undefined || sums === undefined) continue;
      const value = field === undefined ? 1 : row[field];
      if (value === undefined || value === null) continue;
      sums.count += 1;
      if (aggregation === 'COUNT') continue;
      const comparable = toComparable(value, aggregation, field);
      sums.sum += Number(comparable);
      if (sums.least === undefined || comparable < sums.least) sums.least = comparable;
      if (sums.most === undefined || comparable > sums.most) sums.most = comparable;
    }
  }

  result(): AggregateRow {
    return Object.fromEntries(
      this.#columns.map(({ alias, aggregation }, index): [string, Value] => {
        const sums = this.#sums[index];
        if (aggregation === undefined || sums === undefined) return [alias, this.#keys[index] ?? null];
        if (aggregation === 'COUNT') return [alias, sums.count];
        if (sums.count === 0) return [alias, null];
        if (aggregation === 'SUM') return [alias, sums.sum];
        if (aggregation === 'AVG') return [alias, sums.sum / sums.count];
        return [alias, plain(aggregation === 'MIN' ? sums.least : sums.most)];
      }),
    );
  }
}

type Comparable = number | Date;

function toComparable(value: unknown, aggregation: string, field = ''): Comparable {
  const isExtreme = aggregation === 'MIN' || aggregation === 'MAX';
  if (value instanceof Date && isExtreme) return value;
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number) && !(value instanceof Date)) return number;
  throw new AppError(
    'illegal-argument',
    `${aggregation} of ${field} is not possible: ${JSON.stringify(value)} is not a number.`,
  );
}

/** The requested order, then the columns of the key, so that pages never overlap. */
function orderOf({ orderBy = [], columns }: Query): (a: AggregateRow, b: AggregateRow) => number {
  const keys = columns.filter(({ aggregation }) => aggregation === undefined);
  const order = [...orderBy, ...keys.map(({ alias }) => ({ alias, descending: false }))];
  return (a, b) => {
    for (const { alias, descending } of order) {
      const difference = compare(a[alias] ?? null, b[alias] ?? null);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return 0;
  };
}

function compare(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : 1;
}
