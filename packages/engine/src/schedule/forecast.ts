import type { Concurrency } from '@millrace/contract';
import type { Recovery } from './scheduleTrigger.ts';

/*
 * A forecast of the executions that schedules start, with usual durations. A schedule does not start an
 * execution while its last one runs, unless `allowConcurrent` is set, and a flow with a limit queues, cancels or
 * fails executions above it. Manual runs and other triggers are not part of the forecast.
 */

export interface ForecastFlow {
  readonly concurrency?: Concurrency | undefined;
  /** Unknown durations count as zero, so that only simultaneous starts overlap. */
  readonly usualMs?: number | undefined;
  /** Expected ends of the executions that run now. */
  readonly runningUntil: readonly number[];
  readonly triggers: readonly ForecastTrigger[];
}

interface ForecastTrigger {
  readonly id: string;
  readonly dates: readonly number[];
  readonly allowConcurrent: boolean;
  readonly recovery: Recovery;
}

export interface ForecastRun {
  readonly start: number;
  readonly end: number;
}

export interface ForecastConflict {
  readonly date: number;
  readonly triggerId: string;
  /** `limit`: the flow's concurrency limit is reached. `overlap`: the schedule's last execution still runs. */
  readonly reason: 'limit' | 'overlap';
  readonly outcome: 'late' | 'cancelled' | 'failed' | 'skipped';
  /** When it starts instead. */
  readonly startsAt?: number;
}

export function forecastFlow(flow: ForecastFlow): {
  readonly runs: readonly ForecastRun[];
  readonly conflicts: readonly ForecastConflict[];
} {
  const { concurrency, usualMs = 0 } = flow;
  const runs: ForecastRun[] = [];
  const conflicts: ForecastConflict[] = [];
  const slots = new Slots(flow.runningUntil);
  const lastEnd = new Map<string, number>();
  const lastStart = new Map<string, number>();
  const starts = flow.triggers
    .flatMap((trigger) => trigger.dates.map((date) => ({ date, trigger })))
    .sort((a, b) => a.date - b.date);
  for (const { date, trigger } of starts) {
    const { id: triggerId } = trigger;
    const free = trigger.allowConcurrent ? date : Math.max(date, lastEnd.get(triggerId) ?? date);
    if (free > date) {
      // Of several dates that passed meanwhile, LAST runs only one.
      const isSkipped =
        trigger.recovery === 'NONE' ||
        (trigger.recovery === 'LAST' && (lastStart.get(triggerId) ?? date) > date);
      if (isSkipped) {
        conflicts.push({ date, triggerId, reason: 'overlap', outcome: 'skipped' });
        continue;
      }
    }
    const start = concurrency ? slots.freeAt(free, concurrency.limit) : free;
    if (start > free && concurrency && concurrency.behavior !== 'QUEUE') {
      const outcome = concurrency.behavior === 'CANCEL' ? 'cancelled' : 'failed';
      conflicts.push({ date, triggerId, reason: 'limit', outcome });
      continue;
    }
    if (start > date) {
      const reason = start > free ? 'limit' : 'overlap';
      conflicts.push({ date, triggerId, reason, outcome: 'late', startsAt: start });
    }
    const end = start + usualMs;
    slots.add(end);
    lastStart.set(triggerId, start);
    lastEnd.set(triggerId, end);
    runs.push({ start, end });
  }
  return { runs, conflicts };
}

/** The expected ends of executions, sorted. Those before `head` have passed. */
class Slots {
  readonly #ends: number[];
  #head = 0;

  constructor(ends: readonly number[]) {
    this.#ends = ends.toSorted((a, b) => a - b);
  }

  /** When fewer than `limit` executions run, from an instant on. */
  freeAt(from: number, limit: number): number {
    while ((this.#ends[this.#head] ?? Number.POSITIVE_INFINITY) <= from) this.#head += 1;
    const open = this.#ends.length - this.#head;
    return open < limit ? from : (this.#ends[this.#ends.length - limit] ?? from);
  }

  add(end: number): void {
    // All durations are the same, so a later start ends later, with few exceptions.
    let place = this.#ends.length;
    while (place > this.#head && (this.#ends[place - 1] ?? 0) > end) place -= 1;
    this.#ends.splice(place, 0, end);
  }
}

export interface Load {
  /** Executions that run at a time, on average and at most. */
  readonly average: number;
  readonly peak: number;
}

/** The load in each of the spans between sorted bounds. */
export function loadOf(runs: readonly ForecastRun[], bounds: readonly number[]): Load[] {
  const steps = runs
    .flatMap(({ start, end }): [number, number][] => [
      [start, 1],
      [Math.max(end, start + 1), -1],
    ])
    // An execution that ends when another starts does not overlap with it.
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const loads: Load[] = [];
  let running = 0;
  let next = 0;
  for (let index = 0; index + 1 < bounds.length; index += 1) {
    const [from = 0, to = 0] = [bounds[index], bounds[index + 1]];
    for (; (steps[next]?.[0] ?? to) <= from; next += 1) {
      // Starts at the bound itself belong to this span.
      if ((steps[next]?.[0] ?? from) === from && steps[next]?.[1] === 1) break;
      running += steps[next]?.[1] ?? 0;
    }
    let [peak, area, at] = [running, 0, from];
    for (; (steps[next]?.[0] ?? to) < to; next += 1) {
      const [time, change] = steps[next] ?? [to, 0];
      area += running * (time - at);
      running += change;
      peak = Math.max(peak, running);
      at = time;
    }
    area += running * (to - at);
    loads.push({ average: to > from ? area / (to - from) : 0, peak });
  }
  return loads;
}
