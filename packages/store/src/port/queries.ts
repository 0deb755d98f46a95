import type { ExecutionRecord, LogLevel, LogRecord, StateType, TaskRunRecord } from '@millrace/contract';
import type { Filter } from './filter.ts';
import type { WindowRecord } from './op.ts';

export interface StoredExecution extends ExecutionWithTaskRuns {
  readonly version: number;
  /** Sequence number of the last appended events; 0 when there are none. */
  readonly eventSeq: number;
}

/** One page of the executions that a restarted server must resume. */
export interface OpenExecutions {
  readonly ids: readonly string[];
  /** Where the next page starts; absent after the last one. */
  readonly next?: string;
}

/** An execution in a list: its task runs are not read. */
export interface ListedExecution {
  readonly execution: ExecutionRecord;
}

export interface ExecutionWithTaskRuns {
  readonly execution: ExecutionRecord;
  readonly taskRuns: readonly TaskRunRecord[];
}

/** A part of the events of one execution. */
export interface EventQuery {
  /** The first `seq` to read. */
  readonly from?: number;
  readonly limit?: number;
  /** Only rows whose JSON contains one of these texts, anywhere: a filter that can let too much through. */
  readonly mentions?: readonly string[];
}

export interface StoredEvents {
  readonly seq: number;
  readonly at: number;
  readonly events: readonly unknown[];
}

/**
 * The position of the log at one moment. Every entry up to `lastId` is visible, or never will be, once
 * `oldestOpen` of a later frontier has reached `next` of this one.
 */
export interface LogFrontier {
  /** The last id that was given to an entry. */
  readonly lastId: number;
  /** The oldest transaction that has not ended, and the next one to begin. */
  readonly oldestOpen: number;
  readonly next: number;
}

/** `id` rises with every stored entry; entries of several processes may become visible in another order. */
export interface StoredLog extends LogRecord {
  readonly id: number;
}

/**
 * `total` is exact when the roll-up has it or when matches are few. A count over very many rows (labels,
 * parents, patterns, words in logs) may finish after the page is returned: then `total` is a lower bound, and the next
 * request gets the exact number.
 */
export interface Page<T> {
  readonly results: readonly T[];
  readonly total: number;
}

export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

/** `page` starts at 1. Without `sort`: executions and logs newest first, flows and triggers by their names. */
export interface PageQuery {
  readonly page: number;
  readonly size: number;
  readonly sort?: readonly Sort[];
}

export interface ExecutionQuery extends PageQuery {
  readonly filters: readonly Filter[];
}

export interface TaskRunQuery extends PageQuery {
  readonly filters: readonly Filter[];
}

export interface FoundTaskRun {
  readonly namespace: string;
  readonly flowId: string;
  readonly taskRun: TaskRunRecord;
}

/** The runs of one task in one state in one execution. */
export interface TaskStateCount {
  readonly executionId: string;
  readonly taskId: string;
  readonly state: StateType;
  readonly count: number;
  /** One of them. */
  readonly taskRunId: string;
  readonly firstStartedAt: number;
  readonly lastStartedAt: number;
  /** Of the longest one that ended. */
  readonly durationMs?: number;
  /** Of the one that was tried most often. */
  readonly attempts: number;
}

export interface FlowQuery extends PageQuery {
  readonly filters: readonly Filter[];
  /** Also search the source text, as the source search does. */
  readonly source?: string;
}

export interface DashboardQuery extends PageQuery {
  readonly q?: string;
}

export interface FlowTestQuery extends PageQuery {
  readonly namespace?: string;
  /** Also the namespaces below. */
  readonly isPrefix?: boolean;
  readonly flowId?: string;
  /** The versions that were the newest when this revision of the flow was. */
  readonly flowRevision?: number;
}

export interface TriggerQuery extends PageQuery {
  readonly filters: readonly Filter[];
}

export interface KvQuery extends PageQuery {
  readonly filters: readonly Filter[];
  /** Leaves out what has expired by then. */
  readonly aliveAt?: number;
}

export interface TemplateQuery extends PageQuery {
  readonly filters: readonly Filter[];
}

export interface StoredWindow extends WindowRecord {
  readonly version: number;
}

export interface LogQuery extends PageQuery {
  readonly filters: readonly Filter[];
}

export interface LogWalk {
  readonly filters: readonly Filter[];
  readonly after?: Pick<StoredLog, 'at' | 'id'>;
  readonly limit: number;
}

export interface ExecutionLogQuery {
  readonly executionId: string;
  readonly minLevel?: LogLevel;
  readonly taskRunId?: string;
  readonly taskId?: string;
  readonly attempt?: number;
  readonly afterId?: number;
  readonly limit?: number;
}

export interface LogContextQuery {
  readonly executionId: string;
  readonly at: number;
  /** The beginning of the message; the first entry of this millisecond otherwise. */
  readonly message?: string;
  /** How many entries before it and after it. */
  readonly lines: number;
}

export interface LogContext {
  readonly entries: readonly StoredLog[];
  /** Where the entry itself is among them. */
  readonly index: number;
}

/** `seq` rises with every stored execution. */
export interface ExecutionState {
  readonly seq: number;
  readonly id: string;
  readonly state: StateType;
  /** Nothing of the execution runs any more; tasks can follow its last state. */
  readonly isClosed: boolean;
}

export interface MetricQuery extends PageQuery {
  readonly executionId: string;
  readonly taskRunId?: string;
  readonly taskId?: string;
}

export interface MetricSumQuery {
  readonly namespace: string;
  readonly flowId: string;
  readonly taskId?: string;
  readonly name: string;
  /** `from <= at < to`. */
  readonly from: number;
  readonly to: number;
  readonly span: MetricSpan;
}

/** Milliseconds of the spans that values can be added up over; days are those of UTC. */
export const metricSpans = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

export type MetricSpan = keyof typeof metricSpans;

export interface MetricSum {
  /** The beginning of the span. */
  readonly at: number;
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

export interface StateCount {
  readonly state: StateType;
  readonly count: number;
}

export interface TriggerKey {
  readonly namespace: string;
  readonly flowId: string;
  readonly triggerId: string;
}

/** Selects triggers: all, those without a worker group, those of any worker group, or those of one group. */
export type TriggerSource = 'all' | 'ungrouped' | 'grouped' | { readonly workerGroup: string };
