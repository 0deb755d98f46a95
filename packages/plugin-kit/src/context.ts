import type { LookupFunction, Socket } from 'node:net';
import type { KvType, LogLevel, StateType } from '@millrace/contract';
import type { Definition } from './definition.ts';
import type { Masker } from './masker.ts';

/** Who is running: the task run this attempt belongs to. */
export interface RunInfo {
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly flowRevision: number;
  readonly executionId: string;
  readonly taskId: string;
  readonly taskRunId: string;
  /** 0 for the first try. */
  readonly attempt: number;
  /** The loop value, inside a loop. */
  readonly value?: string;
}

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'timer' | 'gauge';
  /** Milliseconds for a timer. */
  readonly value: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export type Variables = Readonly<Record<string, unknown>>;

/** Everything a task may reach. A task is given one and never looks elsewhere. */
export interface TaskContext {
  readonly run: RunInfo;
  /** Aborted when the task is killed or its time is over. */
  readonly signal: AbortSignal;
  /** What expressions see. */
  readonly variables: Variables;
  /** A promise means the log is full for now: wait for it before writing a flood. */
  log(level: LogLevel, message: string): void | Promise<void>;
  metric(metric: Metric): void;
  /** Renders every text inside the value; the result of a template is text. */
  render(value: unknown, extraVariables?: Variables): Promise<unknown>;
  /** As `render`, but a text that is exactly one expression gives that expression's value with its type. */
  renderTyped(value: unknown, extraVariables?: Variables): Promise<unknown>;
  secret(name: string, namespace?: string): Promise<string>;
  /** A text as an output that is stored encrypted; expressions see it opened, and logs cover it. */
  seal(text: string): unknown;
  /** Knows every secret value seen so far. `log` masks by itself; use it for text cut into pieces. */
  readonly masker: Masker;
  /** A folder of this task run alone (or of its WorkingDirectory), made at the first call and removed by the worker. */
  workingDirectory(): Promise<string>;
  readonly files: FileStorage;
  readonly kv: KeyValueStore;
  readonly namespaceFiles: NamespaceFileStore;
  /** Flows, as far as the namespace of the running flow may reach them. */
  readonly flows: FlowStore;
  readonly dashboards: DashboardStore;
  /** Starts a process and answers when it has ended and all its output was taken. */
  spawn(request: SpawnRequest): Promise<ProcessEnd>;
  /** HTTP under the server's outbound policy. */
  fetch(request: OutboundRequest): Promise<OutboundResponse>;
  /** Throws when the policy does not allow this address; for clients that do not go through `fetch`. */
  mayReach(url: string): Promise<void>;
  /** A TCP connection under the server's outbound policy, for clients that can be given a socket. */
  connect(request: SocketRequest): Promise<Socket>;
  /** Resolves host names under the outbound policy, for clients that open their sockets themselves. */
  readonly lookup: LookupFunction;
  readonly actions: ProductActions;
  /** Runs another task under the same task run, for tasks made of tasks. */
  runNested(task: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** A type that a property names, such as a task runner. */
  findType(type: string): Definition | undefined;
  /** What the server's configuration says about a type. */
  configuration(type: string): Readonly<Record<string, unknown>>;
}

/** What a trigger that looks or listens is given. `run.executionId` is the id of the execution that it may start. */
export interface TriggerContext extends TaskContext {
  /** What the last evaluation has left with `remember`; undefined at first and after the trigger was changed. */
  readonly memory: unknown;
  /** Keeps a JSON value for the next evaluation; stored together with the execution this one starts. */
  remember(value: unknown): void;
}

/** Starts an execution; resolves when it is on disk, so that the source may be told then. */
export type Emit = (
  outputs: Readonly<Record<string, unknown>>,
  options?: {
    /** What names the event at its source: a second event with the same key starts nothing. */
    readonly key?: string;
  },
) => Promise<void>;

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Internal storage. URIs read `millrace:///…`; `kestra:///…` is accepted. */
export interface FileStorage {
  /** Stores a file of this task run under the given name and answers its URI. */
  put(name: string, content: FileContent): Promise<string>;
  read(uri: string): Promise<AsyncIterable<Uint8Array>>;
  /** The size, or nothing when there is no such file. */
  sizeOf(uri: string): Promise<number | undefined>;
  /** False when there was nothing to delete. */
  delete(uri: string): Promise<boolean>;
  /** Deletes every file of the current execution and answers their URIs. */
  deleteOfExecution(): Promise<readonly string[]>;
}

export interface KvSetOptions {
  readonly namespace: string;
  readonly overwrite: boolean;
  readonly type: KvType;
  readonly ttlMs?: number;
  readonly description?: string;
}

export interface KvEntry {
  readonly key: string;
  readonly expired: boolean;
}

export interface KeyValueStore {
  /** Without a namespace the flow's own and then its parents are searched. Expired and missing give `undefined`. */
  get(key: string, namespace?: string): Promise<unknown>;
  /** Throws when the key exists and must not be overwritten. */
  set(key: string, value: unknown, options: KvSetOptions): Promise<void>;
  delete(key: string, namespace: string): Promise<boolean>;
  list(namespace: string): Promise<readonly KvEntry[]>;
}

export interface NamespaceFileStore {
  /** Paths of all files, without the leading slash. */
  list(namespace: string): Promise<readonly string[]>;
  read(namespace: string, path: string): Promise<AsyncIterable<Uint8Array>>;
  write(namespace: string, path: string, content: FileContent): Promise<void>;
  delete(namespace: string, path: string): Promise<boolean>;
}

export interface StoredFlowText {
  readonly namespace: string;
  readonly id: string;
  readonly revision: number;
  readonly source: string;
}

/** The problems of a flow, or its name. */
export type FlowCheck =
  | { readonly namespace: string; readonly id: string; readonly problem?: undefined }
  | { readonly problem: string };

/** Reads and changes flows. Every call fails when the target namespace restricts its flows to other namespaces. */
export interface FlowStore {
  /** Sorted by namespace and id. With `children` also of the namespaces below. */
  list(namespace: string, options: { readonly children: boolean }): Promise<readonly StoredFlowText[]>;
  /** Names of all namespaces that hold flows, files or values. */
  namespaces(): Promise<readonly string[]>;
  find(namespace: string, id: string): Promise<StoredFlowText | undefined>;
  /** Says what saving would say, without saving. */
  check(source: string): Promise<FlowCheck>;
  /** Creates the flow, or adds a revision when the text has changed. Throws when the flow is not valid. */
  save(source: string): Promise<StoredFlowText>;
  /** False when there was no such flow. */
  delete(namespace: string, id: string): Promise<boolean>;
}

export interface StoredDashboardText {
  readonly id: string;
  readonly title: string;
  readonly source: string;
}

export interface DashboardStore {
  list(): Promise<readonly StoredDashboardText[]>;
  /** The problem of a dashboard, or nothing. */
  check(source: string): Promise<string | undefined>;
  /** Creates or replaces the dashboard with this id, which the text must name. */
  save(id: string, source: string): Promise<void>;
  /** False when there was no such dashboard. */
  delete(id: string): Promise<boolean>;
}

export interface SpawnRequest {
  readonly command: readonly [string, ...string[]];
  readonly workingDirectory: string;
  /** Added to the clean environment; the server's own is never passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** How long after SIGTERM the group gets SIGKILL. */
  readonly graceMs?: number;
  /** Bytes kept of each stream; what follows is counted and thrown away. */
  readonly maxStreamBytes?: number;
  /** The next chunk of a stream comes when the promise is settled. */
  onStdout(chunk: Uint8Array): void | Promise<void>;
  onStderr(chunk: Uint8Array): void | Promise<void>;
}

export interface ProcessEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly droppedBytes: { readonly stdout: number; readonly stderr: number };
}

