import { AppError } from '@millrace/contract';
import type { Filter, StatisticsQuery } from '@millrace/store';
import { bucketFor } from '../actions/aggregateMetric.ts';
import { serverZone } from '../scheduler/zone.ts';
import { type FilterContext, type FilterResource, readFilters } from './filters.ts';
import type { QueryValues } from './query.ts';

const dayMs = 86_400_000;
const defaultMs = 30 * dayMs;
/** No chart shows more; without a bound a date such as the year 1 would make thousands of empty buckets. */
const maxMs = 100 * 366 * dayMs;

/**
 * Reads a statistics request: its body has the same fields as the query of a list. Its dates are the window
 * (the last thirty days by default), its time zone defines when a day begins, and all else are filters.
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
    // The end is one millisecond after the requested end.
    width: bucketFor(to - from - 1),
    timeZone: typeof timeZone === 'string' && timeZone !== '' ? timeZone : serverZone,
    filters: all.filter(({ field }) => field !== 'startDate'),
  };
}

/** JSON has numbers, booleans and null where a query has strings. */
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
