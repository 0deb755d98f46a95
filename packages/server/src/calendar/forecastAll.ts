import { type ForecastConflict, type ForecastRun, forecastFlow, loadOf } from '@millrace/engine';
import { forecastTrigger, type PlannedFlow, type PlannedSchedule } from './plannedRuns.ts';
import type { Spans } from './spans.ts';

interface Known {
  readonly planned: ReadonlyMap<string, PlannedFlow>;
  /** When the executions that run now have started, by flow. */
  readonly running: ReadonlyMap<string, { readonly starts: readonly number[] }>;
  readonly usual: ReadonlyMap<string, { readonly averageMs: number }>;
  readonly buckets: Spans;
  readonly now: number;
}

/** What the planned dates of all flows amount to, by bucket, and the conflicts of each flow. */
export function forecastAll({ planned, running, usual, buckets, now }: Known) {
  const runs: ForecastRun[] = [];
  const flatLoad = new Array<number>(buckets.count).fill(0);
  const plannedIn = new Array<number>(buckets.count).fill(0);
  const conflictsIn = new Array<number>(buckets.count).fill(0);
  const conflictsOf = new Map<string, readonly ForecastConflict[]>();
  for (const key of new Set([...planned.keys(), ...running.keys()])) {
    const { flow, schedules = [] } = planned.get(key) ?? {};
    const usualMs = usual.get(key)?.averageMs;
    const runningUntil = (running.get(key)?.starts ?? []).map((start) =>
      Math.max(now + 1, start + (usualMs ?? 0)),
    );
    runs.push(...runningUntil.map((end) => ({ start: now, end })));
    const active = schedules.filter(({ isHeld }) => !isHeld);
    const forecast = forecastFlow({
      concurrency: flow?.concurrency,
      usualMs,
      runningUntil,
      triggers: active.map(forecastTrigger),
    });
    for (const run of forecast.runs) runs.push(run);
    conflictsOf.set(key, forecast.conflicts);
    for (const { date } of forecast.conflicts) buckets.add(conflictsIn, date);
    for (const schedule of active) {
      addDates(plannedIn, schedule, buckets);
      if (schedule.rate > 0)
        for (const [index, ms] of buckets.overlaps(schedule.coveredUntil))
          flatLoad[index] =
            (flatLoad[index] ?? 0) + (schedule.rate * ms * (usualMs ?? 0)) / buckets.widthOf(index);
    }
  }
  return { loads: forecastLoads(runs, buckets, now, flatLoad), plannedIn, conflictsIn, conflictsOf };
}

/** Adds the dates of a schedule to the spans that they fall into, and the estimated number of the others. */
export function addDates(
  counts: number[],
  { dates, rate, coveredUntil }: PlannedSchedule,
  spans: Spans,
): void {
  for (const date of dates) spans.add(counts, date);
  if (rate === 0) return;
  for (const [index, ms] of spans.overlaps(coveredUntil)) counts[index] = (counts[index] ?? 0) + rate * ms;
}

function forecastLoads(
  runs: readonly ForecastRun[],
  buckets: Spans,
  now: number,
  flat: readonly number[],
): ({ average: number; peak: number } | undefined)[] {
  const first = buckets.starts.findIndex((_, index) => buckets.endOf(index) > now);
  if (first === -1) return [];
  const bounds = [
    Math.max(now, buckets.starts[first] ?? now),
    ...buckets.starts.slice(first + 1),
    buckets.end,
  ];
  const loads = loadOf(runs, bounds);
  return buckets.starts.map((_, index) => {
    const load = loads[index - first];
    if (!load) return undefined;
    const more = flat[index] ?? 0;
    const rounded = (value: number) => Math.round(value * 100) / 100;
    return { average: rounded(load.average + more), peak: rounded(load.peak + more) };
  });
}
