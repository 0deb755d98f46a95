import { z } from 'zod';
import { TriggerDefinition } from './flow.ts';
import { Label } from './label.ts';
import { StateType } from './state.ts';

/** The dates that a schedule runs again, one after the other. The schedule itself rests until they are through. */
export const Backfill = z.object({
  start: z.string(),
  end: z.string().optional(),
  currentDate: z.string().optional(),
  paused: z.boolean(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  labels: z.array(Label).optional(),
  previousNextExecutionDate: z.string().optional(),
});
export type Backfill = z.infer<typeof Backfill>;

/** What a trigger remembers, as the API shows it. It is locked while `executionId` or `evaluateRunningDate` is there. */
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
  /** Why what it remembers cannot be read; it does nothing until it is deleted, which makes it start over. */
  exception: z.string().optional(),
});
export type Trigger = z.infer<typeof Trigger>;

/** A trigger as its author wrote it, beside what it remembers. */
export const TriggerWithDefinition = z.object({
  abstractTrigger: TriggerDefinition.optional(),
  triggerContext: Trigger,
});
export type TriggerWithDefinition = z.infer<typeof TriggerWithDefinition>;

/** Names a trigger; clients send whole triggers, of which only these three count. */
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
