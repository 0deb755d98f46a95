/** The stretch of time a list looks at: up to now, or between two dates of which either may be open. */
export type DateRange =
  | { readonly kind: 'relative'; readonly duration: string }
  | { readonly kind: 'absolute'; readonly start?: string; readonly end?: string };

/** Offered by every list that looks back in time. */
export const rangePresets = [
  'PT5M',
  'PT15M',
  'PT1H',
  'PT12H',
  'PT24H',
  'PT48H',
  'P7D',
  'P30D',
  'P365D',
] as const;
export type RangePreset = (typeof rangePresets)[number] | 'P28D';

export const rangeIn = (
  search: { timeRange?: unknown; startDate?: unknown; endDate?: unknown },
  fallback: string,
): DateRange => {
  const start = dateIn(search.startDate);
  const end = dateIn(search.endDate);
  if (start !== undefined || end !== undefined) {
    return { kind: 'absolute', ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  }
  return { kind: 'relative', duration: typeof search.timeRange === 'string' ? search.timeRange : fallback };
};

/** A range as the parameters of an address or of a call. */
export const rangeParameters = (range: DateRange) =>
  range.kind === 'relative'
    ? { timeRange: range.duration, startDate: undefined, endDate: undefined }
    : { timeRange: undefined, startDate: range.start, endDate: range.end };

/** BothThemes ends as moments, for calls that know no relative range. */
export function rangeBounds(
  range: DateRange,
  nowMs: number,
  toMs: (duration: string) => number | undefined,
): { startDate: string; endDate: string } {
  const day = 86_400_000;
  if (range.kind === 'relative') {
    const lengthMs = toMs(range.duration) ?? 30 * day;
    return { startDate: isoOf(nowMs - lengthMs), endDate: isoOf(nowMs) };
  }
  const endMs = range.end === undefined ? nowMs : Date.parse(range.end);
  return { startDate: range.start ?? isoOf(endMs - 30 * day), endDate: isoOf(endMs) };
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** An address is typed by people: what is no date is dropped. */
const dateIn = (value: unknown): string | undefined =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;
