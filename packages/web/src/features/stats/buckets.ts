import {
  type DailyExecutionStatistics,
  type LogStatistics,
  logLevels,
  type StateType,
  stateTypes,
} from '@millrace/contract';
import type { TFunction } from 'i18next';
import { dateTimeFormat } from '../../format/dateFormats.ts';
import { shownTimeZone } from '../../format/timeZone.ts';
import type { Bucket, Series } from '../../ui/charts/StackedBars.tsx';
import type { DateRange } from '../../ui/index.ts';

/** From the ground up: what went well, what went wrong, what is under way. */
const first = ['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'CANCELLED', 'RETRIED'] as const;

export const stateOrder: readonly StateType[] = [
  ...first,
  ...stateTypes.filter((state) => !first.some((one) => one === state)),
];

export const stateSeries = (t: TFunction): Series[] =>
  stateOrder.map((state) => ({
    key: state,
    label: t(`state.${state}`),
    colour: `var(--mr-chart-${state.toLowerCase()})`,
  }));

export const levelSeries = (t: TFunction): Series[] =>
  logLevels.toReversed().map((level) => ({
    key: level,
    label: t(`logLevel.${level}`),
    colour: `var(--mr-chart-${level.toLowerCase()})`,
  }));

export const executionBuckets = (days: readonly DailyExecutionStatistics[], locale: string): Bucket[] =>
  days.map(({ startDate, groupBy, executionCounts }) => ({
    key: `${startDate}|${groupBy}`,
    label: bucketName(startDate, groupBy, locale),
    counts: executionCounts,
  }));

export const logBuckets = (days: readonly LogStatistics[], locale: string): Bucket[] =>
  days.map(({ timestamp, groupBy, counts }) => ({
    key: `${timestamp}|${groupBy}`,
    label: bucketName(timestamp, groupBy, locale),
    counts,
  }));

/** The stretch of time of a bucket, to narrow a list to it. */
export function rangeOf({ key }: Bucket): DateRange {
  const [startDate = '', unit = 'day'] = key.split('|');
  const start = new Date(startDate);
  const end = new Date(start);
  if (unit === 'month') end.setMonth(end.getMonth() + 1);
  else end.setTime(start.getTime() + (lengths[unit] ?? 0));
  return { kind: 'absolute', start: start.toISOString(), end: end.toISOString() };
}

const lengths: Record<string, number> = {
  week: 604_800_000,
  day: 86_400_000,
  hour: 3_600_000,
  minute: 60_000,
};

/** A stretch of time in words. */
export function bucketName(date: string, unit: string, locale: string): string {
  const time = unit === 'hour' || unit === 'minute';
  return dateTimeFormat(locale, {
    timeZone: shownTimeZone(),
    ...(unit === 'month'
      ? { month: 'long', year: 'numeric' }
      : { day: 'numeric', month: 'short', ...(time && { hour: '2-digit', minute: '2-digit' }) }),
  }).format(new Date(date));
}

/** How often a window is narrowed: from days to hours, and from hours to minutes. */
const maxRounds = 2;
/** A window is narrowed when all entries lie in the last of this many parts. */
const parts = 8;

interface Window {
  readonly startDate: string;
}

interface Reading<Bucket> {
  readonly startOf: (bucket: Bucket) => string;
  readonly isEmpty: (bucket: Bucket) => boolean;
}

/**
 * Reads a window, and again from its first entry on while all entries lie at its end: thirty days with one bar say less
 * than the hours of that day.
 */
export async function fitted<Bucket, Asked extends Window>(
  window: Asked,
  read: (window: Asked) => Promise<readonly Bucket[]>,
  { startOf, isEmpty }: Reading<Bucket>,
): Promise<readonly Bucket[]> {
  let asked = window;
  let buckets = await read(asked);
  for (let round = 0; round < maxRounds; round++) {
    const first = buckets.findIndex((bucket) => !isEmpty(bucket));
    const bucket = buckets[first];
    if (bucket === undefined || first < buckets.length - Math.ceil(buckets.length / parts)) break;
    const startDate = startOf(bucket);
    // A window of one bucket cannot be narrowed.
    if (Date.parse(startDate) <= Date.parse(asked.startDate)) break;
    asked = { ...asked, startDate };
    buckets = await read(asked);
  }
  return buckets;
}

export const hasNoCounts = (counts: Readonly<Record<string, number>>): boolean =>
  Object.values(counts).every((count) => count === 0);
