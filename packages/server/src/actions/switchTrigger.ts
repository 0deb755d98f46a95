import { AppError, type TriggerDefinition } from '@millrace/contract';
import {
  type BackfillRequest,
  disableTrigger,
  scheduleDates,
  startBackfill,
  withNext,
} from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { Store, TriggerRecord } from '@millrace/store';
import { changeTrigger, type TriggerKey } from '../scheduler/changeTrigger.ts';
import { type FoundTrigger, findTrigger, noTrigger } from '../scheduler/findTrigger.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { isActive, resumed } from '../scheduler/syncTriggers.ts';
import { stateOf, withoutEvaluation, withState } from '../scheduler/triggerState.ts';
import { serverZone } from '../scheduler/zone.ts';
import type { FlowCache } from './flowCache.ts';

export interface TriggerSwitch {
  readonly disabled?: boolean;
  readonly backfill?: BackfillRequest;
}

type Parts = {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly catalogue: PluginCatalogue;
  readonly scheduler: Scheduler;
  readonly clock: () => number;
};

/** Enables or disables a trigger, and starts a backfill on request. */
export async function switchTrigger(
  key: TriggerKey,
  { disabled, backfill }: TriggerSwitch,
  parts: Parts,
): Promise<TriggerRecord> {
  const found = await findTrigger(key, parts);
  if (disabled !== undefined) checkSwitchable(found.trigger, parts);
  const now = parts.clock();
  const changed = await changeTrigger(key, parts.store, (row) => {
    const switched =
      disabled === undefined || disabled === row.disabled ? row : turn(row, disabled, found, now);
    return backfill ? begin(switched, backfill, found, now) : switched === row ? undefined : switched;
  });
  if (!changed) throw noTrigger(key);
  await parts.scheduler.changed(key);
  return changed;
}

/** A realtime trigger runs continuously in a worker: only its flow can disable it. */
function checkSwitchable({ id, type }: TriggerDefinition, { catalogue }: Parts): void {
  const definition = catalogue.find(type)?.definition;
  if (definition?.kind === 'trigger' && String(definition.role) === 'realtime') {
    throw new AppError('illegal-argument', `the realtime trigger "${id}" is switched off in its flow`);
  }
}

function turn(
  row: TriggerRecord,
  disabled: boolean,
  { flow, trigger }: FoundTrigger,
  now: number,
): TriggerRecord {
  if (disabled) return withState(withoutEvaluation(row), disableTrigger(stateOf(row)), now);
  const state = { ...stateOf(row), disabled: false };
  // A trigger that its author disabled has no next date.
  return withState(row, isActive(flow, trigger) ? resumed(trigger, state, now) : state, now);
}

function begin(
  row: TriggerRecord,
  request: BackfillRequest,
  { flow, trigger }: FoundTrigger,
  now: number,
): TriggerRecord {
  checkDates(trigger);
  const started = startBackfill(trigger, stateOf(row), request, now, serverZone);
  const isWaiting = !row.disabled && isActive(flow, trigger);
  const changed = withState(row, isWaiting ? started : withNext(started, undefined), now);
  return started.backfill ? { ...changed, memo: { ...changed.memo, backfillStartedAt: now } } : changed;
}

/** A schedule that cannot say its dates any more cannot run them either. */
function checkDates(trigger: TriggerDefinition): void {
  try {
    scheduleDates(trigger, serverZone);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError(
      'bad-request',
      `the dates of the trigger "${trigger.id}" cannot be computed: ${reason}`,
    );
  }
}
