import type { ProcessLog } from '../processLog.ts';

/** Runs work periodically, never twice at once. A failure is logged once and retried with the next run. */
export class Periodic {
  readonly #everyMs: number;
  readonly #log: ProcessLog;
  readonly #round: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #going: Promise<void> | undefined;
  #isStopped = false;
  #isTroubled = false;

  constructor(everyMs: number, log: ProcessLog, round: () => Promise<void>) {
    this.#everyMs = everyMs;
    this.#log = log;
    this.#round = round;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#going = this.#go();
    }, this.#everyMs);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#going;
  }

  async #go(): Promise<void> {
    try {
      await this.#round();
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled && !this.#isStopped)
        this.#log.error('What there is to do for other servers could not be done.', { error });
      this.#isTroubled = true;
    }
    if (!this.#isStopped) this.start();
  }
}
