import { type AlertCondition, type AlertRule, playgroundKind } from '@millrace/contract';
import { parseDuration, triggerTypeOf } from '@millrace/engine';
import type { Store, TriggerRecord } from '@millrace/store';
import { missedSchedules } from '../inbox/missedSchedules.ts';
import { dueSince } from '../scheduler/triggerState.ts';
import type { Occurrence } from './incident.ts';
import { failureRateOf, isAbove } from './rules/failureRate.ts';
import { missingSince } from './rules/noRun.ts';
import { notPlayground } from './rules/playground.ts';
import { filtersOf, isInScope, nameScope } from './rules/scope.ts';
import { limitOf } from './rules/usualDuration.ts';
import type { UsualDurations } from './usualDurations.ts';

export interface ViolationParts {
  readonly store: Store;
  readonly usualDurations: UsualDurations;
}

/** Rules look at this many of the oldest running executions and the latest triggers. */
const maxRows = 500;

type RuleWith<T extends AlertCondition['type']> = AlertRule & {
  readonly when: Extract<AlertCondition, { type: T }>;
};

/** The subjects for which the condition of a rule holds now; undefined for rules that react to events. */
export function findViolations(
  rule: AlertRule,
  changedAt: number,
  now: number,
  parts: ViolationParts,
): Promise<Occurrence[]> | undefined {
  switch (rule.when.type) {
    case 'late':
      return lateSchedules({ ...rule, when: rule.when }, now, parts);
    case 'duration':
      return longRunning({ ...rule, when: rule.when }, now, parts);
    case 'failureRate':
      return failureRates({ ...rule, when: rule.when }, now, parts);
    case 'noRun':
      return missingRuns({ ...rule, when: rule.when }, changedAt, now, parts);
    case 'state':
    case 'sla':
      return undefined;
  }
}

type LateSchedule = TriggerRecord & { readonly dueAt: number };

/** Schedules that have been due since `before`; dates of triggers that poll are not dates of executions. */
export async function findLateSchedules(
  store: Store,
  before: number,
  limit: number,
): Promise<LateSchedule[]> {
  const isSchedule = ({ type }: TriggerRecord) =>
    type !== undefined && triggerTypeOf(type)?.startsWith('core.trigger.Schedule') === true;
  return (await store.dueTriggers(before, limit)).filter(isSchedule).flatMap((trigger) => {
    const dueAt = dueSince(trigger);
    return dueAt !== undefined && dueAt <= before ? [{ ...trigger, dueAt }] : [];
  });
}

async function lateSchedules(
  rule: RuleWith<'late'>,
  now: number,
  { store }: ViolationParts,
): Promise<Occurrence[]> {
  const afterMs = milliseconds(rule.when.after);
  const late = await findLateSchedules(store, now - afterMs, maxRows);
  const occurrences = late
    .filter((trigger) => isInScope(rule, trigger))
    .map(({ namespace, flowId, triggerId, dueAt }) => ({
      key: `${namespace}.${flowId}.${triggerId}`,
      title: `Schedule ${namespace}.${flowId}.${triggerId} is late`,
      recoveredTitle: `schedule ${namespace}.${flowId}.${triggerId} (was late)`,
      message: `It should have started an execution at ${new Date(dueAt).toISOString()}.`,
      at: dueAt,
      namespace,
      flowId,
      triggerId,
    }));
  return [...occurrences, ...(await missedDates(rule, afterMs, now, store))];
}

/** A schedule that continued with a later date is reported for at least this long. */
const missedForMs = 10 * 60_000;

/** Schedules that skipped dates because no server ran, until they run again. */
async function missedDates(
  rule: RuleWith<'late'>,
  afterMs: number,
  now: number,
  store: Store,
): Promise<Occurrence[]> {
  const found: Occurrence[] = [];
  for (const item of await missedSchedules(now, store)) {
    const { namespace, flowId, triggerId } = item;
    const [noticedAt, firstAt] = [Date.parse(item.at), Date.parse(item.firstAt)];
    if (!isInScope(rule, item) || noticedAt - firstAt < afterMs) continue;
    if (now - noticedAt > missedForMs) {
      const row = await store.getTrigger(namespace, flowId, triggerId);
      if (!row || row.disabled || (row.evaluatedAt ?? 0) > noticedAt) continue;
    }
    found.push({
      key: `${namespace}.${flowId}.${triggerId}.missed`,
      title: `Schedule ${namespace}.${flowId}.${triggerId} missed dates`,
      recoveredTitle: `schedule ${namespace}.${flowId}.${triggerId} (had missed dates)`,
      message: `No server ran at ${item.firstAt}, and the schedule does not run dates that it missed.`,
      at: noticedAt,
      namespace,
      flowId,
      triggerId,
    });
  }
  return found;
}

