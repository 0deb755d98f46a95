import type { ExecutionRecord, Flow, TriggerDefinition } from '@millrace/contract';
import {
  countExecution,
  evaluateSchedule,
  type Firing,
  hasUnrenderedDates,
  pauseBackfill,
  recoverMissed,
  renderSchedule,
  type ScheduleDecision,
  scheduleDates,
  settleDates,
  type TriggerState,
  withNext,
} from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import { Conflict, type Op, type Store, type TriggerRecord, throwIfUnavailable } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { InputParts } from '../actions/readInputs.ts';
import type { ExecutorPort } from '../executor/executorPort.ts';
import { putMissed } from '../inbox/missedSchedules.ts';
import type { ProcessLog } from '../processLog.ts';
import { putAsRead } from './changeTrigger.ts';
import { findBehindRow } from './findTrigger.ts';
import type { FlowEvents } from './flowEvents.ts';
import { scheduleContext } from './scheduleContext.ts';
import { isActive } from './syncTriggers.ts';
import { failedExecution, makeTriggeredExecution, triggerLog } from './triggeredExecution.ts';
import { backfillStartedAt, stateOf, withState } from './triggerState.ts';
import { serverZone } from './zone.ts';

export type ScheduleParts = InputParts & {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly flowTriggers: FlowEvents;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly log: ProcessLog;
};

interface Due {
  readonly row: TriggerRecord;
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
}

/** Dates that are passed over in one go, without an execution, before the row is written. */
const maxPassedOver = 1_000;

/**
 * Fires one due trigger: one commit advances its row, with optimistic locking, and inserts the execution of
 * the date. Dates up to `missedBefore` passed while no scheduler ran; the trigger defines their recovery.
 */
export async function fireSchedule(
  row: TriggerRecord,
  missedBefore: number,
  parts: ScheduleParts,
): Promise<void> {
  try {
    const due = await findDue(row, parts);
    if (due) await decide(due, missedBefore, parts);
  } catch (error) {
    // Another scheduler advanced the row first; dates that are still due are found again.
    if (!(error instanceof Conflict)) throw error;
  }
}

/** The definition of a row's trigger. If it is missing or disabled, the row is updated accordingly. */
async function findDue(row: TriggerRecord, parts: ScheduleParts): Promise<Due | undefined> {
  const { store, clock, log } = parts;
  const { namespace, flowId, triggerId } = row;
  const found = await findBehindRow(row, parts);
  if (!found) return undefined;
  const { flow, trigger, problem } = found;
  const now = clock();
  const put = (state: TriggerState) => store.commit([putAsRead(row, withState(row, state, now))]);
  const dates = trigger && datesOf(trigger);
  if (!trigger || !dates || !isActive(flow, trigger)) {
    if (trigger && !dates)
      log.warn('A trigger without dates has nothing to wait for.', { namespace, flowId, triggerId });
    await put(withNext(stateOf(row), undefined));
    return undefined;
  }
  if (problem !== undefined) {
    const state = stateOf(row);
    await put(state.backfill ? pauseBackfill(state, true, dates, now) : withNext(state, dates.after(now)));
    return undefined;
  }
  return { row, flow, trigger };
}

function datesOf(trigger: TriggerDefinition): ReturnType<typeof scheduleDates> {
  try {
    return scheduleDates(trigger, serverZone);
  } catch {
    return undefined;
  }
}

/** How long a schedule waits whose dates could not be rendered. */
const renderAgainMs = 60_000;

async function decide(found: Due, missedBefore: number, parts: ScheduleParts): Promise<void> {
  const now = parts.clock();
  const due = await renderDates(found, now, parts);
  if (!due) return;
  const { row, trigger } = due;
  const read = stateOf(row);
  const stored = due === found ? read : settleDates(trigger, read, serverZone);
  // A row that was written since then has its date from someone who knew what time it was.
  const isMissed = row.updatedAt <= missedBefore && (stored.nextAt ?? now) <= missedBefore;
  let state = isMissed ? recoverMissed(trigger, stored, now, { serverZone }) : stored;
  if (state.nextAt !== stored.nextAt && stored.nextAt !== undefined)
    await parts.store.commit([putMissed(row, stored.nextAt, now)]);
  let decision: ScheduleDecision = { state };
  for (
    let passed = 0;
    passed < maxPassedOver && (state.nextAt ?? Number.POSITIVE_INFINITY) <= now;
    passed++
  ) {
    decision = await evaluateSchedule(trigger, state, now, scheduleContext(due.flow, parts));
    if (decision.fire || decision.failure) break;
    if (decision.state === state) throw new Error('The trigger is due and does not move on.');
    state = decision.state;
  }
  const { fire, failure } = decision;
  throwIfUnavailable(failure?.error);
  const isBackfill = state.backfill !== undefined;
  const { namespace, flowId, triggerId } = row;
  const result = fire ? 'starts' : failure ? 'failed' : 'passed over';
  parts.log.debug('A schedule was evaluated.', { namespace, flowId, triggerId, result, isBackfill });
  if (fire) await start(due, fire, decision.state, isBackfill, parts);
  else if (failure) await showFailure(due, failure, decision.state, isBackfill, parts);
  else await parts.store.commit([putAsRead(row, withState(row, decision.state, now))]);
}

