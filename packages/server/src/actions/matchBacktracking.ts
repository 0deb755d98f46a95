import { Worker } from 'node:worker_threads';
import type { BacktrackingPattern } from '@millrace/engine';

/** Usual patterns match within microseconds; patterns that exceed this time are exponential. */
const longestMs = 1000;

/** Text instead of a file: a bundle has no second file, and nothing else is needed. */
const code = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.postMessage(new RegExp(workerData.source, workerData.flags).test(workerData.text));
`;

/** One match at a time, so that slow patterns use one core at most. */
let last: Promise<unknown> = Promise.resolve();

/** Matches a text in a thread that is ended after a second: an exponential pattern cannot stop the server. */
export function matchBacktracking(pattern: BacktrackingPattern, text: string): Promise<boolean> {
  const match = () => matchInThread(pattern, text);
  const result = last.then(match, match);
  last = result;
  return result;
}

function matchInThread({ source, flags }: BacktrackingPattern, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, {
      eval: true,
      workerData: { source, flags, text },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    let timer: NodeJS.Timeout | undefined;
    const end = (finish: () => void) => {
      clearTimeout(timer);
      void worker.terminate();
      finish();
    };
    // The limit is for the matching; starting the thread may take long on a busy machine.
    worker.once('online', () => {
      timer = setTimeout(
        () => end(() => reject(new Error(`matching it took longer than ${longestMs / 1000} s`))),
        longestMs,
      );
    });
    worker.once('message', (isMatch: boolean) => end(() => resolve(isMatch)));
    worker.once('error', (error) => end(() => reject(error)));
  });
}
