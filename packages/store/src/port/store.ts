import {
  AppError,
  type DashboardRecord,
  type ExecutionRecord,
  type FlowRecord,
  type MetricRecord,
  type TaskRunRecord,
} from '@millrace/contract';
import type { AggregateQuery, AggregateRow } from './aggregate.ts';
import type { Cluster } from './cluster.ts';
import type { DocumentReads } from './document.ts';
import type { Filter } from './filter.ts';
import type { FlowKey } from './flowKey.ts';
import type { HealthReads } from './health.ts';
import type {
  FlowEventRecord,
  KvEntryRecord,
  Op,
  StoredFlowTest,
  StoredKv,
  TemplateRecord,
  TriggerRecord,
} from './op.ts';
import type {
  DashboardQuery,
  EventQuery,
  ExecutionLogQuery,
  ExecutionQuery,
  ExecutionState,
  FlowQuery,
  FlowTestQuery,
  FoundTaskRun,
  KvQuery,
  ListedExecution,
  LogContext,
  LogContextQuery,
  LogFrontier,
  LogQuery,
  LogWalk,
  MetricQuery,
  MetricSum,
  MetricSumQuery,
  OpenExecutions,
  Page,
  StoredEvents,
  StoredExecution,
  StoredLog,
  StoredWindow,
  TaskRunQuery,
  TaskStateCount,
  TemplateQuery,
  TriggerKey,
  TriggerQuery,
  TriggerSource,
} from './queries.ts';
import type { ExpiredExecution, ExpiredQuery } from './retention.ts';
import type { SessionRecord, SessionToken } from './session.ts';
import type { LogBucket, RunBucket, Series, StatisticsQuery } from './statistics.ts';

/** The durable state of the product. Each database has one implementation; all pass the same suite. */
export interface Store extends DocumentReads, HealthReads {
  /**
   * Applies a unit of operations atomically; resolves when it is on disk. Units that arrive while a commit is in
   * flight share the next one. Rejects with `Conflict` when a guard of this unit fails: the other units of the
   * same group are not affected. After any other rejection the outcome is unknown: reload before continuing.
   */
  commit(unit: readonly Op[]): Promise<void>;

  /** Includes all task runs, which may be very many. Use `getExecutionRecord` when they are not needed. */
  getExecution(id: string): Promise<StoredExecution | undefined>;
  getExecutionRecord(id: string): Promise<ExecutionRecord | undefined>;
  /** The execution created earlier under the same unique key (idempotency key, trigger slot), if any. */
  findExecutionByKey(uniqueKey: string): Promise<string | undefined>;
  listExecutions(query: ExecutionQuery): Promise<Page<ListedExecution>>;
  /**
   * Open executions, which a restarted server must resume. In pages, oldest first; `after` is the id of the
   * last execution of the previous page. If that execution was deleted meanwhile, paging restarts from the
   * oldest.
   */
  openExecutions(after: string | undefined, limit: number): Promise<OpenExecutions>;
  /** The states of executions, without their contents; unknown ids are left out. */
  listStates(ids: readonly string[]): Promise<ExecutionState[]>;
  /**
   * The states of matching executions, in pages, in the order they were stored; `after` is `seq` of the last
   * one of the previous page.
   */
  matchStates(filters: readonly Filter[], after: number, limit: number): Promise<ExecutionState[]>;
  /** The events of an execution in the order of their `seq`; by default all of them. */
  listEvents(executionId: string, query?: EventQuery): Promise<StoredEvents[]>;
  /** These task runs of an execution; unknown ids are left out. */
  listTaskRuns(executionId: string, ids: readonly string[]): Promise<TaskRunRecord[]>;

  /** Logs of one execution in the order they were stored; `afterId` continues after the last id seen. */
  listLogs(query: ExecutionLogQuery): Promise<StoredLog[]>;
  /** A log entry of an execution with the entries stored before and after it; undefined when it is gone. */
  logsAround(query: LogContextQuery): Promise<LogContext | undefined>;
  /** Tells which log entries may still appear; only where several processes write concurrently. */
  logFrontier?(): Promise<LogFrontier>;
  searchLogs(query: LogQuery): Promise<Page<StoredLog>>;
  /** Logs, oldest first, each exactly once even when more arrive meanwhile; `after` is the last one seen. */
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

