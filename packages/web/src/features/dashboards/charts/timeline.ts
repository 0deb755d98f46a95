const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** More buckets than pixels: the axis then has only those that hold something. */
const most = 1_000;

/**
 * The buckets along a time axis, without gaps: a day on which nothing happened is a day, too. Buckets are wall clock
 * texts (`2026-03-01`, `2026-03-01 14:00:00`); weeks and months come as they are.
 */
export function timeline(
  places: readonly string[],
  window?: { startDate: string; endDate: string },
): string[] {
  const sorted = [...new Set(places)].sort();
  const stepMs = stepOf(sorted);
  const first = startOf(sorted[0]);
  const last = startOf(sorted.at(-1));
  if (stepMs === undefined || first === undefined || last === undefined) return sorted;
  const from = Math.min(first, floor(Date.parse(window?.startDate ?? ''), stepMs) || first);
  const to = Math.max(last, floor(Date.parse(window?.endDate ?? ''), stepMs) || last);
  if ((to - from) / stepMs > most) return sorted;
  const all = new Set(sorted);
  for (let at = from; at <= to; at += stepMs) all.add(nameOf(at, stepMs));
  return [...all].sort();
}

/** A bucket as it reads on the axis. */
export function timeLabel(place: string, locale: string): string {
  const start = startOf(place);
  if (start === undefined) return place;
  const isDay = place.length === 10;
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(!isDay && { hour: '2-digit', minute: '2-digit' }),
    timeZone: 'UTC', // The text is a wall clock: no zone is to move it.
  }).format(start);
}

const pattern = /^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/;

const startOf = (place: string | undefined): number | undefined =>
  place !== undefined && pattern.test(place)
    ? Date.parse(place.length === 10 ? place : `${place.replace(' ', 'T')}Z`)
    : undefined;

function stepOf(places: readonly string[]): number | undefined {
  if (!places.every((place) => pattern.test(place))) return undefined;
  if (places.every((place) => place.length === 10)) return dayMs;
  return places.every((place) => place.endsWith(':00:00')) ? hourMs : minuteMs;
}

const floor = (at: number, stepMs: number): number => Math.floor(at / stepMs) * stepMs;

const nameOf = (at: number, stepMs: number): string => {
  const text = new Date(at).toISOString();
  return stepMs === dayMs ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 19)}`;
};
