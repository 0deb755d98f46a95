import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import { expect, onTestFinished, test } from 'vitest';
import { LogFile } from './logFile.ts';
import type { Attempt, StartedAttempt } from './worker.ts';

test('[A40] a log file that cannot be written does no harm, and says so at its end', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const files = { put: () => Promise.reject(new Error('never called')) };
  // `as`: a file is named after these.
  const attempt = { taskRunId: 'r', attempt: 0, task: { id: 't' } } as Attempt;
  const started = { execution: { id: 'e', namespace: 'n', flowId: 'f' } } as StartedAttempt;
  const file = new LogFile(attempt, started, { files, workFolder: join(folder.path, 'is-not-there') });
  for (let n = 0; n < 100; n++) await file.add({ at: n, level: 'INFO', message: 'x'.repeat(10_000) });
  await expect(file.close()).rejects.toThrow('ENOENT');
});
