import { type TriggerReference, triggers } from '@millrace/contract';
import { callAsJob } from '../../../shell/jobs/trackedJobs.ts';

export const triggerBulkNames = [
  'enable',
  'disable',
  'unlock',
  'pause',
  'unpause',
  'deleteBackfill',
  'forget',
] as const;
export type TriggerBulkName = (typeof triggerBulkNames)[number];

export type TriggerTarget =
  | { readonly kind: 'list'; readonly triggers: TriggerReference[] }
  | { readonly kind: 'query'; readonly filters: Readonly<Record<string, unknown>> };

const pairs = {
  unlock: { byList: triggers.unlockTriggersByList, byQuery: triggers.unlockTriggersByQuery },
  pause: { byList: triggers.pauseBackfillsByList, byQuery: triggers.pauseBackfillsByQuery },
  unpause: { byList: triggers.unpauseBackfillsByList, byQuery: triggers.unpauseBackfillsByQuery },
  deleteBackfill: { byList: triggers.deleteBackfillsByList, byQuery: triggers.deleteBackfillsByQuery },
  forget: { byList: triggers.deleteTriggersByList, byQuery: triggers.deleteTriggersByQuery },
} as const;

/** Acts on many triggers; those that it is not possible for are passed over by the server and not counted. */
export function actOnTriggers(name: TriggerBulkName, target: TriggerTarget) {
  const failures = 'handled' as const;
  if (name === 'enable' || name === 'disable') {
    const disabled = name === 'disable';
    return target.kind === 'list'
      ? callAsJob(triggers.setTriggersDisabledByList, {
          body: { triggers: target.triggers, disabled },
          failures,
        })
      : callAsJob(triggers.setTriggersDisabledByQuery, { query: { ...target.filters, disabled }, failures });
  }
  const { byList, byQuery } = pairs[name];
  return target.kind === 'list'
    ? callAsJob(byList, { body: target.triggers, failures })
    : callAsJob(byQuery, { query: { ...target.filters }, failures });
}
