import type { RecordedEvent } from '@millrace/engine';
import type { StoredEvents } from '@millrace/store';
import type { RemovedRun } from './watchers.ts';

interface Entry {
  readonly seq: number;
  /** Position in its row. */
  readonly index: number;
  readonly at: number;
  readonly entry: RecordedEvent;
}

/** An entry without a time has that of the one before; entries of earlier releases have that of their commit. */
export function entriesOf({ seq, at: committedAt, events }: StoredEvents): Entry[] {
  let at = committedAt;
  // `as`: the engine wrote them.
  return (events as readonly RecordedEvent[]).map((entry, index) => {
    at = entry.at ?? at;
    return { entry, at, seq, index };
  });
}

/** The task runs that a commit has taken out of the execution. */
export const removedIn = (executionId: string, row: StoredEvents): RemovedRun[] =>
  entriesOf(row).flatMap(({ entry, at }) => {
    if (entry.type !== 'removed') return [];
    const { taskRunId: id, taskId, taskRun } = entry;
    return [{ taskRun: { id, executionId, taskId, ...taskRun }, removedAt: at }];
  });
