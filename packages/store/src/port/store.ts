import {
  AppError,
  type DashboardRecord,
  type ExecutionRecord,
  type FlowRecord,
  type LogLevel,
  type LogRecord,
  type MetricRecord,
  type StateType,
  type TaskRunRecord,
} from '@millrace/contract';
import type { AggregateQuery, AggregateRow } from './aggregate.ts';
import type { Cluster } from './cluster.ts';
import type { Filter } from './filter.ts';
import type { FlowKey } from './flowKey.ts';
import type {
  FlowEventRecord,
  KvEntryRecord,
  Op,
  StoredKv,
  TemplateRecord,
  TriggerRecord,
  WindowRecord,
} from './op.ts';
import type { ExpiredExecution, ExpiredQuery } from './retention.ts';
import type { SessionRecord, SessionToken } from './session.ts';
import type { LogBucket, RunBucket, Series, StatisticsQuery } from './statistics.ts';

/** What has happened, kept. One implementation per database; all pass the same suite. */
export interface Store {
  /**
   * Applies a unit of operations atomically; resolves when it is on disk. Units that arrive while a commit is in
   * flight share the next one. Rejects with `Conflict` when a guard of this unit fails: the other units of the
   * same group are not touched. Any other rejection means that nothing may be assumed: reload before going on.
   */
  commit(unit: readonly Op[]): Promise<void>;

  /** With all task runs, which may be very many: `getExecutionRecord` wherever they are not needed. */
  getExecution(id: string): Promise<StoredExecution | undefined>;
  getExecutionRecord(id: string): Promise<ExecutionRecord | undefined>;
  /** The execution created earlier under the same unique key (idempotency key, trigger slot), if any. */
  findExecutionByKey(uniqueKey: string): Promise<string | undefined>;
  listExecutions(query: ExecutionQuery): Promise<Page<ListedExecution>>;
  /**
   * Executions that are not over: what a restart must carry on with. In pages, oldest first; `after` is the id of the
   * last execution of the page before. When that one was deleted meanwhile the pages start again from the oldest.
   */
  openExecutions(after: string | undefined, limit: number): Promise<OpenExecutions>;
  /** Where executions stand, without what they did; ids that are unknown are left out. */
  listStates(ids: readonly string[]): Promise<ExecutionState[]>;
  /**
   * Where the executions that match stand, in pages, in the order they were stored; `after` is `seq` of the last one
   * of the page before.
   */
  matchStates(filters: readonly Filter[], after: number, limit: number): Promise<ExecutionState[]>;
  /** All events of an execution in the order of their `seq`. */
  listEvents(executionId: string): Promise<StoredEvents[]>;

  /** Logs of one execution in the order they were stored; `afterId` continues after the last id seen. */
  listLogs(query: ExecutionLogQuery): Promise<StoredLog[]>;
  /** Which log entries may still appear; only where several processes write at the same time. */
  logFrontier?(): Promise<LogFrontier>;
  searchLogs(query: LogQuery): Promise<Page<StoredLog>>;
  /** Logs from the oldest on, each once however many arrive meanwhile; `after` is the last one seen. */
  walkLogs(query: LogWalk): Promise<StoredLog[]>;
  listMetrics(executionId: string): Promise<MetricRecord[]>;
  /** Metrics of one execution, in the order they were stored unless sorted; `taskId` wins over `taskRunId`. */
  searchMetrics(query: MetricQuery): Promise<Page<MetricRecord>>;
  /** Names of all metrics that a flow, or one of its tasks, ever wrote, sorted. */
  listMetricNames(namespace: string, flowId: string, taskId?: string): Promise<string[]>;
  /** Tasks of a flow that ever wrote a metric, sorted. */
  listMetricTasks(namespace: string, flowId: string): Promise<string[]>;
  /** One metric of a flow added up per minute, hour or day, oldest first; spans without a value are left out. */
  sumMetrics(query: MetricSumQuery): Promise<MetricSum[]>;

