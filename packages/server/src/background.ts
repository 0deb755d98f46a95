import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from '@millrace/store';
import type { ProcessLog } from './processLog.ts';

const retryDelaysMs = [100, 500, 2_000, 5_000];

/** Runs idempotent work in the background, and retries it while the database is unavailable. */
export class Background {
  readonly #log: ProcessLog;
  #isStopped = false;

  constructor(log: ProcessLog) {
    this.#log = log;
  }

  /** `what` completes the sentence "Could not …" of the log. */
  run(what: string, executionId: string | undefined, work: () => Promise<void>): void {
    const attempt = async (tries: number): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (this.#isStopped) return;
        this.#log.error(`Could not ${what}.`, { ...(executionId && { executionId }), error });
        if (!isUnavailable(error)) return;
        await delay(retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)], undefined, { ref: false });
        if (!this.#isStopped) await attempt(tries + 1);
      }
    };
    void attempt(0);
  }

  stop(): void {
    this.#isStopped = true;
  }
}
