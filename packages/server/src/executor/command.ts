import type { Event, LiveRun } from '@millrace/engine';
import type { ExecutionWithTaskRuns, Op } from '@millrace/store';

/** A step for an execution, and the callbacks of its sender. */
export interface Command {
  /** Changes the run, mostly by applying one event. Throws AppError and changes nothing when the step is not possible. */
  step(run: LiveRun, now: number): void;
  /** The event, when it is the whole step: such a command can be forwarded to another server. */
  readonly event?: Event;
  /**
   * A user's request is refused when it cannot be stored. Everything else is a fact, and is applied again after a failed
   * commit; the engine ignores facts that it has seen.
   */
  readonly isRequest: boolean;
  /** Ends an execution that cannot continue. If even this step fails, the execution is left alone. */
  readonly isLast?: boolean;
  /** Operations that commit together with the step. */
  readonly alongside?: readonly Op[];
  /** The store holds the command as a message, so the server that owns the execution by now finds it there. */
  readonly isStored?: boolean;
  /** Called when the step is applied and not durable yet. */
  applied?(run: LiveRun): void;
  /** Called when the step is durable. */
  committed?(run: LiveRun): void;
  /** Called when another server has applied the step and it is durable. */
  committedElsewhere?(left: ExecutionWithTaskRuns): void;
  refused?(error: unknown): void;
  /** Called when the stored message is left to another server. */
  left?(): void;
}

/** A step threw an unexpected error: a bug of the engine, not a refusal. */
export class StepFailed extends Error {
  readonly command: Command;

  constructor(command: Command, cause: unknown) {
    super('A step could not be applied.', { cause });
    this.command = command;
  }
}

/** The command that ends an execution with the reason. */
export function endWith(cause: unknown): Command {
  const reason = `Millrace could not continue this execution: ${cause instanceof Error ? cause.message : String(cause)}`;
  return { step: (run, now) => run.apply({ type: 'broken', reason }, now), isRequest: false, isLast: true };
}
