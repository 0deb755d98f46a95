import type {
  ExecutionRecord,
  FlowRecord,
  LogRecord,
  MetricRecord,
  StateType,
  TaskRunRecord,
} from '@millrace/contract';

/** A trigger's memory between two evaluations. One row per flow and trigger. */
export interface TriggerRecord {
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly triggerId: string;
  readonly evaluatedAt?: number;
  readonly nextAt?: number;
  readonly executionId?: string;
  readonly evaluationStartedAt?: number;
  readonly disabled: boolean;
  readonly updatedAt: number;
  /** Backfill, windows and whatever else a kind of trigger remembers. */
  readonly memo?: Readonly<Record<string, unknown>>;
}

/**
 * Every write there is. A unit of operations commits whole or not at all; its operations apply in their order.
 * Guards (`expectVersion`, `expectRevision`, `expectNextAt`, uniqueness) make the unit fail with a Conflict.
 */
export type Op =
  /** The row starts at version 1. Its id and `uniqueKey` must be new. */
  | { op: 'execution.insert'; execution: ExecutionRecord; uniqueKey?: string }
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
  /** Removes the row, its task runs, events and labels; logs and metrics only when told. No row: nothing happens. */
  | { op: 'execution.delete'; id: string; logs: boolean; metrics: boolean }
  /** Inserts or replaces by (executionId, id). */
  | { op: 'taskRun.put'; taskRun: TaskRunRecord }
  | { op: 'taskRun.delete'; executionId: string; ids: readonly string[] }
  /** One row per commit and execution; a `seq` that exists is a Conflict. */
  | { op: 'event.append'; executionId: string; seq: number; at: number; events: readonly unknown[] }
  | { op: 'log.insert'; log: LogRecord }
  | { op: 'metric.insert'; metric: MetricRecord }
  /** `expectRevision` is the latest stored revision, 0 for a new flow. */
  | { op: 'flow.insert'; flow: FlowRecord; expectRevision: number }
  /** `expectNextAt` absent: no guard; null: no row, or one without a next date; a number: the row has this next date. */
  | { op: 'trigger.put'; trigger: TriggerRecord; expectNextAt?: number | null }
  | { op: 'trigger.delete'; namespace: string; flowId: string; triggerId: string }
  /** `undefined` removes the setting. */
  | { op: 'setting.put'; key: string; value: unknown };