async function longRunning(
  rule: RuleWith<'duration'>,
  now: number,
  { store, usualDurations }: ViolationParts,
): Promise<Occurrence[]> {
  const atLeastMs = milliseconds(rule.when.atLeast);
  const { results } = await store.listExecutions({
    filters: [
      ...filtersOf(rule),
      { field: 'state', operation: 'EQUALS', value: 'RUNNING' },
      { field: 'startDate', operation: 'LESS_THAN', value: now - atLeastMs },
    ],
    sort: [{ field: 'state.startDate', descending: false }],
    page: 1,
    size: maxRows,
  });
  const found: Occurrence[] = [];
  for (const { execution } of results) {
    const { id, namespace, flowId, kind } = execution;
    if (kind === playgroundKind) continue;
    const usual = await usualDurations.of({ namespace, id: flowId });
    const startedAt = execution.state.histories[0]?.date ?? now;
    if (!usual || now - startedAt < limitOf(usual, rule.when.factor, atLeastMs)) continue;
    found.push({
      key: id,
      title: `${namespace}.${flowId} runs longer than usual`,
      recoveredTitle: `${namespace}.${flowId} (ran longer than usual)`,
      message: `Running for ${inWords(now - startedAt)}; usually ${inWords(usual.averageMs)}.`,
      at: startedAt,
      namespace,
      flowId,
      executionId: id,
    });
  }
  return found;
}

async function failureRates(
  rule: RuleWith<'failureRate'>,
  now: number,
  { store }: ViolationParts,
): Promise<Occurrence[]> {
  const series = await store.executionStatistics({
    from: now - milliseconds(rule.when.window),
    to: now,
    width: 'hour',
    timeZone: 'UTC',
    filters: filtersOf(rule),
    ...(rule.groupBy === 'flow' || rule.groupBy === 'cause' ? { groupBy: 'flow' as const } : {}),
  });
  return series.flatMap((one) => {
    const rate = failureRateOf([one]);
    if (!isAbove(rate, rule.when)) return [];
    const { namespace, flowId } = one;
    const name = flowId === undefined ? nameScope(rule) : `${namespace}.${flowId}`;
    return [
      {
        key: name,
        title: `${Math.round(rate.percent)}% of the executions of ${name} failed`,
        recoveredTitle: `failure rate of ${name} (was ${Math.round(rate.percent)}%)`,
        message: `${rate.failed} of ${rate.ended} executions of the last ${inWords(milliseconds(rule.when.window))} failed.`,
        at: now,
        namespace: namespace ?? rule.namespace,
        flowId: flowId ?? rule.flowId,
      },
    ];
  });
}

async function missingRuns(
  rule: RuleWith<'noRun'>,
  changedAt: number,
  now: number,
  { store }: ViolationParts,
): Promise<Occurrence[]> {
  const forMs = milliseconds(rule.when.for);
  const { results } = await store.listExecutions({
    filters: [...filtersOf(rule), notPlayground],
    page: 1,
    size: 1,
  });
  const lastAt = results[0]?.execution.state.histories[0]?.date;
  const since = missingSince(lastAt, changedAt, forMs, now);
  if (since === undefined) return [];
  const name = nameScope(rule);
  return [
    {
      key: '',
      title: `No execution of ${name} for ${inWords(forMs)}`,
      recoveredTitle: `${name} (had no execution for ${inWords(forMs)})`,
      message:
        lastAt === undefined
          ? 'There is no execution.'
          : `The last execution started at ${new Date(lastAt).toISOString()}.`,
      at: since,
      namespace: rule.namespace,
      flowId: rule.flowId,
    },
  ];
}

const milliseconds = (text: string): number => parseDuration(text) ?? 0;

/** `1 h 5 min`, with at most two units. */
export function inWords(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const first = units.findIndex(([, size]) => ms >= size);
  if (first === -1) return `${Math.round(ms)} ms`;
  let rest = ms;
  const parts = units.slice(first, first + 2).map(([name, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count} ${name}`;
  });
  return parts.filter((part) => part !== '').join(' ');
}
