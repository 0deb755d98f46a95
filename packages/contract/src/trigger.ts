import { z } from 'zod';
import { TriggerDefinition } from './flow.ts';
import { Label } from './label.ts';
import { StateType } from './state.ts';

/** How far a backfill is. */
export const BackfillProgress = z.object({
  /** Dates that were handled; those that the conditions exclude start no execution. */
  done: z.number().int(),
  total: z.number().int(),
  /** There are too many dates to count each of them. */
  isEstimate: z.boolean(),
  executions: z.number().int(),
  /** The usual time between two dates; absent before the second date. */
  msPerDate: z.number().int().optional(),
  /** The expected time until the last date starts; of a backfill that does not run: once it runs again. */
  remainingMs: z.number().int().optional(),
});
export type BackfillProgress = z.infer<typeof BackfillProgress>;

/** The dates that a schedule runs again, in order. The schedule waits until the backfill has finished. */
export const Backfill = z.object({
  start: z.string(),
  end: z.string().optional(),
  currentDate: z.string().optional(),
  paused: z.boolean(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  labels: z.array(Label).optional(),
  previousNextExecutionDate: z.string().optional(),
  progress: BackfillProgress.optional(),
});
export type Backfill = z.infer<typeof Backfill>;

/** Trigger state as the API returns it; locked while `executionId` or `evaluateRunningDate` is set. */
export const Trigger = z.object({
  tenantId: z.string().optional(),
  namespace: z.string(),
  flowId: z.string(),
  triggerId: z.string(),
  date: z.string().optional(),
  nextExecutionDate: z.string().optional(),
  backfill: Backfill.optional(),
  stopAfter: z.array(StateType).optional(),
  disabled: z.boolean(),
  executionId: z.string().optional(),
  updatedDate: z.string().optional(),
  evaluateRunningDate: z.string().optional(),
  workerId: z.string().optional(),
  /** Why its state cannot be read; the trigger does nothing until the state is deleted, which resets it. */
  exception: z.string().optional(),
});
export type Trigger = z.infer<typeof Trigger>;

/** A trigger as its author wrote it, with its state. */
export const TriggerWithDefinition = z.object({
  abstractTrigger: TriggerDefinition.optional(),
  triggerContext: Trigger,
});
export type TriggerWithDefinition = z.infer<typeof TriggerWithDefinition>;

/** Identifies a trigger; clients send whole triggers, and the server reads only these three fields. */
export const TriggerReference = z.looseObject({
  namespace: z.string(),
  flowId: z.string(),
  triggerId: z.string(),
});
export type TriggerReference = z.infer<typeof TriggerReference>;

const Labels = z.union([
  z.array(Label),
  z
    .record(z.string(), z.string())
    .transform((map) => Object.entries(map).map(([key, value]) => ({ key, value }))),
]);

/** A change of a trigger: whether it is switched on, and the backfill to start. Everything else in it is ignored. */
export const TriggerUpdate = z.looseObject({
  ...TriggerReference.shape,
  disabled: z.boolean().nullish(),
  backfill: z
    .looseObject({
      start: z.string(),
      end: z.string().nullish(),
      inputs: z.record(z.string(), z.unknown()).nullish(),
      labels: Labels.nullish(),
    })
    .nullish(),
});
export type TriggerUpdate = z.infer<typeof TriggerUpdate>;
