import { AppError } from '@millrace/contract';
import type { Filter, StatisticsQuery } from '@millrace/store';
import { bucketFor } from '../actions/aggregateMetric.ts';
import { serverZone } from '../triggers/zone.ts';
import { type FilterContext, type FilterResource, readFilters } from './filters.ts';
import type { QueryValues } from './query.ts';

const dayMs = 86_400_000;
const defaultMs = 30 * dayMs;
/** No chart shows more; without a bound a date such as the year 1 would make thousands of empty buckets. */
const maxMs = 100 * 366 * dayMs;

/**
 * What a body asks of statistics: the same words as in the query of a list. Its dates are the window, the last thirty
 * days unless given, and its time zone says when a day begins; everything else are filters.
 */
export function readStatistics(
  { timeZone, ...body }: Readonly<Record<string, unknown>>,
  resource: FilterResource,
  context: FilterContext,
): StatisticsQuery {
  const all = readFilters(toQueryValues(body), resource, context);
  const dates = all.filter(({ field }) => field === 'startDate');
  const to = upperBound(dates) ?? context.now + 1;
  const from = lowerBound(dates) ?? to - defaultMs;
  if (from >= to) throw new AppError('illegal-argument', 'startDate lies after endDate');
  if (to - from > maxMs) throw new AppError('illegal-argument', 'the window is longer than a hundred years');
  return {
    from,
    to,
    // The end lies one millisecond beyond what was asked for.
    width: bucketFor(to - from - 1),
    timeZone: typeof timeZone === 'string' && timeZone !== '' ? timeZone : serverZone,
    filters: all.filter(({ field }) => field !== 'startDate'),
  };
}

/** JSON says numbers, booleans and null where a query has texts. */
export function toQueryValues(body: Readonly<Record<string, unknown>>): QueryValues {
  const values: QueryValues = Object.create(null);
  for (const [name, value] of Object.entries(body)) {
    if (Array.isArray(value)) values[name] = value.filter(isPlain).map(String);
    else if (isPlain(value)) values[name] = String(value);
  }
  return values;
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const valuesOf = (dates: readonly Filter[], word: string, equalAddsMs: number): number[] =>
  dates
    .filter(({ operation }) => operation.startsWith(word))
    .map(({ operation, value }) => Number(value) + (operation.endsWith('EQUAL_TO') ? equalAddsMs : 0));

function lowerBound(dates: readonly Filter[]): number | undefined {
  const bounds = valuesOf(dates, 'GREATER', 0);
  return bounds.length === 0 ? undefined : Math.max(...bounds);
}

function upperBound(dates: readonly Filter[]): number | undefined {
  const bounds = valuesOf(dates, 'LESS', 1);
  return bounds.length === 0 ? undefined : Math.min(...bounds);
}
