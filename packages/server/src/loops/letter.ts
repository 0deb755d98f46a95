import type { LiveRun } from '@millrace/engine';

/** A step on its way to an execution, and who wants to hear what became of it. */
export interface Letter {
  /** What happens to the run: mostly one event that is applied. Throws AppError, nothing changed, when it cannot be. */
  step(run: LiveRun, now: number): void;
  /**
   * From a person: refused when it cannot be stored. Everything else is a fact that must arrive, and is applied again
   * after a failed commit; the engine ignores what it has seen.
   */
  readonly isRequest: boolean;
  /** Ends the execution because it cannot go on; when even that fails, it is left alone. */
  readonly isLast?: boolean;
  /** Applied, but not on disk yet. */
  applied?(run: LiveRun): void;
  /** On disk. */
  committed?(run: LiveRun): void;
  refused?(error: unknown): void;
}