  /**
   * Executions per time bucket and state, with their durations; read from the roll-up wherever it covers the
   * query.
   */
  executionStatistics(query: StatisticsQuery): Promise<Series<RunBucket>[]>;
  /** The same for task runs. A state filter applies to the task run, every other filter to its execution. */
  taskRunStatistics(query: StatisticsQuery): Promise<Series<RunBucket>[]>;
  /** Log entries per bucket of time and level. Filters are those of the log search. */
  logStatistics(query: StatisticsQuery): Promise<Series<LogBucket>[]>;
  /** The execution of each flow that ended or started last; flows without one are left out. */
  latestExecutions(flows: readonly FlowKey[], by: 'end' | 'start'): Promise<ListedExecution[]>;
  /** Flows that are not deleted, and their triggers; in exactly this namespace when one is given. */
  countFlowsAndTriggers(namespace?: string): Promise<{ flows: number; triggers: number }>;
  /** Runs a dashboard's grouping and aggregation; every name it may use is on an allow-list. */
  aggregate(query: AggregateQuery): Promise<Page<AggregateRow>>;
  /** Task runs of all executions, newest first. Filters are those of executions, but state and dates are their own. */
  searchTaskRuns(query: TaskRunQuery): Promise<Page<FoundTaskRun>>;
  /**
   * The task runs of these executions counted by task and state, without their contents. Of each execution at
   * most the first and the last `limit` task runs are counted.
   */
  countTaskStates(executionIds: readonly string[], limit: number): Promise<TaskStateCount[]>;

  /** The latest revision, or the one asked for. Deleted revisions are returned too; the caller decides. */
  getFlow(namespace: string, id: string, revision?: number): Promise<FlowRecord | undefined>;
  /** Latest revisions of flows that are not deleted. */
  listFlows(query: FlowQuery): Promise<Page<FlowRecord>>;
  /** Every revision, ascending, deletion markers included, drafts not. */
  listRevisions(namespace: string, id: string): Promise<FlowRecord[]>;
  /** The revision for the next draft of a flow: -1, then -2 and so on. */
  nextDraftRevision(namespace: string, id: string): Promise<number>;
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

  /** The newest version of a test suite, also when it is deleted. */
  getFlowTest(namespace: string, id: string): Promise<StoredFlowTest | undefined>;
  /** The newest versions of the test suites that are not deleted, by namespace and id. */
  listFlowTests(query: FlowTestQuery): Promise<Page<StoredFlowTest>>;

  /** Executions that finished before a given time. Remove them with `execution.delete` and `closedBefore`. */
  expiredExecutions(query: ExpiredQuery): Promise<ExpiredExecution[]>;
  /** Ids of log entries of that age that belong to no execution. */
  expiredLogs(query: ExpiredQuery): Promise<number[]>;
  /**
   * Runs a few milliseconds of housekeeping: returns free space to the disk and recomputes the shortest and
   * longest durations where rows were removed. Returns true when there is more to do.
   */
  tidy(): Promise<boolean>;

  getSetting(key: string): Promise<unknown>;

  /**
   * A token with its session; undefined when either is gone. The caller checks whether they are still valid.
   */
  getSessionToken(hash: string): Promise<StoredSessionToken | undefined>;

  /** Called after each commit with the ids that changed, in the process that committed and, on PostgreSQL, in every other. */
  onChange(listener: (change: StoreChange) => void): () => void;

  /** Only where several servers can share the database. */
  readonly cluster?: Cluster;

  /** A round trip to the database, for health checks. */
  ping(): Promise<void>;
  /** Finishes pending commits, then releases all resources. The store must not be used afterwards. */
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
  /**
   * The entries of an execution that the change added, in the order of their ids, so that a follower need not read
   * them back. Every call returns the same list. Only where one process writes, because its ids are in commit order.
   */
  readonly logsOf?: (executionId: string) => readonly StoredLog[];
  readonly flows: readonly { namespace: string; id: string }[];
  readonly templates: readonly { namespace: string; id: string }[];
  /** Servers that have messages to read. */
  readonly messageOwners?: readonly string[];
  /** Task runs that another server wants to stop. */
  readonly interrupted?: readonly string[];
  /** Rows of triggers that have changed. */
  readonly triggers?: readonly TriggerKey[];
  /** The control documents of the instance have changed. */
  readonly controls?: true;
  /** Another process made the change. */
  readonly isElsewhere?: boolean;
  /** Changes by other processes may have been missed: everything derived from them must be read again. */
  readonly hasGap?: boolean;
}

/** A row whose documents cannot be read. Its columns are enough to list it and to delete it. */
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

/**
 * A guard of the unit failed because another writer changed the row first. Nothing of the unit was written.
 */
export class Conflict extends Error {
  readonly subject: string;

  constructor(subject: string) {
    super(`${subject} was changed by someone else meanwhile.`);
    this.name = 'Conflict';
    this.subject = subject;
  }
}

/** The database cannot be reached, or does not respond in time; a retry may succeed. */
export const isUnavailable = (error: unknown): boolean => unavailableIn(error) !== undefined;

/**
 * For code that takes an error for a mistake in a flow: an expression may also fail because it reads a key while the
 * database is away. Then the caller has to try again, and nothing may be skipped, failed or acknowledged.
 */
export function throwIfUnavailable(error: unknown): void {
  const found = unavailableIn(error);
  if (found) throw found;
}

/** Errors of expressions have the error of the store as their cause. */
function unavailableIn(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error.code === 'unavailable' ? error : undefined;
  return error instanceof Error && error.cause !== undefined ? unavailableIn(error.cause) : undefined;
}
