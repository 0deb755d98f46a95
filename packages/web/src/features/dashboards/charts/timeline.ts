const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const weekMs = 7 * dayMs;
/** More buckets than pixels: the axis then has only those that hold something. */
const most = 1_000;

export interface Window {
  startDate: string;
  endDate: string;
}

type Width = 'minute' | 'hour' | 'day' | 'week' | 'month';

/**
 * The buckets along a time axis, without gaps: a day on which nothing happened is a day, too. Buckets are wall clock
 * texts: `2026-03-01`, `2026-03-01 14:00:00`, a week as `2026-09` and a month as `2026-03`.
 */
export function timeline(places: readonly string[], window?: Window): string[] {
  const sorted = [...new Set(places)].sort();
  const width = widthOf(sorted, window);
  if (!width) return sorted;
  const first = startOf(sorted[0] ?? '', width);
  const last = startOf(sorted.at(-1) ?? '', width);
  const from = Math.min(first, floor(Date.parse(window?.startDate ?? ''), width) || first);
  const to = Math.max(last, floor(Date.parse(window?.endDate ?? ''), width) || last);
  const all = new Set(sorted);
  for (let at = from; at <= to; at = next(at, width)) {
    if (all.size > most) return sorted;
    all.add(nameOf(at, width));
  }
  return [...all].sort();
}

/** Buckets as they read on the axis: a week by its days, a month by its name. */
export function timeLabels(places: readonly string[], locale: string, window?: Window): string[] {
  const width = widthOf(places, window);
  if (!width) return [...places];
  const format = new Intl.DateTimeFormat(locale, {
    ...(width !== 'month' && { day: 'numeric' }),
    month: 'short',
    ...(width === 'month' && { year: 'numeric' }),
    ...((width === 'hour' || width === 'minute') && { hour: '2-digit', minute: '2-digit' }),
    timeZone: 'UTC', // The text is a wall clock: no zone is to move it.
  });
  return places.map((place) => {
    const start = startOf(place, width);
    if (width !== 'week') return format.format(start);
    // Not `formatRange`: it adds the years to a week that lies in two of them.
    return `${format.format(start)} – ${format.format(start + weekMs - dayMs)}`;
  });
}

const full = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;
const short = /^\d{4}-\d{2}$/;

function widthOf(places: readonly string[], window: Window | undefined): Width | undefined {
  if (places.length === 0) return undefined;
  if (places.every((place) => short.test(place))) return isOfWeeks(places, window) ? 'week' : 'month';
  if (!places.every((place) => full.test(place))) return undefined;
  if (places.every((place) => place.length === 10)) return 'day';
  return places.every((place) => place.endsWith(':00:00')) ? 'hour' : 'minute';
}

/** Weeks and months are written alike; the server counts by months once it was asked for more than a year. */
function isOfWeeks(places: readonly string[], window: Window | undefined): boolean {
  if (places.some((place) => Number(place.slice(5)) > 12)) return true;
  return window !== undefined && Date.parse(window.endDate) - Date.parse(window.startDate) <= 365 * dayMs;
}

function startOf(place: string, width: Width): number {
  if (width === 'week') return mondayOf(Number(place.slice(0, 4)), Number(place.slice(5)));
  return Date.parse(place.length > 10 ? `${place.replace(' ', 'T')}Z` : place);
}

/** Weeks are counted from the one that holds 4 January. */
const mondayOf = (year: number, week: number): number =>
  floor(Date.UTC(year, 0, 4), 'week') + (week - 1) * weekMs;

function floor(at: number, width: Width): number {
  const date = new Date(at);
  if (width === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  if (width === 'week') return floor(at, 'day') - ((date.getUTCDay() + 6) % 7) * dayMs;
  return Math.floor(at / lengths[width]) * lengths[width];
}

function next(at: number, width: Width): number {
  const date = new Date(at);
  return width === 'month' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) : at + lengths[width];
}

const lengths = { minute: minuteMs, hour: hourMs, day: dayMs, week: weekMs } as const;

function nameOf(at: number, width: Width): string {
  const text = new Date(at).toISOString();
  if (width === 'month') return text.slice(0, 7);
  if (width === 'day') return text.slice(0, 10);
  if (width !== 'week') return `${text.slice(0, 10)} ${text.slice(11, 19)}`;
  // A week belongs to the year of its Thursday.
  const year = new Date(at + 3 * dayMs).getUTCFullYear();
  return `${year}-${String((at - mondayOf(year, 1)) / weekMs + 1).padStart(2, '0')}`;
}
