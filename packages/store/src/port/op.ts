import type {
  DashboardRecord,
  ExecutionRecord,
  FlowRecord,
  FlowTestRecord,
  KvType,
  LogLevel,
  LogRecord,
  MetricRecord,
  StateType,
  Task,
  TaskRunRecord,
} from '@millrace/contract';
import type { MessageRecord, Refusal, WorkerAttempt, WorkerFolder } from './cluster.ts';
import type { DocumentOp } from './document.ts';
import type { SessionOp } from './session.ts';

/** A trigger's state between two evaluations. One row per flow and trigger. */
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
  /** Every write increases it, so that it can serve as a guard. */
  readonly updatedAt: number;
  /** The backfill and any other state that this type of trigger keeps. */
  readonly memo?: Readonly<Record<string, unknown>>;
  /**
   * Why its document cannot be read. The record then has only its columns, and can only be listed and
   * deleted.
   */
  readonly problem?: string;
}

/** The conditions of a flow trigger that were met so far within one time window. */
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

/**
 * A state change that a flow trigger has not evaluated yet: the state at `position` of an execution's
 * history.
 */
export interface FlowEventRecord {
  readonly executionId: string;
  readonly position: number;
  readonly namespace: string;
  readonly flowId: string;
  readonly triggerId: string;
  readonly at: number;
}

/** A value that outlives executions. An expired value stays until `kv.sweep` deletes it; readers skip it. */
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
  /**
   * Why its document cannot be read. The record then has only its columns, and can only be listed and
   * deleted.
   */
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
 * Every possible write. A unit of operations commits atomically; its operations apply in order.
 * Guards (`expect…`, uniqueness, `flowEvent.take`) make the unit fail with a Conflict.
 */
export type Op =
  /**
   * The row starts at version 1. Its id and `uniqueKey` must be new. `owner` is the server that runs the
   * execution; an embedded database has one server and does not store it.
   */
  | { op: 'execution.insert'; execution: ExecutionRecord; uniqueKey?: string; owner?: string }
  /**
   * Raises the version by one. Namespace, flow and start date (the date of the first history) never change after
   * the insert. Keep the `labels`, `inputs` and `trigger` objects of the last record when they did not change:
   * the store compares them by identity and skips writing unchanged ones.
   */
  | {
      op: 'execution.update';
      execution: ExecutionRecord;
      /** The state stored before, so that the roll-up can be updated without a read. Part of the guard. */
      previousState: StateType;
      expectVersion: number;
    }
  /**
   * Removes the row, its task runs, events and labels; logs and metrics only when requested. Without a row
   * nothing happens. With `closedBefore` the execution must have finished before then: a Conflict when it runs
   * (again), or is gone.
   */
  | { op: 'execution.delete'; id: string; logs: boolean; metrics: boolean; closedBefore?: number }
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
  /**
   * A text that only some executions run. Its revision is negative and must be new; it is never the latest, and no list
   * has it.
   */
  | { op: 'flow.insertDraft'; flow: FlowRecord }
  /** A Conflict unless it is there, is not the latest and no open execution runs it. */
  | { op: 'flow.deleteRevision'; namespace: string; id: string; revision: number }
  /** `expectNextAt` absent: no guard; null: no row, or one without a next date; a number: the row has this next date. */
  | { op: 'trigger.put'; trigger: TriggerRecord; expectNextAt?: number | null; expectUpdatedAt?: never }
  /** Guard: the row still has the `updatedAt` that was read; null: there is no row yet. */
  | { op: 'trigger.put'; trigger: TriggerRecord; expectUpdatedAt: number | null; expectNextAt?: never }
  | { op: 'trigger.delete'; namespace: string; flowId: string; triggerId: string }
  /** Replaces a window. `expectVersion` is the stored version, 0 for none; the new one is one higher. */
  | { op: 'window.put'; window: WindowRecord; expectVersion: number }
  /** Guarded like `window.put`: the stored version must be the one that was read. */
  | {
      op: 'window.delete';
      namespace: string;
      flowId: string;
      triggerId: string;
      conditionId: string;
      expectVersion: number;
    }
  /** Deletes all windows of a trigger, whatever their version. */
  | { op: 'window.clear'; namespace: string; flowId: string; triggerId: string }
  | { op: 'flowEvent.put'; event: FlowEventRecord }
  /** Removes an event; a Conflict when another server has taken it. */
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
  /** One more version of a test suite. A Conflict when that version exists. */
  | { op: 'flowTest.insert'; test: FlowTestRecord }
  /** Replaces the last result of a version. */
  | { op: 'flowTest.result'; namespace: string; id: string; version: number; result: unknown }
  /** Remembers whether a namespace has files in internal storage. */
  | { op: 'fileNamespace.put'; namespace: string; hasFiles: boolean }
  | SessionOp
  | DocumentOp
  | ClusterOp
  /** `undefined` removes the setting. */
  | { op: 'setting.put'; key: string; value: unknown; mustBeNew?: true };

export interface StoredFlowTest {
  readonly test: FlowTestRecord & { readonly problem?: string };
  /** The last result of this version, as JSON. */
  readonly result?: unknown;
}

/** Operations for servers that share a database. An embedded database rejects them. */
export type ClusterOp =
  | { op: 'message.put'; message: MessageRecord }
  /** Deletes the message in the same commit as its effects. */
  | { op: 'message.take'; id: string; executionId: string }
  /** Rejects a request that cannot be met; the row stays until the sender has read the refusal. */
  | { op: 'message.refuse'; id: string; executionId: string; refusal: Refusal }
  /** A Conflict when any worker has begun this attempt before. */
  | { op: 'attempt.begin'; attempt: WorkerAttempt; workerId: string }
  | { op: 'attempt.end'; attempt: WorkerAttempt }
  /** A Conflict unless its task run waits for an attempt to begin and no worker has begun this one. */
  | { op: 'attempt.want'; attempt: WorkerAttempt }
  /** Registers a folder on a worker. A Conflict when any worker has a folder of that name. */
  | { op: 'folder.hold'; folder: WorkerFolder; workerId: string }
  /** Deletes the registration of the folder. */
  | { op: 'folder.drop'; directory: string }
  /**
   * Adds a job for another process to the queue in the same commit. With a key, the job replaces one that still waits
   * under it; a job that a worker has fetched stays.
   */
  | { op: 'job.add'; identifier: string; payload: unknown; key?: string };
