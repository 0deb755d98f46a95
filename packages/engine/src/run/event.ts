import type { Actor, Label, LogLevel, StateType, UnqueueState } from '@millrace/contract';

/** The result of an expression that needed the host: its value or its error. */
export type Resolution = { readonly value: unknown } | { readonly error: string };

/**
 * Everything that can happen to an execution. Events are appended to its log in the order they were applied;
 * replaying them gives the same execution again.
 */
export type Event = Occurrence & {
  /** The user who asked for it; absent for facts. */
  readonly by?: Actor;
  /** Names the request, so that a job that resumes finds in the log whether it was applied. */
  readonly requestKey?: string;
};

type Occurrence =
  /** The execution may start; the shell has assigned it a concurrency slot of the flow. */
  | { readonly type: 'start' }
  /** No concurrency slot is free; the flow's `behavior` decides what happens. */
  | { readonly type: 'refused'; readonly behavior: 'QUEUE' | 'CANCEL' | 'FAIL'; readonly limit: number }
  /** A worker has claimed the task run and starts this attempt (0-based). */
  | { readonly type: 'taskStarted'; readonly taskRunId: string; readonly attempt: number }
  | {
      readonly type: 'taskEnded';
      readonly taskRunId: string;
      readonly attempt: number;
      readonly state: 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED' | 'SKIPPED';
      readonly outputs?: Readonly<Record<string, unknown>>;
      readonly logFile?: string;
      /** Why it ended in this state, for the log of the task run, when no worker could write it there. */
      readonly reason?: string;
      /** Why it failed, as the worker has written it to the log; for the record of what happened. */
      readonly error?: string;
      /** Task runs that the task reports itself, such as the models of a build; shown as its children. */
      readonly dynamic?: readonly DynamicTaskRun[];
    }
  /**
   * The worker of this attempt was lost before it reported a result; a drained worker returned the attempt
   * itself. In a shared loss other attempts were lost at the same time, so the task is not known to be the
   * cause.
   */
  | {
      readonly type: 'workerLost';
      readonly taskRunId: string;
      readonly attempt: number;
      readonly isDrained?: boolean;
      readonly isShared?: boolean;
    }
  /** An expression that needed the host (key-value store, secret, file) has its value. */
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
      /** The name of the folder; by default the current one. */
      readonly directory?: string;
      /** The process that owns the folder, when it is not the one that runs the execution. */
      readonly holder?: string;
      readonly error?: string;
      readonly outputs?: Readonly<Record<string, unknown>>;
    }
  /** The shared folder of this task run was lost with its server, or its server was drained. */
  | {
      readonly type: 'directoryLost';
      readonly taskRunId: string;
      /** The name of the folder; by default the current one. */
      readonly directory?: string;
      readonly isDrained?: boolean;
      readonly isShared?: boolean;
    }
  | { readonly type: 'listenersChosen'; readonly indexes: readonly number[]; readonly error?: string }
  /** A wake-up that the engine requested is due. */
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
      /** Instead of `outputs`: the URI below which they are stored as `<batch>/outputs.ion`. */
      readonly outputsBaseUri?: string;
      /** Why the outputs that the caller requested could not be computed. */
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
      /** The task run to resume with the inputs; the event is rejected when another one is paused. */
      readonly taskRunId?: string;
    }
  /** Task runs at a breakpoint resume; `breakpoints`, when given, replace the current ones. */
  | { readonly type: 'resumeFromBreakpoint'; readonly breakpoints?: readonly Breakpoint[] }
  | { readonly type: 'changeTaskRunState'; readonly taskRunId: string; readonly state: StateType }
  | { readonly type: 'changeState'; readonly state: StateType }
  | { readonly type: 'restart' }
  /** Another execution replays this one. */
  | { readonly type: 'replayed' }
  /** The execution leaves the queue: it runs, unless `state` ends it. */
  | { readonly type: 'unqueue'; readonly state?: UnqueueState }
  | { readonly type: 'forceRun' }
  | { readonly type: 'setLabels'; readonly labels: readonly Label[] }
  /** The engine cannot continue: the flow no longer parses, or a plugin is missing. */
  | { readonly type: 'broken'; readonly reason: string };

/** A task run that a task reports for a part of its work that is not in the flow. */
export interface DynamicTaskRun {
  readonly taskId: string;
  readonly value?: string;
  readonly state: 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED' | 'SKIPPED';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** A wake-up is derived from the stored rows, so it needs no table and survives a restart. */
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

/** Where an execution stops: before a task, or before one of its values in a loop. */
export interface Breakpoint {
  readonly id: string;
  readonly value?: string;
}
