import {
  AppError,
  type Calendar,
  type CalendarFlow,
  type CalendarSchedule,
  maxCalendarDays,
  maxCalendarExecutions,
  maxCalendarFlows,
  maxListedDates,
} from '@millrace/contract';
import { type ForecastConflict, type ForecastRun, forecastFlow, loadOf } from '@millrace/engine';
import { bucketsBetween, calendarOf, type Filter, type FlowKey } from '@millrace/store';
import type { UsualDurations } from '../alerts/usualDurations.ts';
import { readDate } from '../readDate.ts';
import {
  addCounts,
  type Counts,
  countFlows,
  countPast,
  listPast,
  runningSince,
  totalOf,
} from './pastRuns.ts';
import {
  forecastTrigger,
  type PlannedFlow,
  type PlannedSchedule,
  type PlanParts,
  planRuns,
} from './plannedRuns.ts';
import { presentChanges } from './presentChanges.ts';
import { Spans } from './spans.ts';

/*
 * The past comes from the statistics of executions and the future from the definitions of schedules, so the
 * cost of a calendar does not depend on the number of executions. Every list has an upper limit.
 */

export interface CalendarParts extends PlanParts {
  readonly usualDurations: UsualDurations;
  readonly clock: () => number;
}

export interface CalendarQuery {
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly namespace?: string | undefined;
  readonly flowId?: string | undefined;
}

const dayMs = 86_400_000;
const maxConflicts = 20;

