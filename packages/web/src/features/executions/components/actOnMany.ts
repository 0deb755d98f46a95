import { bulkExecutions, type Label } from '@millrace/contract';
import { callAsJob } from '../../../shell/jobs/trackedJobs.ts';
import type { BulkTarget } from './bulkTarget.ts';

const pairs = {
  restart: bulkExecutions.restart,
  replay: bulkExecutions.replay,
  changeStatus: bulkExecutions.changeStatus,
  resume: bulkExecutions.resume,
  pause: bulkExecutions.pause,
  unqueue: bulkExecutions.unqueue,
  forceRun: bulkExecutions.forceRun,
  kill: bulkExecutions.kill,
  delete: bulkExecutions.remove,
} as const;

export type BulkAction = keyof typeof pairs | 'setLabels';

/** What an action needs to know beyond whom it is about. */
export type BulkOptions = Readonly<Record<string, string | boolean>>;

export function actOnMany(action: keyof typeof pairs, target: BulkTarget, options: BulkOptions = {}) {
  // `as`: the pairs differ only in the options that their queries name, and every query takes further names.
  const { byIds, byQuery } = pairs[action] as typeof bulkExecutions.restart;
  return target.kind === 'ids'
    ? callAsJob(byIds, { query: options, body: [...target.ids], failures: 'handled' })
    : callAsJob(byQuery, { query: { ...target.filters, ...options }, failures: 'handled' });
}

export function setLabelsOfMany(target: BulkTarget, labels: Label[]) {
  return target.kind === 'ids'
    ? callAsJob(bulkExecutions.labelsByIds, {
        body: { executionsId: [...target.ids], executionLabels: labels },
        failures: 'handled',
      })
    : callAsJob(bulkExecutions.labelsByQuery, {
        query: { ...target.filters },
        body: labels,
        failures: 'handled',
      });
}
