import type {
  DashboardRecord,
  ExecutionRecord,
  FlowRecord,
  KvType,
  LogLevel,
  LogRecord,
  MetricRecord,
  StateType,
  Task,
  TaskRunRecord,
} from '@millrace/contract';
import type { MessageRecord, Refusal, WorkerAttempt, WorkerFolder } from './cluster.ts';
import type { SessionOp } from './session.ts';

/** A trigger's memory between two evaluations. One row per flow and trigger. */
export interface TriggerRecord {
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly triggerId: string;
  /** The canonical type, so that the triggers of one kind can be found. */
  readonly type?: string;
  /** Only workers of this group evaluate it. */
  readonly workerGroup?: string;
  readonly evaluatedAt?: number;
  readonly nextAt?: number;
  readonly executionId?: string;
  readonly evaluationStartedAt?: number;
  readonly disabled: boolean;
  /** Every writer of a row makes it later than it was, so that it can serve as a guard. */
  readonly updatedAt: number;
  /** Backfill and whatever else a kind of trigger remembers. */
  readonly memo?: Readonly<Record<string, unknown>>;
  /** Why its document cannot be read: then only what its columns tell is here, and it can only be seen and removed. */
  readonly problem?: string;
}

/** What has been true so far for one gathering of conditions of a flow trigger, inside one window of time. */
export interface WindowRecord {
  readonly namespace: string;
  readonly flowId: string;
  readonly triggerId: string;
  readonly conditionId: string;
  readonly start: number;
  readonly end: number;
  readonly results: Readonly<Record<string, true>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** A state change that a flow trigger has still to look at: the state at `position` of an execution's history. */
export interface FlowEventRecord {
  readonly executionId: string;
  readonly position: number;
  readonly namespace: string;
  readonly flowId: string;
  readonly triggerId: string;
  readonly at: number;
}

/** A value that outlasts executions. One that has expired stays until someone sweeps; readers pass over it. */
export interface KvRecord {
  readonly namespace: string;
  readonly key: string;
  readonly type: KvType;
  /** Anything JSON can say; `null` is a value. */
  readonly value: unknown;
  readonly description?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly expiresAt?: number;
}

/** `version` counts how often the key was written. */
export type StoredKv = KvRecord & { readonly version: number };
export type KvEntryRecord = Omit<StoredKv, 'value'>;

export interface TemplateRecord {
  readonly tenantId: string;
  readonly namespace: string;
  readonly id: string;
  readonly description?: string;
  readonly tasks: readonly Task[];
  readonly errors?: readonly Task[];
  readonly updatedAt: number;
  /** Why its document cannot be read: then only what its columns tell is here, and it can only be seen and removed. */
  readonly problem?: string;
}

/** Entries of one execution, or of a whole flow and its triggers. `minLevel` takes that level and above. */
export type LogSelection =
  | {
      readonly executionId: string;
      readonly minLevel?: LogLevel;
      readonly taskId?: string;
      readonly taskRunId?: string;
      readonly attempt?: number;
    }
  | { readonly namespace: string; readonly flowId: string; readonly triggerId?: string };

/**
 * Every write there is. A unit of operations commits whole or not at all; its operations apply in their order.
 * Guards (`expect…`, uniqueness, `flowEvent.take`) make the unit fail with a Conflict.
 */
export type Op =
  /**
   * The row starts at version 1. Its id and `uniqueKey` must be new. `owner` is the server that carries it on; an
   * embedded database has one server and does not keep it.
   */
  | { op: 'execution.insert'; execution: ExecutionRecord; uniqueKey?: string; owner?: string }
  /**
   * Raises the version by one. Namespace, flow and start date (the date of the first history) never change after
   * the insert. Keep the `labels`, `inputs` and `trigger` objects of the last record when they did not change:
   * the store sees by identity that they need not be written again.
   */
  | {
      op: 'execution.update';
      execution: ExecutionRecord;
      /** The state stored before, so that the roll-up can be moved without reading. Part of the guard. */
      previousState: StateType;
      expectVersion: number;
    }
  /**
   * Removes the row, its task runs, events and labels; logs and metrics only when told. No row: nothing happens. With
   * `overBefore` it must have been over since before then: a Conflict when it runs (again), or is gone.
   */
  | { op: 'execution.delete'; id: string; logs: boolean; metrics: boolean; overBefore?: number }
  /** Inserts or replaces by (executionId, id). */
  | { op: 'taskRun.put'; taskRun: TaskRunRecord }
  | { op: 'taskRun.delete'; executionId: string; ids: readonly string[] }
  /** One row per commit and execution; a `seq` that exists is a Conflict. */
  | { op: 'event.append'; executionId: string; seq: number; at: number; events: readonly unknown[] }
  | { op: 'log.insert'; log: LogRecord }
  /** Removes the entries that meet every part of the selection. */
  | { op: 'log.delete'; selection: LogSelection }
  /** Removes single entries. */
  | { op: 'log.remove'; ids: readonly number[] }
  | { op: 'metric.insert'; metric: MetricRecord }
  /** Removes all metrics of an execution. */
  | { op: 'metric.delete'; executionId: string }
  /** `expectRevision` is the latest stored revision, 0 for a new flow. */
  | { op: 'flow.insert'; flow: FlowRecord; expectRevision: number }
  /** A Conflict unless it is there, is not the latest and no open execution runs it. */
  | { op: 'flow.deleteRevision'; namespace: string; id: string; revision: number }
  /** `expectNextAt` absent: no guard; null: no row, or one without a next date; a number: the row has this next date. */
  | { op: 'trigger.put'; trigger: TriggerRecord; expectNextAt?: number | null; expectUpdatedAt?: never }
  /** The row is the one that was read: it has this `updatedAt`; null: there is no row yet. */
  | { op: 'trigger.put'; trigger: TriggerRecord; expectUpdatedAt: number | null; expectNextAt?: never }
  | { op: 'trigger.delete'; namespace: string; flowId: string; triggerId: string }
  /** Replaces a window. `expectVersion` is the stored version, 0 for none; the new one is one higher. */
  | { op: 'window.put'; window: WindowRecord; expectVersion: number }
  /** Guarded like the other: the window must be the one that was read. */
  | {
      op: 'window.delete';
      namespace: string;
      flowId: string;
      triggerId: string;
      conditionId: string;
      expectVersion: number;
    }
  /** All windows of a trigger, in whatever version. */
  | { op: 'window.clear'; namespace: string; flowId: string; triggerId: string }
  | { op: 'flowEvent.put'; event: FlowEventRecord }
  /** Removes an event; a Conflict when someone else has taken it. */
  | { op: 'flowEvent.take'; event: FlowEventRecord }
  /** Writes a value; `createdAt` only counts for a key that is new or had expired at `updatedAt`. */
  | { op: 'kv.put'; entry: KvRecord; mustBeNew?: true }
  /** A Conflict when there is no such key. */
  | { op: 'kv.delete'; namespace: string; key: string }
  /** Removes every value that had expired by then. */
  | { op: 'kv.sweep'; expiredAt: number }
  | { op: 'template.put'; template: TemplateRecord; mustBeNew?: true }
  /** A Conflict when there is no such template. */
  | { op: 'template.delete'; namespace: string; id: string }
  | { op: 'dashboard.put'; dashboard: DashboardRecord; mustBeNew?: true }
  /** A Conflict when there is no such dashboard. */
  | { op: 'dashboard.delete'; id: string }
  /** Remembers whether a namespace has files in internal storage. */
  | { op: 'fileNamespace.put'; namespace: string; hasFiles: boolean }
  | SessionOp
  | ClusterOp
  /** `undefined` removes the setting. */
  | { op: 'setting.put'; key: string; value: unknown; mustBeNew?: true };

/** What servers that share a database tell each other. An embedded database refuses these. */
export type ClusterOp =
  | { op: 'message.put'; message: MessageRecord }
  /** Commits with what the message has led to. */
  | { op: 'message.take'; id: string; executionId: string }
  /** The answer to a request that cannot be met; the row stays until its sender has read it. */
  | { op: 'message.refuse'; id: string; executionId: string; refusal: Refusal }
  /** A Conflict when any worker has begun this attempt before. */
  | { op: 'attempt.begin'; attempt: WorkerAttempt; workerId: string }
  | { op: 'attempt.end'; attempt: WorkerAttempt }
  /** A Conflict unless its task run waits for an attempt to begin and no worker has begun this one. */
  | { op: 'attempt.want'; attempt: WorkerAttempt }
  /** A worker has this folder from now on. A Conflict when any worker has one of that name. */
  | { op: 'folder.hold'; folder: WorkerFolder; workerId: string }
  /** Nobody has it any more. */
  | { op: 'folder.drop'; directory: string }
  /** Work for another process, added to the queue in the same commit. */
  | { op: 'job.add'; identifier: string; payload: unknown };