export interface OutboundRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  readonly followRedirects?: boolean;
  readonly connectTimeoutMs?: number;
  /** Between two pieces of the answer. */
  readonly readIdleTimeoutMs?: number;
  readonly trustAllCertificates?: boolean;
  readonly proxy?: OutboundProxy;
  readonly signal?: AbortSignal;
}

export interface SocketRequest {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs?: number;
  readonly proxy?: OutboundProxy;
  readonly signal?: AbortSignal;
}

export interface OutboundProxy {
  /** HTTP unless given; SOCKS is version 5. */
  readonly type?: 'HTTP' | 'SOCKS';
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
}

export interface OutboundResponse {
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Decompressed. Must be read to its end or abandoned by leaving the loop. */
  readonly body: AsyncIterable<Uint8Array>;
}

export interface ExecutionFilter {
  readonly namespace?: string;
  readonly flowId?: string;
  readonly states?: readonly StateType[];
  /** ISO dates. */
  readonly startDate?: string;
  readonly endDate?: string;
}

export interface PurgeChoice {
  readonly executions: boolean;
  readonly logs: boolean;
  readonly metrics: boolean;
  readonly storage: boolean;
}

export interface PurgeCounts {
  readonly executions: number;
  readonly logs: number;
  readonly metrics: number;
  readonly storage: number;
}

export interface LogFilter {
  readonly namespace?: string;
  readonly flowId?: string;
  readonly executionId?: string;
  readonly taskIds?: readonly string[];
  readonly minLevel?: LogLevel;
  readonly levels?: readonly LogLevel[];
  readonly startDate?: string;
  readonly endDate?: string;
}

/** The facts that a message about an execution is made of. */
export interface ExecutionFacts {
  readonly id: string;
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  /** The state that it ends in as far as that is decided: FAILED while the `errors` tasks run. */
  readonly state: StateType;
  /** ISO dates. */
  readonly startDate: string;
  readonly endDate?: string;
  readonly labels: readonly { readonly key: string; readonly value: string }[];
  /** The page of the execution; absent when the server does not know its own address (`url`). */
  readonly link?: string;
  /** The first task that failed. */
  readonly failedTaskId?: string;
  /** The task that ended last. */
  readonly lastTaskId?: string;
}

/** What a task may ask of the product itself. */
export interface ProductActions {
  /** Undefined when there is no such execution. */
  findExecution(executionId: string): Promise<ExecutionFacts | undefined>;
  resumeExecution(executionId: string, inputs: Readonly<Record<string, unknown>>): Promise<void>;
  hasExecution(executionId: string): Promise<boolean>;
  countExecutions(filter: ExecutionFilter): Promise<number>;
  purgeExecutions(filter: ExecutionFilter, choice: PurgeChoice): Promise<PurgeCounts>;
  fetchLogs(filter: LogFilter): AsyncIterable<Readonly<Record<string, unknown>>>;
  purgeLogs(filter: LogFilter): Promise<number>;
  /** Throws when there is no such trigger. */
  setTriggerEnabled(
    trigger: { namespace: string; flowId: string; id: string },
    enabled: boolean,
  ): Promise<void>;
  /** Namespaces that have key-value entries or files and match; `*` and `?` are wildcards. */
  listNamespaces(): Promise<readonly string[]>;
}
