import { bulkExecutions } from '@millrace/contract';

/** What can be done to many executions with a yes alone. Each is one call: all of them, or none. */
export const bulkActions = {
  restart: bulkExecutions.restart.byIds,
  replay: bulkExecutions.replay.byIds,
  resume: bulkExecutions.resume.byIds,
  pause: bulkExecutions.pause.byIds,
  kill: bulkExecutions.kill.byIds,
} as const;

export type BulkAction = keyof typeof bulkActions;

export const bulkActionNames = [
  'restart',
  'replay',
  'resume',
  'pause',
  'kill',
] as const satisfies BulkAction[];
