import type { ExecutionRecord, Flow } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { ExecutionWithTaskRuns, Op, StoredExecution } from '@millrace/store';
import type { Command } from './command.ts';

/** Names an attempt that a worker in another process has started. */
export type IsElsewhere = (attempt: { readonly taskRunId: string; readonly attempt: number }) => boolean;

/** The executor as actions, triggers, effects and other servers use it. */
export interface ExecutorPort {
  /** Stores a new execution, with `alongside` in the same commit. Resolves when it is durable, not when it starts. */
  create(
    flow: Flow,
    execution: ExecutionRecord,
    uniqueKey?: string,
    alongside?: readonly Op[],
  ): Promise<void>;
  /** Stores a new execution together with its first step batch when it may start at once: one commit instead of two. */
  start(flow: Flow, execution: ExecutionRecord, uniqueKey?: string, alongside?: readonly Op[]): Promise<void>;
  /** Stores a new execution that starts with copied task runs, and runs the rest of it. */
  adopt(flow: Flow, copied: ExecutionWithTaskRuns): Promise<void>;
  /** Applies a user's request. Resolves when it is durable, with the rows that this step left; rejects when it is refused. */
  request(executionId: string, event: Event): Promise<ExecutionWithTaskRuns>;
  /** Applies a fact. The engine ignores facts that no longer matter. */
  notify(executionId: string, event: Event): void;
  /** Applies a command that another server sent. */
  deliver(executionId: string, command: Command): void;
  /** Resumes an execution that an earlier process or another server left open. */
  recover(flow: Flow, stored: StoredExecution, problem: string | undefined, isElsewhere?: IsElsewhere): void;
  /** Drops an execution that is being deleted. */
  evict(executionId: string): void;
  /** Notifies callers that wait for the end of a deleted execution. */
  deleted(execution: ExecutionRecord): void;
  /** Settles when the execution has ended. Read its state only after this call, and stop waiting then. */
  whenEnded(executionId: string): { readonly ended: Promise<void>; stop(): void };
  /** Whether this process has the execution in memory, so that it announces the changes. */
  holds(executionId: string): boolean;
}