  /** Executions per bucket of time and state, with their durations: from the roll-up wherever it knows the answer. */
  executionStatistics(query: StatisticsQuery): Promise<Series<RunBucket>[]>;
  /** The same for task runs; a state is that of the task run, everything else is asked of its execution. */
  taskRunStatistics(query: StatisticsQuery): Promise<Series<RunBucket>[]>;
  /** Log entries per bucket of time and level. Filters are those of the log search. */
  logStatistics(query: StatisticsQuery): Promise<Series<LogBucket>[]>;
  /** Of each flow the execution that ended last, or the one that started last; flows without one are left out. */
  latestExecutions(flows: readonly FlowKey[], by: 'end' | 'start'): Promise<ListedExecution[]>;
  /** Flows that are not deleted, and their triggers; in exactly this namespace when one is given. */
  countFlowsAndTriggers(namespace?: string): Promise<{ flows: number; triggers: number }>;
  /** Groups and aggregates as a dashboard asks; everything it may name is on an allow-list. */
  aggregate(query: AggregateQuery): Promise<Page<AggregateRow>>;
  /** Task runs of all executions, newest first. Filters are those of executions, but state and dates are their own. */
  searchTaskRuns(query: TaskRunQuery): Promise<Page<FoundTaskRun>>;

  /** The latest revision, or the one asked for. Deleted revisions are returned too; the caller decides. */
  getFlow(namespace: string, id: string, revision?: number): Promise<FlowRecord | undefined>;
  /** Latest revisions of flows that are not deleted. */
  listFlows(query: FlowQuery): Promise<Page<FlowRecord>>;
  /** Every revision, ascending, deletion markers included. */
  listRevisions(namespace: string, id: string): Promise<FlowRecord[]>;
  /** Namespaces that hold at least one flow that is not deleted, sorted. */
  listFlowNamespaces(): Promise<string[]>;

  getTrigger(namespace: string, flowId: string, triggerId: string): Promise<TriggerRecord | undefined>;
  /** Triggers of flows that are not deleted. */
  listTriggers(query: TriggerQuery): Promise<Page<TriggerRecord>>;
  /** Every trigger of one flow, in the order of their ids. */
  listFlowTriggers(namespace: string, flowId: string): Promise<TriggerRecord[]>;
  /** Enabled triggers with `nextAt <= now` that wait for no execution, the most overdue first. */
  dueTriggers(now: number, limit: number, from?: TriggerSource): Promise<TriggerRecord[]>;
  /** Triggers that wait for the end of an execution: of this one, or any. In pages by execution id. */
  lockedTriggers(query: {
    readonly executionId?: string;
    readonly after?: string;
    readonly limit: number;
  }): Promise<TriggerRecord[]>;
  /** The windows of a flow trigger, with their versions. */
  listWindows(namespace: string, flowId: string, triggerId: string): Promise<StoredWindow[]>;
  /** State changes that were written before a moment and that no flow trigger has looked at, oldest first. */
  openFlowEvents(before: number, limit: number): Promise<FlowEventRecord[]>;

  /** The value, also when it has expired; the caller decides. */
  getKv(namespace: string, key: string): Promise<StoredKv | undefined>;
  listKv(query: KvQuery): Promise<Page<KvEntryRecord>>;
  /** Namespaces that hold values or files, sorted. */
  listDataNamespaces(): Promise<string[]>;

  getTemplate(namespace: string, id: string): Promise<TemplateRecord | undefined>;
  listTemplates(query: TemplateQuery): Promise<Page<TemplateRecord>>;

  getDashboard(id: string): Promise<DashboardRecord | undefined>;
  /** By title unless sorted; `q` is matched word by word with the titles. */
  listDashboards(query: DashboardQuery): Promise<Page<DashboardRecord>>;

