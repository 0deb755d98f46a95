import { type Cron, parseCron } from './cron.ts';
import { findLocalAtOrAfter, findLocalAtOrBefore } from './cronSearch.ts';
import { findZone, type Zone } from './zone.ts';

export interface CronOptions {
  /** A zone id; UTC when absent. */
  readonly timezone?: string;
  readonly withSeconds?: boolean;
}

/**
 * The first date of a cron expression after an instant (milliseconds). undefined when there is none. Throws a
 * CronError for an expression or a zone that cannot be read.
 */
export function nextDate(cron: string, options: CronOptions & { after: number }): number | undefined {
  return new CronDates(cron, options).after(options.after);
}

/** The last date of a cron expression before an instant. */
export function previousDate(cron: string, options: CronOptions & { before: number }): number | undefined {
  return new CronDates(cron, options).before(options.before);
}

const known = new Map<string, Cron>();

/** Parsed expressions are cached, because a scheduler uses the same few all day. */
function parseOnce(expression: string, withSeconds: boolean): Cron {
  const key = `${withSeconds}${expression}`;
  let cron = known.get(key);
  if (!cron) {
    cron = parseCron(expression, withSeconds);
    if (known.size > 20_000) known.clear();
    known.set(key, cron);
  }
  return cron;
}

/**
 * The dates of one expression in one zone. A local time that an offset change skips runs at the moment of the
 * change; a local time that occurs twice runs once, unless the expression runs in every hour anyway.
 */
export class CronDates {
  readonly #cron: Cron;
  readonly #zone: Zone;

  constructor(expression: string, options: CronOptions = {}) {
    this.#cron = parseOnce(expression, options.withSeconds ?? false);
    this.#zone = requireZone(options.timezone);
  }

  after(instant: number): number | undefined {
    let from = Math.floor(instant / second) * second + second;
    for (let round = 0; round < maxChanges; round += 1) {
      const start = this.#zone.changeBefore(from, from - day);
      if (start === from && this.#fallsIntoGap(start)) return start;
      const offset = this.#zone.offsetAt(from);
      const found = findLocalAtOrAfter(this.#cron, Math.max(from + offset, this.#repeatedUntil(start)));
      if (found === undefined) return undefined;
      const change = this.#zone.changeAfter(from, found - offset);
      if (change === undefined) return found - offset;
      from = change;
    }
    return undefined;
  }

  before(instant: number): number | undefined {
    let to = Math.ceil(instant / second) * second - second;
    for (let round = 0; round < maxChanges; round += 1) {
      const offset = this.#zone.offsetAt(to);
      const found = findLocalAtOrBefore(this.#cron, to + offset);
      if (found === undefined) return undefined;
      const change = this.#zone.changeBefore(to, found - offset - day);
      if (change === undefined) return found - offset;
      if (found >= Math.max(change + offset, this.#repeatedUntil(change))) return found - offset;
      if (this.#fallsIntoGap(change)) return change;
      to = change - second;
    }
    return undefined;
  }

  /** True when the instant itself is one of the dates. */
  includes(instant: number): boolean {
    return this.after(instant - 1) === instant;
  }

  /** True when the expression runs in every hour, also in an hour that the clocks repeat. */
  get followsClock(): boolean {
    return this.#cron.anyHour;
  }

  /** The local time of a date that an offset change skips, which therefore runs at the moment of the change. */
  skippedTime(date: number): number | undefined {
    return this.#zone.changeBefore(date, date) === date ? this.#timeInGap(date) : undefined;
  }

  #fallsIntoGap(change: number): boolean {
    return this.#timeInGap(change) !== undefined;
  }

  /** The first date among the local times that a change to a larger offset skips. */
  #timeInGap(change: number): number | undefined {
    // An expression for every hour misses no run when an hour does not exist.
    if (this.#cron.anyHour) return undefined;
    const first = change + this.#zone.offsetAt(change - 1);
    const found = findLocalAtOrAfter(this.#cron, first);
    return found !== undefined && found < change + this.#zone.offsetAt(change) ? found : undefined;
  }

  /** The end of the local times that repeat after a change; they count only once. */
  #repeatedUntil(change: number | undefined): number {
    if (this.#cron.anyHour || change === undefined) return Number.NEGATIVE_INFINITY;
    return change + this.#zone.offsetAt(change - 1);
  }
}

const second = 1000;
const day = 86_400_000;
/** More changes of offset than any zone has within the horizon of a search. */
const maxChanges = 100;

export function requireZone(timezone: string | undefined): Zone {
  const zone = findZone(timezone ?? 'UTC');
  if (!zone) throw new TypeError(`"${timezone}" is not a known time zone`);
  return zone;
}
