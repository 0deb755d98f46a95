import {
  AppError,
  type Calendar,
  type CalendarFlow,
  maxCalendarDays,
  maxCalendarExecutions,
  maxCalendarFlows,
} from '@millrace/contract';
import { bucketsBetween, calendarOf, type Filter, type FlowKey } from '@millrace/store';
import type { UsualDurations } from '../alerts/usualDurations.ts';
import { readDate } from '../readDate.ts';
import { forecastAll } from './forecastAll.ts';
import {
  addCounts,
  type Counts,
  countFlows,
  countPast,
  listPast,
  runningSince,
  totalOf,
} from './pastRuns.ts';
import { type PlannedFlow, type PlanParts, planRuns } from './plannedRuns.ts';
import { iso, presentCells, presentConflict, presentSchedule } from './presentCalendar.ts';
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

  const forecast = forecastAll({ planned: planned.flows, running, usual, buckets, now });
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
      const load = forecast.loads[index];
      return {
        at: iso(at),
        counts: pastAt.get(at) ?? {},
        planned: Math.round(forecast.plannedIn[index] ?? 0),
        ...(load ? { load } : {}),
        conflicts: forecast.conflictsIn[index] ?? 0,
      };
    }),
    flows: shown
      .map(([key, flow]): CalendarFlow => {
        const { schedules = [], flow: definition } = planned.flows.get(key) ?? {};
        const conflicts = forecast.conflictsOf.get(key) ?? [];
        const usualMs = usual.get(key)?.averageMs;
        const limit = definition?.concurrency?.limit;
        const counts: ReadonlyMap<number, Counts> = new Map(
          cellsOf.get(key)?.map((bucket) => [bucket.at, bucket.counts]),
        );
        return {
          namespace: flow.namespace,
          flowId: flow.id,
          counts: past.flows.get(key)?.counts ?? {},
          cells: presentCells(cells, counts, schedules, conflicts),
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

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
