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
 * Every write there is. A unit of operations commits whole or not at all.
 * Guards (`expectVersion`, `expectRevision`, `expectNextAt`, uniqueness) make the unit fail with a Conflict.
 */
export type Op =
  | { op: 'execution.insert'; execution: ExecutionRecord; uniqueKey?: string }
  | {
      op: 'execution.update';
      execution: ExecutionRecord;
      /** The state stored before, so that the roll-up can be moved without reading. */
      previousState: StateType;
      expectVersion: number;
    }
  | { op: 'execution.delete'; id: string; logs: boolean; metrics: boolean }
  | { op: 'taskRun.put'; taskRun: TaskRunRecord }
  | { op: 'taskRun.delete'; executionId: string; ids: readonly string[] }
  | { op: 'event.append'; executionId: string; seq: number; at: number; events: readonly unknown[] }
  | { op: 'log.insert'; log: LogRecord }
  | { op: 'metric.insert'; metric: MetricRecord }
  | { op: 'flow.insert'; flow: FlowRecord; expectRevision: number }
  | { op: 'trigger.put'; trigger: TriggerRecord; expectNextAt?: number | null }
  | { op: 'trigger.delete'; namespace: string; flowId: string; triggerId: string }
  | { op: 'setting.put'; key: string; value: unknown };
