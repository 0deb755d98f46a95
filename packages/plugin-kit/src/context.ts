import type { KvType, LogLevel, StateType } from '@millrace/contract';

/** The task run that this attempt belongs to. */
export interface RunInfo {
  readonly tenantId: string;
  readonly namespace: string;
  readonly flowId: string;
  readonly flowRevision: number;
  readonly executionId: string;
  readonly taskId: string;
  readonly taskRunId: string;
  /** 0 for the first attempt. */
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

/** Starts an execution; resolves when it is on disk, so that a message may be acknowledged then. */
export type Emit = (
  outputs: Readonly<Record<string, unknown>>,
  options?: {
    /** The idempotency key of the event at its source: a second event with the same key starts nothing. */
    readonly key?: string;
  },
) => Promise<void>;

export type FileContent = string | Uint8Array | AsyncIterable<Uint8Array>;

/** Internal storage. URIs read `millrace:///…`; `kestra:///…` is accepted. */
export interface FileStorage {
  /** Stores a file of this task run under the given name and returns its URI. */
  put(name: string, content: FileContent): Promise<string>;
  read(uri: string): Promise<AsyncIterable<Uint8Array>>;
  /** The size; undefined when the file does not exist. */
  sizeOf(uri: string): Promise<number | undefined>;
  /** False when there was nothing to delete. */
  delete(uri: string): Promise<boolean>;
  /** Deletes every file of the current execution and returns their URIs. */
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
  /** Without a namespace, searches the flow's namespace and its parents. Undefined if expired or missing. */
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
  /** Returns the validation result that saving would return, without saving. */
  check(source: string): Promise<FlowCheck>;
  /** Creates the flow, or adds a revision when the text has changed. Throws when the flow is not valid. */
  save(source: string): Promise<StoredFlowText>;
  /** False when there was no such flow. */
  delete(namespace: string, id: string): Promise<boolean>;
  /** Starts an execution; resolves once it is stored. Throws when there is no such flow or an input is wrong. */
  start(request: StartFlowRequest): Promise<StartedExecution>;
}

export interface StartFlowRequest {
  readonly namespace: string;
  readonly id: string;
  readonly revision?: number;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly labels?: readonly { readonly key: string; readonly value: string }[];
  /** An ISO date, for an execution that starts later. */
  readonly scheduleDate?: string;
}

export interface StartedExecution {
  readonly id: string;
  readonly state: StateType;
  /** The page of the execution; absent when the server does not know its own address (`url`). */
  readonly link?: string;
}

export interface StoredDashboardText {
  readonly id: string;
  readonly title: string;
  readonly source: string;
}

export interface DashboardStore {
  list(): Promise<readonly StoredDashboardText[]>;
  /** The problem of a dashboard; undefined when it is valid. */
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
  /** The number of bytes kept of each stream; further bytes are counted and discarded. */
  readonly maxStreamBytes?: number;
  /** The next chunk of a stream is delivered when the promise settles. */
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
  /** Between two pieces of the body, where it differs from the wait for the first byte. */
  readonly bodyIdleTimeoutMs?: number;
  readonly trustAllCertificates?: boolean;
  /** PEM texts: additional trusted certificate authorities, and the client's certificate and key. */
  readonly certificates?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** False leaves a compressed body compressed, for files that are stored in that form. */
  readonly decompress?: boolean;
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
  /** Default HTTP; SOCKS is version 5. */
  readonly type?: 'HTTP' | 'SOCKS';
  readonly host: string;
  readonly port: number;
  readonly username?: string;
  readonly password?: string;
}

export interface OutboundResponse {
  readonly status: number;
  /** The address that responded, after redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Decompressed unless the request disables it. Read it to the end, or leave the loop to abandon it. */
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

/** The facts about an execution that its notifications contain. */
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

/** Calls that a task can make to Millrace itself. */
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
