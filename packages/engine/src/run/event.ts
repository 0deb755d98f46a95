import type { Label, LogLevel, StateType, UnqueueState } from '@millrace/contract';

/** Where a value came from outside an execution's own data, and what came back. */
export type Resolution = { readonly value: unknown } | { readonly error: string };

/**
 * Everything that can happen to an execution. Events are appended to its log in the order they were applied;
 * replaying them gives the same execution again.
 */
export type Event =
  /** The execution may start; the shell has found a place for it under the flow's concurrency limit. */
  | { readonly type: 'start' }
  /** No place under the concurrency limit; what to do is the flow's choice. */
  | { readonly type: 'refused'; readonly behavior: 'QUEUE' | 'CANCEL' | 'FAIL'; readonly limit: number }
  /** A worker has taken the task run and begins this attempt (0-based). */
  | { readonly type: 'taskStarted'; readonly taskRunId: string; readonly attempt: number }
  | {
      readonly type: 'taskEnded';
      readonly taskRunId: string;
      readonly attempt: number;
      readonly state: 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED' | 'SKIPPED';
      readonly outputs?: Readonly<Record<string, unknown>>;
      readonly logFile?: string;
      /** Why it ended so, for the log of the task run, when no worker could write it there. */
      readonly reason?: string;
      /** Runs the task itself made up, such as the models of a build: shown as its children. */
      readonly dynamic?: readonly DynamicTaskRun[];
    }
  /**
   * The worker of this attempt is gone without an answer; a drained one has left by itself and has handed it back. With a
   * shared loss other work was lost at the same time, so the task is not known to be the cause.
   */
  | {
      readonly type: 'workerLost';
      readonly taskRunId: string;
      readonly attempt: number;
      readonly isDrained?: boolean;
      readonly isShared?: boolean;
    }
  /** An expression that needed the outside world (key-value store, secret, file) has its value. */
  | {
      readonly type: 'resolved';
      readonly taskRunId?: string;
      readonly key: string;
      readonly result: Resolution;
    }
  | {
      readonly type: 'directory';
      readonly taskRunId: string;
      readonly phase: 'opened' | 'closed';
      /** Which folder this is about; the current one when it is not said. */
      readonly directory?: string;
      /** Who has it, when that is another process than the one that carries the execution on. */
      readonly holder?: string;
      readonly error?: string;
      readonly outputs?: Readonly<Record<string, unknown>>;
    }
  /** The folder that the children of this task run share is gone with its machine; a drained one has left by itself. */
  | {
      readonly type: 'directoryLost';
      readonly taskRunId: string;
      /** Which folder this is about; the current one when it is not said. */
      readonly directory?: string;
      readonly isDrained?: boolean;
      readonly isShared?: boolean;
    }
  | { readonly type: 'listenersChosen'; readonly indexes: readonly number[]; readonly error?: string }
  /** A date the engine asked to be woken at has come. */
  | { readonly type: 'woken'; readonly wake: Wake }
  | {
      readonly type: 'childCreated';
      readonly taskRunId: string;
      readonly executionId: string;
      readonly index: number;
    }
  | {
      readonly type: 'childEnded';
      readonly taskRunId: string;
      readonly executionId: string;
      readonly state: StateType;
      readonly outputs?: Readonly<Record<string, unknown>>;
      /** Instead of `outputs`: below this address they lie in a file, `<batch>/outputs.ion`. */
      readonly outputsBaseUri?: string;
      /** Why the outputs that the caller asked for could not be computed. */
      readonly problem?: string;
      readonly index: number;
    }
  | {
      readonly type: 'childRefused';
      readonly taskRunId: string;
      readonly reason: string;
      readonly index: number;
    }
  | { readonly type: 'kill'; readonly cascade: boolean }
  | { readonly type: 'pause' }
  | {
      readonly type: 'resume';
      readonly inputs?: Readonly<Record<string, unknown>>;
      /** The pause that the inputs are for; another one is not resumed with them. */
      readonly taskRunId?: string;
    }
  /** Those who wait at a breakpoint go on; from now on it stops at these, when some are given. */
  | { readonly type: 'resumeFromBreakpoint'; readonly breakpoints?: readonly Breakpoint[] }
  | { readonly type: 'changeTaskRunState'; readonly taskRunId: string; readonly state: StateType }
  | { readonly type: 'changeState'; readonly state: StateType }
  | { readonly type: 'restart' }
  /** Another execution does this one again. */
  | { readonly type: 'replayed' }
  /** Out of the queue: it runs, unless it is to end in another state. */
  | { readonly type: 'unqueue'; readonly state?: UnqueueState }
  | { readonly type: 'forceRun' }
  | { readonly type: 'setLabels'; readonly labels: readonly Label[] }
  /** Something the engine itself cannot carry on from: a flow that no longer parses, a plugin that vanished. */
  | { readonly type: 'broken'; readonly reason: string };

/** What a task reports of a part of its own work that the flow does not know. */
export interface DynamicTaskRun {
  readonly taskId: string;
  readonly value?: string;
  readonly state: 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED' | 'SKIPPED';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** A wake-up is derived from what is stored, so it needs no table of its own and survives a restart. */
export type Wake =
  | { readonly reason: 'schedule'; readonly at: number }
  | { readonly reason: 'replay'; readonly at: number }
  | { readonly reason: 'retry' | 'pause' | 'loop'; readonly taskRunId: string; readonly at: number }
  | { readonly reason: 'sla'; readonly slaId: string; readonly at: number };

export interface EngineLog {
  readonly taskRunId?: string;
  readonly level: LogLevel;
  readonly message: string;
}

/** Where an execution is to stop: before a task, or before one of its values in a loop. */
export interface Breakpoint {
  readonly id: string;
  readonly value?: string;
}
