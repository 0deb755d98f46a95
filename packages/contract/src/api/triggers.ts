import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { flag, listOf, Paging, pagedOf } from '../paging.ts';
import { Trigger, TriggerReference, TriggerUpdate, TriggerWithDefinition } from '../trigger.ts';

const TriggerKey = z.object({ namespace: z.string(), flowId: z.string(), triggerId: z.string() });

export const TriggerFilters = z.looseObject({
  q: z.string().optional(),
  namespace: z.string().optional(),
  flowId: z.string().optional(),
  triggerId: z.string().optional(),
  workerId: z.string().optional(),
  scope: listOf(z.enum(['USER', 'SYSTEM'])),
});

const Count = z.object({ count: z.number().int() });
const References = z.array(TriggerReference);

export const searchTriggers = endpoint({
  method: 'GET',
  path: '/triggers/search',
  summary: 'Lists triggers with their definitions',
  query: z.looseObject({ ...Paging.shape, ...TriggerFilters.shape }),
  reply: pagedOf(TriggerWithDefinition),
});

export const listTriggersOfFlow = endpoint({
  method: 'GET',
  path: '/triggers/{namespace}/{flowId}',
  summary: 'Lists the triggers of one flow',
  params: z.object({ namespace: z.string(), flowId: z.string() }),
  query: z.looseObject({ ...Paging.shape, q: z.string().optional() }),
  reply: pagedOf(Trigger),
});

export const updateTrigger = endpoint({
  method: 'PUT',
  path: '/triggers',
  summary: 'Switches a trigger on or off, or starts a backfill',
  body: TriggerUpdate,
  reply: Trigger,
});

/** Later clients send the two changes in separate calls. */
export const setTriggerDisabled = endpoint({
  ...updateTrigger,
  path: '/triggers/set-disabled',
  summary: 'Switches a trigger on or off',
});

export const createBackfill = endpoint({
  ...updateTrigger,
  path: '/triggers/backfill/create',
  summary: 'Starts a backfill',
});

export const unlockTrigger = endpoint({
  method: 'POST',
  path: '/triggers/{namespace}/{flowId}/{triggerId}/unlock',
  summary: 'Unlocks a trigger, so that it no longer waits for its execution',
  params: TriggerKey,
  reply: Trigger,
});

export const restartTrigger = endpoint({
  method: 'POST',
  path: '/triggers/{namespace}/{flowId}/{triggerId}/restart',
  summary: 'Starts the evaluation of a trigger again',
  params: TriggerKey,
  reply: Trigger,
});

export const deleteTrigger = endpoint({
  method: 'DELETE',
  path: '/triggers/{namespace}/{flowId}/{triggerId}',
  summary: 'Forgets what a trigger remembers; it starts over as its flow defines it',
  params: TriggerKey,
});

export const pauseBackfill = endpoint({
  method: 'PUT',
  path: '/triggers/backfill/pause',
  summary: 'Pauses a backfill',
  body: TriggerReference,
  reply: Trigger,
});

export const unpauseBackfill = endpoint({
  method: 'PUT',
  path: '/triggers/backfill/unpause',
  summary: 'Resumes a paused backfill',
  body: TriggerReference,
  reply: Trigger,
});

export const deleteBackfill = endpoint({
  method: 'POST',
  path: '/triggers/backfill/delete',
  summary: 'Ends a backfill; the schedule continues where it was',
  body: TriggerReference,
  reply: Trigger,
});

/** Each bulk call takes references or a query. Triggers that the action does not apply to are skipped. */
const byTriggers = (path: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/triggers/${path}/by-triggers`,
    summary: `${summary}, by a list`,
    body: References,
    reply: Count,
  });
const byQuery = (path: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/triggers/${path}/by-query`,
    summary: `${summary}, by a query`,
    query: TriggerFilters,
    reply: Count,
  });

export const unlockTriggersByList = byTriggers('unlock', 'Unlocks triggers');
export const unlockTriggersByQuery = byQuery('unlock', 'Unlocks triggers');
export const pauseBackfillsByList = byTriggers('backfill/pause', 'Pauses backfills');
export const pauseBackfillsByQuery = byQuery('backfill/pause', 'Pauses backfills');
export const unpauseBackfillsByList = byTriggers('backfill/unpause', 'Resumes backfills');
export const unpauseBackfillsByQuery = byQuery('backfill/unpause', 'Resumes backfills');
export const deleteBackfillsByList = byTriggers('backfill/delete', 'Ends backfills');
export const deleteBackfillsByQuery = byQuery('backfill/delete', 'Ends backfills');

export const setTriggersDisabledByList = endpoint({
  method: 'POST',
  path: '/triggers/set-disabled/by-triggers',
  summary: 'Switches triggers on or off, by a list',
  body: z.object({ triggers: References, disabled: z.boolean() }),
  reply: Count,
});

export const setTriggersDisabledByQuery = endpoint({
  method: 'POST',
  path: '/triggers/set-disabled/by-query',
  summary: 'Switches triggers on or off, by a query',
  query: z.looseObject({ ...TriggerFilters.shape, disabled: flag(true) }),
  reply: Count,
});

export const deleteTriggersByList = endpoint({
  method: 'DELETE',
  path: '/triggers/delete/by-triggers',
  summary: 'Forgets what triggers remember, by a list',
  body: References,
  reply: Count,
});

export const deleteTriggersByQuery = endpoint({
  method: 'DELETE',
  path: '/triggers/delete/by-query',
  summary: 'Forgets what triggers remember, by a query',
  query: TriggerFilters,
  reply: Count,
});
