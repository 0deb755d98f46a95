import { GroupApplier } from './applyGroup.ts';
import { enter, leave } from './handshake.ts';
import { LogIndex } from './logIndex.ts';
import type { WriteJob, WriteResult } from './messages.ts';
import { openForWriting } from './openForWriting.ts';
import { serveJobs } from './serveJobs.ts';
import { Tidying } from './tidy.ts';

/** How long the log index may wait for a quiet moment, and how often it takes its turn when there is none. */
const indexDelayMs = 200;
const indexRetryMs = 5_000;

/** The writing thread: owns the only connection that writes, and fills the log index when it has time. */
serveJobs<WriteJob, WriteResult>(({ file, handshake }) => {
  const database = openForWriting(file);
  const applier = new GroupApplier(database);
  const logIndex = new LogIndex(database);
  const tidying = new Tidying(database);
  let timer: NodeJS.Timeout | undefined;

  const index = (): void => {
    timer = undefined;
    if (!enter(handshake)) return;
    try {
      // A step is a few milliseconds; between two, waiting groups are served.
      if (logIndex.step()) scheduleIndex(1);
    } catch {
      // A full disk, for example: commits report it to their callers, and the index continues later.
      scheduleIndex(indexRetryMs);
    } finally {
      leave(handshake);
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
