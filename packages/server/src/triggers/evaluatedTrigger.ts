import type { Flow, TriggerDefinition } from '@millrace/contract';
import { parseDuration } from '@millrace/engine';
import type { Definition, TriggerDefinition as PluginTrigger } from '@millrace/plugin-kit';
import type { TriggerRecord } from '@millrace/store';
import type { z } from 'zod';
import type { Product } from '../product.ts';
import { putAsRead } from './changeTrigger.ts';
import { findBehindRow } from './findTrigger.ts';
import { isActive } from './syncTriggers.ts';
import { stateOf, withoutEvaluation, withState } from './triggerState.ts';

/** A trigger that looks or listens, as its flow has it now. */
export interface EvaluatedTrigger {
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
  readonly role: 'polling' | 'realtime';
  readonly intervalMs: number;
}

type Parts = Pick<Product, 'store' | 'flows' | 'catalogue' | 'clock'>;

const defaultIntervalMs = 60_000;
/** Nobody gains from looking more often, and a typing mistake would keep a worker busy. */
const shortestIntervalMs = 100;
/** A flow that cannot be read now, or a plugin that is missing, may be there after the next start. */
const troubledMs = 60_000;

/** The trigger behind a row. Without one, or when it is switched off, the row is brought in line with that. */
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

/** How long to wait after so many failures in a row: the first time as always, then twice as long each time. */
export const pauseAfter = (failures: number, firstMs: number, longestMs: number): number =>
  Math.max(firstMs, Math.min(firstMs * 2 ** Math.max(failures - 1, 0), longestMs));