  /** Executions that have been over since before a moment. Removing them is `execution.delete` with `overBefore`. */
  expiredExecutions(query: ExpiredQuery): Promise<ExpiredExecution[]>;
  /** Ids of log entries of that age that belong to no execution. */
  expiredLogs(query: ExpiredQuery): Promise<number[]>;
  /**
   * A small piece of housekeeping, of a few milliseconds: gives free space back to the disk, looks up the extremes of
   * durations again where something was removed. True: there is more to do.
   */
  tidy(): Promise<boolean>;

  getSetting(key: string): Promise<unknown>;

  /** A token with its session; undefined when either is gone. Whether they are still good is for the caller to say. */
  getSessionToken(hash: string): Promise<StoredSessionToken | undefined>;

  /** Called after each commit with the ids that changed, in the process that committed and, on PostgreSQL, in every other. */
  onChange(listener: (change: StoreChange) => void): () => void;

  /** Only where several servers can share the database. */
  readonly cluster?: Cluster;

  /** A round trip to the database, for health checks. */
  ping(): Promise<void>;
  /** Finishes what was handed to `commit`, then lets go of everything. Nothing may be asked of the store afterwards. */
  close(): Promise<void>;
}

export interface StoredSessionToken extends SessionToken {
  readonly session: SessionRecord;
  /** When a refresh token was used for the first time. */
  readonly usedAt?: number;
}

export interface StoreChange {
  readonly executionIds: readonly string[];
  readonly logExecutionIds: readonly string[];
  readonly flows: readonly { namespace: string; id: string }[];
  readonly templates: readonly { namespace: string; id: string }[];
  /** Servers that have messages to read. */
  readonly messageOwners?: readonly string[];
  /** Task runs that another server wants to stop. */
  readonly interrupted?: readonly string[];
  /** Rows of triggers that have changed. */
  readonly triggers?: readonly TriggerKey[];
  /** Another process has done it. */
  readonly isElsewhere?: boolean;
  /** Changes of other processes may have been missed: whatever was derived from them must be read again. */
  readonly hasGap?: boolean;
}

export interface StoredExecution extends ExecutionWithTaskRuns {
  readonly version: number;
  /** Sequence number of the last appended events; 0 when there are none. */
  readonly eventSeq: number;
}

/** One page of what a restart must carry on with. */
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

export interface StoredEvents {
  readonly seq: number;
  readonly at: number;
  readonly events: readonly unknown[];
}

/**
 * How far the log has come at one moment. Every entry up to `lastId` is visible, or never will be, once `oldestOpen` of a
 * later frontier has reached `next` of this one.
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
 * `total` is exact wherever the roll-up knows it, and where matches are few. What must be counted on very many rows
 * (labels, children, words in logs) may come after the page: then `total` is how many there are at least, and whoever
 * asks next gets the whole number.
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

export interface FlowQuery extends PageQuery {
  readonly filters: readonly Filter[];
  /** Also search the source text, as the source search does. */
  readonly source?: string;
}

export interface DashboardQuery extends PageQuery {
  readonly q?: string;
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

/** `seq` rises with every stored execution. */
export interface ExecutionState {
  readonly seq: number;
  readonly id: string;
  readonly state: StateType;
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

/** Which triggers: all, those that nobody in particular evaluates, those of any worker group, or of a certain one. */
export type TriggerSource = 'all' | 'ungrouped' | 'grouped' | { readonly workerGroup: string };

/** A row whose documents cannot be read. What its columns tell is enough to see and to remove it. */
export class Unreadable extends AppError {
  readonly execution: ExecutionRecord;

  constructor(what: string, execution: ExecutionRecord, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super('illegal-state', `${what}: ${reason}. It takes no further part in anything and can be deleted.`, {
      cause,
    });
    this.execution = execution;
  }
}

/** A guard of the unit did not hold: someone else changed the row first. Nothing of the unit was written. */
export class Conflict extends Error {
  readonly subject: string;

  constructor(subject: string) {
    super(`${subject} was changed by someone else meanwhile.`);
    this.name = 'Conflict';
    this.subject = subject;
  }
}

/** The database cannot be reached, or does not answer in time: the same may work later. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable';
