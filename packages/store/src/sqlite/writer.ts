import { GroupApplier } from './applyGroup.ts';
import { enter, leave } from './exitGuard.ts';
import { LogIndex } from './logIndex.ts';
import type { WriteJob, WriteResult } from './messages.ts';
import { openForWriting } from './openForWriting.ts';
import { serveJobs } from './serveJobs.ts';
import { Tidying } from './tidy.ts';

/** The delay of the log index after a commit, and before a retry after a failure. */
const indexDelayMs = 200;
const indexRetryMs = 5_000;
/**
 * During a flood of log lines (this many in the delay) the index waits, because it needs as much of the processor as the
 * lines themselves. A search compares the lines that wait one by one, so their number is limited.
 */
const floodEntries = 1_000;
const maxWaitingEntries = 200_000;

/** The writing thread: owns the only writing connection, and fills the log index when idle. */
serveJobs<WriteJob, WriteResult>(({ file, exitGuard }) => {
  const database = openForWriting(file);
  const applier = new GroupApplier(database);
  const logIndex = new LogIndex(database);
  const tidying = new Tidying(database);
  let timer: NodeJS.Timeout | undefined;
  let waitingBefore = 0;

  const index = (): void => {
    timer = undefined;
    if (!enter(exitGuard)) return;
    try {
      const waiting = logIndex.waiting();
      const isFlood = waiting - waitingBefore >= floodEntries && waiting < maxWaitingEntries;
      waitingBefore = waiting;
      if (isFlood) return scheduleIndex(indexDelayMs);
      // A step takes a few milliseconds; waiting groups are committed between two steps.
      if (logIndex.step()) scheduleIndex(1);
    } catch {
      // A full disk, for example: commits report it to their callers, and the index continues later.
      scheduleIndex(indexRetryMs);
    } finally {
      leave(exitGuard);
    }
  };
  const scheduleIndex = (delayMs: number): void => {
    timer ??= setTimeout(index, delayMs);
  };

  scheduleIndex(indexDelayMs);
  return {
    answer: (job) => {
      if (job === 'tidy') return { failures: [], more: tidying.step() };
      const failures = applier.apply(job);
      scheduleIndex(indexDelayMs);
      return { failures, more: false };
    },
    close: () => {
      clearTimeout(timer);
      database.exec('PRAGMA optimize');
      database.close();
    },
  };
});
