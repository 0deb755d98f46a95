import type { Interruption } from './interruption.ts';

/** How long work may take to stop after it was told to; then it is left behind. */
const abandonAfterMs = 10_000;

/** The work's own end, or a rejection some time after it was told to stop and did not. */
export function stoppable<T>(work: Promise<T>, interruption: Interruption): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    interruption.onInterrupt(() => {
      timer = setTimeout(() => reject(new Error('The task did not stop.')), abandonAfterMs);
    });
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
