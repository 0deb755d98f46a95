import { AppError } from '@millrace/contract';
import type { Store } from '@millrace/store';
import type { ProcessLog } from './processLog.ts';

export interface ActivityParts {
  readonly isQuiet: boolean;
  readonly store: Store;
  readonly log: ProcessLog;
  readonly clock: () => number;
  /** Called when the quiet start was ended and work could not begin. */
  readonly onFatal?: ((error: Error) => void) | undefined;
}

/** Changes when an operator ends the quiet start of the servers on this database. */
const endedAtKey = 'quietStart.endedAt';
const pollEveryMs = 2_000;

/**
 * Whether this server is active. After a quiet start, schedules, triggers and open executions wait, and no
 * execution starts or changes until an operator ends it; then every waiting server on the database becomes
 * active.
 */
export class Activity {
  readonly #parts: ActivityParts;
  #isQuiet: boolean;
  #begin: () => Promise<void> = async () => {};
  #beginning: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: ActivityParts) {
    this.#parts = parts;
    this.#isQuiet = parts.isQuiet;
  }

  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  refuseWhileQuiet(): void {
    if (!this.#isQuiet) return;
    throw new AppError(
      'locked',
      'this server was started quietly and runs nothing yet; end the quiet start with "millrace activate" or POST /api/v1/quiet-start/end',
    );
  }

  /** Starts the server's work with this function: now, or when the quiet start ends. */
  async start(begin: () => Promise<void>): Promise<void> {
    this.#begin = begin;
    if (!this.#isQuiet) return begin();
    const { store, log } = this.#parts;
    const before = await store.getSetting(endedAtKey);
    const check = async () => {
      if ((await store.getSetting(endedAtKey)) !== before) await this.#activate();
    };
    this.#timer = setInterval(() => {
      check().catch((error: unknown) => log.warn('The end of the quiet start could not be read.', { error }));
    }, pollEveryMs);
    this.#timer.unref();
    log.info('Quiet start: schedules, triggers and open executions wait until "millrace activate".');
  }

  /** Ends the quiet start of this server and of all others on the database. */
  async end(): Promise<void> {
    if (!this.#isQuiet) return;
    const { store, clock } = this.#parts;
    await store.commit([{ op: 'setting.put', key: endedAtKey, value: clock() }]);
    await this.#activate();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beginning?.catch(() => {});
  }

  #activate(): Promise<void> {
    clearInterval(this.#timer);
    this.#beginning ??= this.#beginNow();
    return this.#beginning;
  }

  async #beginNow(): Promise<void> {
    const { log, onFatal } = this.#parts;
    log.info('The quiet start was ended: schedules, triggers and open executions continue.');
    this.#isQuiet = false;
    try {
      await this.#begin();
    } catch (cause) {
      onFatal?.(new Error('The work of the server could not begin.', { cause }));
      throw cause;
    }
  }
}