/** [E328] Renders dates that are expressions. A failure is logged for the trigger and retried later. */
async function renderDates(due: Due, now: number, parts: ScheduleParts): Promise<Due | undefined> {
  const { row, flow, trigger } = due;
  if (!hasUnrenderedDates(trigger)) return due;
  try {
    const { variables, host } = scheduleContext(due.flow, parts);
    return { ...due, trigger: await renderSchedule(trigger, variables, host) };
  } catch (error) {
    throwIfUnavailable(error);
    const message = `The dates of the trigger "${trigger.id}" could not be rendered: ${messageOf(error)}`;
    const log = triggerLog(flow, trigger, { level: 'ERROR', message, at: now });
    const state = withNext(stateOf(row), now + renderAgainMs);
    await parts.store.commit([putAsRead(row, withState(row, state, now)), { op: 'log.insert', log }]);
    return undefined;
  }
}

/** The unique key of a slot, which starts one execution at most: the date, and the backfill it belongs to. */
function slotKey({ row }: Due, date: number, isBackfill: boolean): string {
  const { namespace, flowId, triggerId } = row;
  const slot = isBackfill ? `backfill/${String(backfillStartedAt(row))}/${date}` : date;
  return `trigger/${namespace}/${flowId}/${triggerId}/${slot}`;
}

async function start(
  due: Due,
  fire: Firing,
  state: TriggerState,
  isBackfill: boolean,
  parts: ScheduleParts,
): Promise<void> {
  const { row, flow, trigger } = due;
  const now = parts.clock();
  const logs: Op[] = [];
  const warn = (message: string) =>
    logs.push({ op: 'log.insert', log: triggerLog(flow, trigger, { level: 'WARN', message, at: now }) });
  let execution: ExecutionRecord;
  try {
    execution = await makeTriggeredExecution(
      {
        id: parts.newId(),
        flow,
        trigger,
        triggerVariables: fire.variables,
        variables: { schedule: fire.variables },
        ...(fire.inputs ? { inputs: fire.inputs } : {}),
        labels: fire.labels,
      },
      warn,
      parts,
    );
  } catch (error) {
    throwIfUnavailable(error);
    const date = new Date(fire.date).toISOString();
    warn(`No execution was started for ${date}: ${messageOf(error)}`);
    await parts.store.commit([putAsRead(row, withState(row, state, now)), ...logs]);
    return;
  }
  // Concurrent executions do not lock the trigger.
  const counted = countExecution(state);
  const locked = trigger.allowConcurrent === true ? counted : { ...counted, executionId: execution.id };
  const key = slotKey(due, fire.date, isBackfill);
  try {
    const put = putAsRead(row, withState(row, locked, now));
    await parts.executor.create(flow, execution, key, [put, ...logs]);
  } catch (error) {
    await passOverTaken(error, due, key, state, parts);
  }
}

/** [E326] The conditions could not be evaluated: a failed execution shows the error. */
async function showFailure(
  due: Due,
  failure: NonNullable<ScheduleDecision['failure']>,
  state: TriggerState,
  isBackfill: boolean,
  parts: ScheduleParts,
): Promise<void> {
  const { row, flow, trigger } = due;
  const now = parts.clock();
  const date = new Date(failure.date).toISOString();
  const message = `The conditions of the trigger "${trigger.id}" could not be evaluated: ${messageOf(failure.error)}`;
  const failed = failedExecution(
    { id: parts.newId(), flow, trigger, triggerVariables: { date } },
    message,
    parts,
  );
  const key = slotKey(due, failure.date, isBackfill);
  try {
    await parts.store.commit([
      putAsRead(row, withState(row, state, now)),
      { op: 'execution.insert', execution: failed.execution, uniqueKey: key },
      ...failed.ops,
    ]);
    failed.announce();
  } catch (error) {
    await passOverTaken(error, due, key, state, parts);
  }
}

/** The slot has its execution already, as after enabling a trigger again: the row only moves on. */
async function passOverTaken(
  error: unknown,
  { row }: Due,
  key: string,
  state: TriggerState,
  { store, clock }: ScheduleParts,
): Promise<void> {
  if (!(error instanceof Conflict) || (await store.findExecutionByKey(key)) === undefined) throw error;
  await store.commit([putAsRead(row, withState(row, state, clock()))]);
}