export async function readCalendar(query: CalendarQuery, parts: CalendarParts): Promise<Calendar> {
  const { store, usualDurations, clock } = parts;
  const [from, to, now] = [readDate(query.from), readDate(query.to), clock()];
  if (from >= to) throw new AppError('illegal-argument', `from must be before to, got "${query.from}"`);
  if (to - from > maxCalendarDays * dayMs)
    throw new AppError('illegal-argument', `a calendar shows at most ${maxCalendarDays} days`);
  const { timeZone } = query;
  const days = (to - from) / dayMs;
  // Eight days and two days, plus the hour that a clock change adds.
  const width = days <= 8.1 ? 'hour' : 'day';
  const cellWidth = days <= 2.1 ? 'hour' : 'day';
  const window = { from, to, now, timeZone, scope: scopeOf(query) };
  const startsOf = (of: 'hour' | 'day') =>
    bucketsBetween(calendarOf(timeZone), of, { from, to: to - 1 }).map(({ at }) => at);
  const buckets = new Spans(startsOf(width), to);
  const cells = new Spans(startsOf(cellWidth), to);

  const [past, planned, running] = await Promise.all([
    countPast(window, width, store),
    planRuns(window, parts),
    to > now ? runningSince(window.scope, store) : new Map<string, never>(),
  ]);
  const known = new Map<string, FlowKey>([
    ...[...planned.flows].map(
      ([key, { flow }]) => [key, { namespace: flow.namespace, id: flow.id }] as const,
    ),
    ...[...running].map(([key, { key: flow }]) => [key, flow] as const),
    ...[...past.flows].map(([key, { key: flow }]) => [key, flow] as const),
  ]);
  const usual = await usualDurations.ofAll(
    [...planned.flows.keys(), ...running.keys()].flatMap((key) => known.get(key) ?? []),
  );

  const runs: ForecastRun[] = [];
  const flatLoad = new Array<number>(buckets.count).fill(0);
  const plannedIn = new Array<number>(buckets.count).fill(0);
  const conflictsIn = new Array<number>(buckets.count).fill(0);
  const conflictsOf = new Map<string, readonly ForecastConflict[]>();
  for (const key of new Set([...planned.flows.keys(), ...running.keys()])) {
    const { flow, schedules = [] } = planned.flows.get(key) ?? {};
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
  const loads = forecastLoads(runs, buckets, now, flatLoad);
  const shown = choose(planned.flows, past.flows, known);
  const total = totalOf(addCounts(past.buckets.map(({ counts }) => counts)));
  const [cellsOf, executions] = await Promise.all([
    countFlows(
      window,
      shown.map(([, flow]) => flow),
      cellWidth,
      store,
    ),
    total <= maxCalendarExecutions ? listPast(window, store) : undefined,
  ]);
  const pastAt = new Map(past.buckets.map(({ at, counts }) => [at, counts]));
  return {
    from: iso(from),
    to: iso(to),
    now: iso(now),
    timeZone,
    width,
    cellWidth,
    buckets: buckets.starts.map((at, index) => {
      const load = loads[index];
      return {
        at: iso(at),
        counts: pastAt.get(at) ?? {},
        planned: Math.round(plannedIn[index] ?? 0),
        ...(load ? { load } : {}),
        conflicts: conflictsIn[index] ?? 0,
      };
    }),
    flows: shown
      .map(([key, flow]): CalendarFlow => {
        const { schedules = [], flow: definition } = planned.flows.get(key) ?? {};
        const conflicts = conflictsOf.get(key) ?? [];
        const usualMs = usual.get(key)?.averageMs;
        const limit = definition?.concurrency?.limit;
        const counts: ReadonlyMap<number, Counts> = new Map(
          cellsOf.get(key)?.map((bucket) => [bucket.at, bucket.counts]),
        );
        return {
          namespace: flow.namespace,
          flowId: flow.id,
          counts: past.flows.get(key)?.counts ?? {},
          cells: cellsOfFlow(cells, counts, schedules, conflicts),
          schedules: schedules.map((schedule) => presentSchedule(schedule, to)),
          ...(usualMs === undefined ? {} : { usualMs: Math.round(usualMs) }),
          ...(limit === undefined ? {} : { limit }),
          conflictCount: conflicts.length,
          conflicts: conflicts.slice(0, maxConflicts).map(presentConflict),
        };
      })
      .sort((a, b) => compare(a.namespace, b.namespace) || compare(a.flowId, b.flowId)),
    moreFlows: known.size - shown.length,
    isPartial: planned.isPartial,
    ...(executions ? { executions } : {}),
    offsetChanges: presentChanges(timeZone, from, to),
  };
}

/** A flow id without a namespace selects the flows of this id in all namespaces. */
function scopeOf({ namespace, flowId }: CalendarQuery): Filter[] {
  const filters: Filter[] = [];
  if (namespace !== undefined)
    filters.push({
      field: 'namespace',
      operation: flowId === undefined ? 'PREFIX' : 'EQUALS',
      value: namespace,
    });
  if (flowId !== undefined) filters.push({ field: 'flowId', operation: 'EQUALS', value: flowId });
  return filters;
}

/** Half of the flows are those that run next; the others have the most executions. */
function choose(
  planned: ReadonlyMap<string, PlannedFlow>,
  past: ReadonlyMap<string, { readonly counts: Counts }>,
  known: ReadonlyMap<string, FlowKey>,
): (readonly [string, FlowKey])[] {
  const firstDate = ({ schedules }: PlannedFlow) => Math.min(...schedules.map(({ dates }) => dates[0] ?? 0));
  const next = [...planned].sort(([, a], [, b]) => firstDate(a) - firstDate(b)).map(([key]) => key);
  const most = [...past].sort(([, a], [, b]) => totalOf(b.counts) - totalOf(a.counts)).map(([key]) => key);
  const half = maxCalendarFlows / 2;
  const keys = new Set([...next.slice(0, half), ...most.slice(0, half), ...next, ...most, ...known.keys()]);
  return [...keys].slice(0, maxCalendarFlows).flatMap((key) => {
    const flow = known.get(key);
    return flow ? [[key, flow] as const] : [];
  });
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

function cellsOfFlow(
  cells: Spans,
  counts: ReadonlyMap<number, Counts>,
  schedules: readonly PlannedSchedule[],
  conflicts: readonly ForecastConflict[],
): CalendarFlow['cells'] {
  const plannedIn = new Array<number>(cells.count).fill(0);
  const conflictsIn = new Array<number>(cells.count).fill(0);
  for (const schedule of schedules) addDates(plannedIn, schedule, cells);
  for (const { date } of conflicts) cells.add(conflictsIn, date);
  return cells.starts.flatMap((at, index) => {
    const past = counts.get(at) ?? {};
    const planned = Math.round(plannedIn[index] ?? 0);
    if (planned === 0 && totalOf(past) === 0) return [];
    return [
      {
        at: iso(at),
        ...(totalOf(past) > 0 ? { counts: past } : {}),
        ...(planned > 0 ? { planned } : {}),
        ...(conflictsIn[index] ? { conflicts: conflictsIn[index] } : {}),
      },
    ];
  });
}

/** Adds the dates of a schedule to the spans that they fall into, and the estimated number of the others. */
function addDates(counts: number[], { dates, rate, coveredUntil }: PlannedSchedule, spans: Spans): void {
  for (const date of dates) spans.add(counts, date);
  if (rate === 0) return;
  for (const [index, ms] of spans.overlaps(coveredUntil)) counts[index] = (counts[index] ?? 0) + rate * ms;
}

function presentSchedule(
  { trigger, timeZone, dates, coveredUntil, rate, isHeld }: PlannedSchedule,
  to: number,
): CalendarSchedule {
  const everyMs = spacingOf(dates);
  return {
    triggerId: trigger.id,
    timeZone,
    ...(typeof trigger.cron === 'string' ? { cron: trigger.cron } : {}),
    total: dates.length + Math.round(rate * Math.max(0, to - coveredUntil)),
    isEstimate: rate > 0,
    ...(everyMs === undefined ? {} : { everyMs }),
    ...(rate === 0 && dates.length <= maxListedDates ? { dates: dates.map(iso) } : {}),
    isHeld,
  };
}

function spacingOf(dates: readonly number[]): number | undefined {
  const [first, second] = dates;
  if (first === undefined || second === undefined || dates.length < 3) return undefined;
  const spacing = second - first;
  return dates.every((date, index) => index === 0 || date - (dates[index - 1] ?? 0) === spacing)
    ? spacing
    : undefined;
}

const presentConflict = ({ date, triggerId, reason, outcome, startsAt }: ForecastConflict) => ({
  date: iso(date),
  triggerId,
  reason,
  outcome,
  ...(startsAt === undefined ? {} : { startsAt: iso(startsAt) }),
});

const iso = (at: number): string => new Date(at).toISOString();

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
