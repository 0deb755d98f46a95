import type { ReadJob, ReadResult } from './messages.ts';
import { openForReading } from './openForReading.ts';
import { serveJobs } from './serveJobs.ts';
import { StatementCache } from './statementCache.ts';

const cacheKilobytes = 32_768;

/** The reading thread: runs lists and searches, so that they block neither the event loop nor the writer. */
serveJobs<ReadJob, ReadResult>(({ file }) => {
  const database = openForReading(file, cacheKilobytes);
  const statements = new StatementCache(database);
  return {
    answer: ({ text, params }) => statements.all(text, params),
    close: () => database.close(),
  };
});
