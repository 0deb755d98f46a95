import type { Event, LiveRun } from '@millrace/engine';
import type { ExecutionWithTaskRuns, Op } from '@millrace/store';

/** A step on its way to an execution, and who wants to hear what became of it. */
export interface Letter {
  /** What happens to the run: mostly one event that is applied. Throws AppError, nothing changed, when it cannot be. */
  step(run: LiveRun, now: number): void;
  /** The event, when that is all the step is: such a letter can be passed on to another server. */
  readonly event?: Event;
  /**
   * From a person: refused when it cannot be stored. Everything else is a fact that must arrive, and is applied again
   * after a failed commit; the engine ignores what it has seen.
   */
  readonly isRequest: boolean;
  /** Ends the execution because it cannot go on; when even that fails, it is left alone. */
  readonly isLast?: boolean;
  /** Commits together with what the step has led to. */
  readonly alongside?: readonly Op[];
  /** It waits in the store: when the execution is another server's by now, that one finds it there. */
  readonly isStored?: boolean;
  /** Applied, but not on disk yet. */
  applied?(run: LiveRun): void;
  /** On disk. */
  committed?(run: LiveRun): void;
  /** Another server has applied it, and it is on disk there. */
  answered?(left: ExecutionWithTaskRuns): void;
  refused?(error: unknown): void;
  /** It was stored and is left to another server. */
  left?(): void;
}

/** A step threw something that no rule asks for: a bug of the engine, not a refusal. */
export class StepFailed extends Error {
  readonly letter: Letter;

  constructor(letter: Letter, cause: unknown) {
    super('A step could not be applied.', { cause });
    this.letter = letter;
  }
}

/** Ends the execution with the reason. */
export function endWith(cause: unknown): Letter {
  const reason = `Millrace could not carry on with this execution: ${cause instanceof Error ? cause.message : String(cause)}`;
  return { step: (run, now) => run.apply({ type: 'broken', reason }, now), isRequest: false, isLast: true };
}
