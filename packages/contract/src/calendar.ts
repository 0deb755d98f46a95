import { z } from 'zod';
import { StateType } from './state.ts';

/** The longest window of a calendar. */
export const maxCalendarDays = 45;
/** The most flows, executions and planned dates of one schedule that a calendar lists. */
export const maxCalendarFlows = 100;
export const maxCalendarExecutions = 300;
export const maxListedDates = 50;

const Counts = z.partialRecord(StateType, z.number().int());

/** A change of the clocks of a time zone. */
export const OffsetChange = z.object({
  at: z.iso.datetime(),
  /** Minutes ahead of UTC. */
  before: z.number(),
  after: z.number(),
});
export type OffsetChange = z.infer<typeof OffsetChange>;

/** How many executions run at a time. */
export const CalendarLoad = z.object({ average: z.number(), peak: z.number() });

export const CalendarBucket = z.object({
  at: z.iso.datetime(),
  /** Executions that started in it, by their current state. */
  counts: Counts,
  planned: z.number().int(),
  /** The forecast; absent in the past. */
  load: CalendarLoad.optional(),
  conflicts: z.number().int(),
});
export type CalendarBucket = z.infer<typeof CalendarBucket>;

/** What a flow did and will do in one bucket. Buckets without anything are left out. */
export const CalendarCell = z.object({
  at: z.iso.datetime(),
  counts: Counts.optional(),
  planned: z.number().int().optional(),
  conflicts: z.number().int().optional(),
});
export type CalendarCell = z.infer<typeof CalendarCell>;

/** The dates of one schedule in the window. */
export const CalendarSchedule = z.object({
  triggerId: z.string(),
  timeZone: z.string(),
  cron: z.string().optional(),
  /** The number of dates from now on. */
  total: z.number().int(),
  /** There are too many dates to compute each of them. */
  isEstimate: z.boolean(),
  /** The time between two dates, when it is always the same. */
  everyMs: z.number().int().optional(),
  /** All dates; absent when there are more than fifty. */
  dates: z.array(z.iso.datetime()).optional(),
  /** The dates wait until a backfill has finished. */
  isHeld: z.boolean(),
});
export type CalendarSchedule = z.infer<typeof CalendarSchedule>;

export const CalendarConflict = z.object({
  date: z.iso.datetime(),
  triggerId: z.string(),
  /** `limit`: the flow's concurrency limit is reached. `overlap`: the schedule's last execution still runs. */
  reason: z.enum(['limit', 'overlap']),
  outcome: z.enum(['late', 'cancelled', 'failed', 'skipped']),
  /** When the execution starts instead. */
  startsAt: z.iso.datetime().optional(),
});
export type CalendarConflict = z.infer<typeof CalendarConflict>;

export const CalendarFlow = z.object({
  namespace: z.string(),
  flowId: z.string(),
  /** Executions that started in the window. */
  counts: Counts,
  cells: z.array(CalendarCell),
  schedules: z.array(CalendarSchedule),
  /** The average duration of the successful executions of the last two weeks. */
  usualMs: z.number().int().optional(),
  limit: z.number().int().optional(),
  conflictCount: z.number().int(),
  /** The first conflicts. */
  conflicts: z.array(CalendarConflict),
});
export type CalendarFlow = z.infer<typeof CalendarFlow>;

export const CalendarExecution = z.object({
  id: z.string(),
  namespace: z.string(),
  flowId: z.string(),
  state: StateType,
  startDate: z.iso.datetime(),
  endDate: z.iso.datetime().optional(),
});
export type CalendarExecution = z.infer<typeof CalendarExecution>;

/** The executions of a window and the dates that schedules plan in it. */
export const Calendar = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  now: z.iso.datetime(),
  timeZone: z.string(),
  /** The width of `buckets`: hours in a window of up to eight days. */
  width: z.enum(['hour', 'day']),
  /** The width of the cells of a flow: hours in a window of up to two days. */
  cellWidth: z.enum(['hour', 'day']),
  buckets: z.array(CalendarBucket),
  /** In the order of their names; the flows with the most executions and the next dates when there are too many. */
  flows: z.array(CalendarFlow),
  /** Flows that are left out of the list; the buckets include them. */
  moreFlows: z.number().int(),
  /** True when there are more schedules than a calendar computes; the forecast then misses some. */
  isPartial: z.boolean(),
  /** Each execution; absent when there are more than 300. */
  executions: z.array(CalendarExecution).optional(),
  /** Changes of the clocks in the time zone of the calendar. */
  offsetChanges: z.array(OffsetChange),
});
export type Calendar = z.infer<typeof Calendar>;

/** One of the next dates of a schedule, with the offset of its time zone. */
export const ScheduleDate = z.object({
  date: z.iso.datetime({ offset: true }),
  /** True when the offset differs from the one of the date before. */
  isNewOffset: z.boolean(),
  /**
   * The effect of a clock change. `skipped`: `localTime` does not exist on that day, and the schedule runs at the
   * change. `once` and `twice`: the time occurs twice, and the schedule runs the first time only or both times.
   */
  note: z.enum(['skipped', 'once', 'twice']).optional(),
  localTime: z.string().optional(),
});
export type ScheduleDate = z.infer<typeof ScheduleDate>;

export const ScheduleDates = z.object({
  timeZone: z.string(),
  dates: z.array(ScheduleDate),
  offsetChanges: z.array(OffsetChange),
  /** Why there are no dates, or why the schedule does not run at them now. */
  state: z.enum(['planned', 'disabled', 'backfill', 'unknown']),
});
export type ScheduleDates = z.infer<typeof ScheduleDates>;
