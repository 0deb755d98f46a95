const minute = 60_000;
const day = 86_400_000;

/** A time zone's offset from UTC and the moments at which it changes. */
export interface Zone {
  readonly id: string;
  /** Milliseconds to add to an instant to get the local time. */
  offsetAt(instant: number): number;
  /** The first change of offset after an instant and not after another; undefined when there is none. */
  changeAfter(instant: number, until: number): number | undefined;
  /** The last change of offset at or before an instant and not before another. */
  changeBefore(instant: number, since: number): number | undefined;
}

const zones = new Map<string, Zone | undefined>();

/** The zone of an id such as `Europe/Paris`, `UTC`, `Z` or `+02:00`; undefined when it is unknown. */
export function findZone(id: string): Zone | undefined {
  if (!zones.has(id)) {
    // Ids come from users; the number of real ones is small, so only nonsense can fill this up.
    if (zones.size > 2000) zones.clear();
    zones.set(id, makeZone(id));
  }
  return zones.get(id);
}

function makeZone(id: string): Zone | undefined {
  const fixed = fixedOffset(id);
  if (fixed !== undefined) {
    return { id, offsetAt: () => fixed, changeAfter: () => undefined, changeBefore: () => undefined };
  }
  // Intl alone accepts any case; zone ids are exact.
  if (!/^[A-Z]/.test(id)) return undefined;
  try {
    return new NamedZone(id);
  } catch {
    return undefined;
  }
}

function fixedOffset(id: string): number | undefined {
  if (id === 'Z' || id === 'UTC' || id === 'GMT' || id === 'UT') return 0;
  const found = /^(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?$/.exec(id);
  if (!found) return undefined;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  if (minutes > 18 * 60 || Number(found[3] ?? 0) > 59) return undefined;
  return (found[1] === '-' ? -1 : 1) * minutes * minute;
}

const yearOf = (instant: number): number => new Date(instant).getUTCFullYear();

interface Change {
  readonly at: number;
  readonly offset: number;
  /** False for the entry at the start of a year, which only records the offset. */
  readonly isReal: boolean;
}

/** Reads the offset changes of each year from Intl once and caches them. */
class NamedZone implements Zone {
  readonly id: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #changes = new Map<number, readonly Change[]>();

  constructor(id: string) {
    this.id = id;
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: id,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    });
  }

  offsetAt(instant: number): number {
    const changes = this.#changesOf(yearOf(instant));
    return changes.findLast((change) => change.at <= instant)?.offset ?? 0;
  }

  changeAfter(instant: number, until: number): number | undefined {
    for (let year = yearOf(instant); year <= yearOf(until); year += 1) {
      const found = this.#changesOf(year).find((change) => change.isReal && change.at > instant);
      if (found) return found.at <= until ? found.at : undefined;
    }
    return undefined;
  }

  changeBefore(instant: number, since: number): number | undefined {
    for (let year = yearOf(instant); year >= yearOf(since); year -= 1) {
      const found = this.#changesOf(year).findLast((change) => change.isReal && change.at <= instant);
      if (found) return found.at >= since ? found.at : undefined;
    }
    return undefined;
  }

  /** The offset at the start of a year, then each change in it. */
  #changesOf(year: number): readonly Change[] {
    const known = this.#changes.get(year);
    if (known) return known;
    const start = Date.UTC(year, 0, 1);
    const end = Date.UTC(year + 1, 0, 1);
    let offset = this.#measure(start);
    const changes: Change[] = [{ at: start, offset, isReal: this.#measure(start - 1000) !== offset }];
    for (let at = start; at < end; at += day) {
      const next = this.#measure(Math.min(at + day, end));
      if (next === offset) continue;
      changes.push({ at: this.#bisect(at, at + day, offset), offset: next, isReal: true });
      offset = next;
    }
    // A change at the first moment of the next year is that year's.
    if ((changes.at(-1)?.at ?? 0) >= end) changes.pop();
    this.#changes.set(year, changes);
    return changes;
  }

  #bisect(low: number, high: number, offset: number): number {
    let from = low / minute;
    let to = high / minute;
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      if (this.#measure(middle * minute) === offset) from = middle;
      else to = middle;
    }
    return to * minute;
  }

  #measure(instant: number): number {
    const parts = new Map(this.#format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type) ?? 0);
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year');
    const local = new Date(0);
    local.setUTCFullYear(year, part('month') - 1, part('day'));
    local.setUTCHours(part('hour'), part('minute'), part('second'));
    return local.getTime() - Math.floor(instant / 1000) * 1000;
  }
}
