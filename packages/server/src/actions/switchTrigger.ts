import { AppError, type TriggerDefinition } from '@millrace/contract';
import {
  type BackfillRequest,
  disableTrigger,
  scheduleDates,
  startBackfill,
  withNext,
} from '@millrace/engine';
import type { TriggerRecord } from '@millrace/store';
import type { Product } from '../product.ts';
import { changeTrigger, type TriggerKey } from '../triggers/changeTrigger.ts';
import { type FoundTrigger, findTrigger, noTrigger } from '../triggers/findTrigger.ts';
import { isActive, resumed } from '../triggers/syncTriggers.ts';
import { stateOf, withoutEvaluation, withState } from '../triggers/triggerState.ts';
import { serverZone } from '../triggers/zone.ts';

export interface TriggerSwitch {
  readonly disabled?: boolean;
  readonly backfill?: BackfillRequest;
}

type Parts = Pick<Product, 'store' | 'flows' | 'catalogue' | 'scheduler' | 'clock'>;

/** Switches a trigger on or off, and starts a backfill when one is asked for. */
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

/** A realtime trigger runs for ever in a worker: only its flow can switch it off. */
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
  // As long as its author has switched it off it waits for nothing.
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
