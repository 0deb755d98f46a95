import type { Flow, TriggerDefinition } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import type { Definition, PluginCatalogue, TriggerDefinition as PluginTrigger } from '@millrace/plugin-kit';
import type { Store, TriggerRecord } from '@millrace/store';
import type { z } from 'zod';
import type { FlowCache } from '../actions/flowCache.ts';
import { putAsRead } from './changeTrigger.ts';
import { findBehindRow } from './findTrigger.ts';
import { isActive } from './syncTriggers.ts';
import { stateOf, withoutEvaluation, withState } from './triggerState.ts';

/** A polling or realtime trigger, as its flow defines it now. */
export interface EvaluatedTrigger {
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
  readonly role: 'polling' | 'realtime';
  readonly intervalMs: number;
}

type Parts = {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly catalogue: PluginCatalogue;
  readonly clock: () => number;
};

const defaultIntervalMs = 60_000;
/** Polling more often has no use, and a typing mistake would keep a worker busy. */
const shortestIntervalMs = 100;
/** A flow that cannot be read now, or a plugin that is missing, may be there after the next start. */
const troubledMs = 60_000;

/** The trigger of a row. If it is missing or disabled, the row is updated accordingly. */
export async function findEvaluatedTrigger(
  row: TriggerRecord,
  parts: Parts,
): Promise<EvaluatedTrigger | undefined> {
  const { store, catalogue, clock } = parts;
  const found = await findBehindRow(row, parts);
  if (!found) return undefined;
  const { flow, trigger, problem } = found;
  const rest = async (nextAt: number | undefined) => {
    const { nextAt: _, ...state } = stateOf(row);
    const changed = withState(
      withoutEvaluation(row),
      nextAt === undefined ? state : { ...state, nextAt },
      clock(),
    );
    await store.commit([putAsRead(row, changed)]);
    return undefined;
  };
  if (!trigger || problem !== undefined) return rest(clock() + troubledMs);
  const definition = catalogue.find(trigger.type)?.definition;
  const watcher = findWatcher(definition);
  // Webhooks wait for calls, not for a date.
  const isCalled = definition?.kind === 'trigger' && definition.role === 'webhook';
  if (isCalled || !isActive(flow, trigger)) return rest(undefined);
  if (!watcher) return rest(clock() + troubledMs);
  const role = watcher.role === 'realtime' ? 'realtime' : 'polling';
  return { flow, trigger, role, intervalMs: intervalOf(watcher, trigger) };
}

function findWatcher(definition: Definition | undefined): PluginTrigger | undefined {
  const isWatcher =
    definition?.kind === 'trigger' && (definition.role === 'polling' || definition.role === 'realtime');
  return isWatcher ? definition : undefined;
}

/** As written, or as the type has it when nothing is written. */
function intervalOf({ input }: PluginTrigger, trigger: TriggerDefinition): number {
  const schema: z.ZodType | undefined = input.shape.interval;
  const read = schema?.safeParse(trigger.interval).data;
  const ms = typeof read === 'string' ? parseDuration(read) : read;
  return Math.max(typeof ms === 'number' ? ms : defaultIntervalMs, shortestIntervalMs);
}

/** The backoff after consecutive failures: `firstMs`, then doubled each time up to `longestMs`. */
export const pauseAfter = (failures: number, firstMs: number, longestMs: number): number =>
  Math.max(firstMs, Math.min(firstMs * 2 ** Math.max(failures - 1, 0), longestMs));
