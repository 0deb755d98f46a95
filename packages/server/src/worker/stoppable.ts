import type { Interruption } from './interruption.ts';

/** How long work can take to stop after the signal; then it is abandoned. */
const abandonAfterMs = 10_000;

/** The result of the work, or a rejection some time after a stop signal that it ignored. */
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
