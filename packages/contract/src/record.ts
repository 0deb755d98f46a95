/**
 * Records are the data that the engine computes on and the store keeps. Times are epoch milliseconds, so that
 * arithmetic needs no parsing. The API returns views of them (`execution.ts`), which the engine builds with
 * `presentExecution`.
 */
import type { Actor } from './actor.ts';
import type { Label } from './label.ts';
import type { LogLevel } from './log.ts';
import type { StateType } from './state.ts';

export interface HistoryRecord {
  readonly state: StateType;
  readonly date: number;
  /** The user who asked for this change. */
  readonly by?: Actor;
}

/** `current` is always the last history's state. */
export interface StateRecord {
  readonly current: StateType;
  readonly histories: readonly HistoryRecord[];
}

export interface AttemptRecord {
  readonly state: StateRecord;
  readonly logFile?: string;
}

export interface TaskRunRecord {
  readonly id: string;
  readonly executionId: string;
  readonly taskId: string;
  /** The task run of the control task that started this one; absent at the root of the flow. */
  readonly parentId?: string;
  /** The loop value, as text, of a direct child of a loop. */
  readonly value?: string;
  readonly iteration?: number;
  /** Position in the order of creation; many rules say "the last one". */
  readonly order: number;
  readonly state: StateRecord;
  readonly attempts: readonly AttemptRecord[];
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Reported by a worker at run time; its task id is not in the flow. */
  readonly dynamic?: boolean;
  /** Copied from the execution that this one replays; its dates are those of that execution. */
  readonly copied?: boolean;
  /** Did not run here: a user set its outputs when the execution was forked. */
  readonly edited?: boolean;
  /** State of the control task between two steps (resolved loop values, wake-up dates …). Never shown. */
  readonly memo?: Readonly<Record<string, unknown>>;
}

export interface TriggerInfoRecord {
  readonly id: string;
  readonly type: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly logFile?: string;
}

export interface ExecutionRecord {
  readonly id: string;
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly flowRevision: number;
  readonly state: StateRecord;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly labels: readonly Label[];
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly trigger?: TriggerInfoRecord;
  readonly parentId?: string;
  readonly originalId: string;
  readonly attemptNumber: number;
  readonly originalCreatedAt: number;
  readonly scheduledAt?: number;
  readonly traceParent?: string;
  readonly kind?: string;
  /** When everything ended, listeners and afterExecution included. Until then it is open: a restart resumes it. */
  readonly closedAt?: number;
  /** State of the engine between two steps. Never shown. */
  readonly memo?: Readonly<Record<string, unknown>>;
}

export interface LogRecord {
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly executionId?: string;
  readonly taskId?: string;
  readonly taskRunId?: string;
  readonly attemptNumber?: number;
  readonly triggerId?: string;
  readonly at: number;
  readonly level: LogLevel;
  readonly thread?: string;
  readonly message: string;
}

export interface MetricRecord {
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly executionId?: string;
  readonly taskId?: string;
  readonly taskRunId?: string;
  readonly type: 'counter' | 'timer' | 'gauge';
  readonly name: string;
  /** Milliseconds for a timer. */
  readonly value: number;
  readonly tags?: Readonly<Record<string, string>>;
  readonly at: number;
}

/** One saved version of a test suite. The source is the truth; the other fields are extracted from it for lists. */
export interface FlowTestRecord {
  readonly namespace: string;
  readonly id: string;
  /** Counted from 1; a deletion is a version too. */
  readonly version: number;
  readonly flowId: string;
  /** The latest revision of the flow when this version was saved. */
  readonly flowRevision: number;
  readonly source: string;
  readonly description?: string;
  readonly disabled: boolean;
  readonly testCaseIds: readonly string[];
  readonly deleted: boolean;
  readonly updatedAt: number;
}

/** One saved revision of a flow. The source is the truth; the other fields are extracted from it for lists. */
export interface FlowRecord {
  readonly tenantId: string;
  readonly namespace: string;
  readonly id: string;
  readonly revision: number;
  readonly source: string;
  readonly description?: string;
  readonly labels: readonly Label[];
  readonly disabled: boolean;
  readonly deleted: boolean;
  readonly updatedAt: number;
  /** The user who saved the revision; absent without authentication and for revisions that the server makes. */
  readonly author?: string;
  /** Why the revision was saved, in the words of its author. */
  readonly message?: string;
}
