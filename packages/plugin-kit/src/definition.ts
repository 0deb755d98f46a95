import type { LookupFunction, Socket } from 'node:net';
import type { BlobStore, Issue, LogLevel } from '@millrace/contract';
import type { DynamicTaskRun, TypeKind } from '@millrace/engine';
import type { z } from 'zod';
import type {
  DashboardStore,
  Emit,
  FileStorage,
  FlowStore,
  KeyValueStore,
  Metric,
  NamespaceFileStore,
  OutboundRequest,
  OutboundResponse,
  ProcessEnd,
  ProductActions,
  RunInfo,
  SocketRequest,
  SpawnRequest,
  Variables,
} from './context.ts';
import type { Warning } from './failure.ts';
import type { Masker } from './masker.ts';
import type { Outputs, Properties } from './values.ts';

/** Everything a task may access. A task gets its context as an argument and uses nothing else. */
export interface TaskContext {
  readonly run: RunInfo;
  /** Aborted when the task is killed or times out. */
  readonly signal: AbortSignal;
  /** The variables that expressions can read. */
  readonly variables: Variables;
  /** A promise means the log is full for now: wait for it before writing a flood. */
  log(level: LogLevel, message: string): void | Promise<void>;
  metric(metric: Metric): void;
  /**
   * Reports a part of the task's work, such as one model of a dbt project, as a child task run. Children are
   * stored when the attempt ends, even when it fails.
   */
  addTaskRun(child: DynamicTaskRun): void;
  /** Renders every text inside the value; the result of a template is text. */
  render(value: unknown, extraVariables?: Variables): Promise<unknown>;
  /** Like `render`, but a string that is exactly one expression yields the typed value of that expression. */
  renderTyped(value: unknown, extraVariables?: Variables): Promise<unknown>;
  secret(name: string, namespace?: string): Promise<string>;
  /** Makes a text an output that is stored encrypted; expressions read it decrypted, and logs mask it. */
  seal(text: string): unknown;
  /** Masks every secret value seen so far. `log` masks automatically; use this for text in chunks. */
  readonly masker: Masker;
  /**
   * The folder of this task run (or its WorkingDirectory), created on the first call; the worker removes it.
   */
  workingDirectory(): Promise<string>;
  readonly files: FileStorage;
  readonly kv: KeyValueStore;
  readonly namespaceFiles: NamespaceFileStore;
  /** Flows, as far as the namespace of the running flow may reach them. */
  readonly flows: FlowStore;
  readonly dashboards: DashboardStore;
  /** Starts a process; resolves when the process has ended and all its output was consumed. */
  spawn(request: SpawnRequest): Promise<ProcessEnd>;
  /** HTTP under the server's outbound policy. */
  fetch(request: OutboundRequest): Promise<OutboundResponse>;
  /** Throws when the policy does not allow this address; for clients that do not go through `fetch`. */
  mayReach(url: string): Promise<void>;
  /** Opens a TCP connection under the server's outbound policy, for clients that accept a socket. */
  connect(request: SocketRequest): Promise<Socket>;
  /** Resolves host names under the outbound policy, for clients that open their sockets themselves. */
  readonly lookup: LookupFunction;
  readonly actions: ProductActions;
  /** Runs another task under the same task run, for tasks composed of tasks. */
  runNested(task: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** A type that a property names, such as a task runner. */
  findType(type: string): Definition | undefined;
  /** The server's configuration of a plugin type. */
  configuration(type: string): Readonly<Record<string, unknown>>;
}

/**
 * The context of a polling or realtime trigger. `run.executionId` is the id of the execution it may start.
 */
export interface TriggerContext extends TaskContext {
  /** The value that the last evaluation stored with `remember`; undefined at first and after an edit. */
  readonly memory: unknown;
  /** Keeps a JSON value for the next evaluation; stored together with the execution this one starts. */
  remember(value: unknown): void;
  /**
   * Starts the execution of a poll before the poll ends, for sources that need an acknowledgement: the
   * trigger acknowledges messages after this resolves. A poll calls it at most once, and then returns
   * nothing.
   */
  readonly emit: Emit;
}

/** A complete flow (or dashboard), as a user would save it. A test validates every one of them. */
export interface Example {
  readonly title: string;
  readonly code: string;
  /** True when a test can run the example: it needs only Millrace itself and files for its inputs. */
  readonly runs: boolean;
}

export interface MetricInfo {
  readonly name: string;
  readonly type: 'counter' | 'timer' | 'gauge';
  readonly unit?: string;
  readonly description: string;
}

/** The description that every kind of type has. */
export interface Description {
  readonly type: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  /** Older names that keep working. `io.kestra.plugin.<type>` needs no entry. */
  readonly aliases?: readonly string[];
  readonly deprecated?: boolean;
  /** A part of another type: found when it runs, never listed, documented or offered. */
  readonly isInner?: boolean;
  /** The text of an SVG; the group's icon when absent. */
  readonly icon?: string;
  readonly input: z.ZodObject;
  readonly examples: readonly Example[];
  /** Rules that involve several properties. */
  readonly check?: (properties: Properties) => readonly Issue[];
}

interface Base extends Description {
  readonly kind: TypeKind;
}

export interface TaskDefinition extends Base {
  readonly kind: 'task';
  readonly role: 'task';
  readonly output: z.ZodObject;
  readonly metrics?: readonly MetricInfo[];
  readonly sideEffects: boolean;
  /** Properties the task renders itself, when and how it needs them. */
  readonly raw?: readonly string[];
  /** Additional variables for expressions; called only when there is an expression to render. */
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  // A method, so that a definition with a narrower input is still one of these.
  run(context: TaskContext, input: Properties): Promise<Outputs | Warning> | Outputs | Warning;
}

/** A task that the engine implements; the definition holds only its description. */
export interface ControlDefinition extends Base {
  readonly kind: 'task';
  readonly role: 'flowable' | 'subflow' | 'execution';
  readonly output: z.ZodObject;
  readonly sideEffects: boolean;
}

export interface TriggerDefinition extends Base {
  readonly kind: 'trigger';
  readonly role: 'schedule' | 'webhook' | 'flow' | 'polling' | 'realtime';
  readonly output: z.ZodObject;
  /** Properties the trigger renders itself, when and how it needs them. */
  readonly raw?: readonly string[];
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  /** One poll of a polling trigger: outputs start an execution, undefined starts none. */
  poll?(context: TriggerContext, input: Properties): Promise<Outputs | undefined>;
  /** The whole life of a realtime trigger: every event is emitted, until the signal is aborted or the source ends. */
  listen?(context: TriggerContext, input: Properties, emit: Emit): Promise<void>;
  /** Decides how to handle a webhook call; absent when every call starts an execution. */
  receive?(
    context: WebhookContext,
    input: Properties,
    request: WebhookRequest,
  ): Promise<WebhookDecision> | WebhookDecision;
}

/** A call of a webhook by a client that knows its key. */
export interface WebhookRequest {
  /** The text exactly as it was sent, for checks of its signature. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
}

export interface WebhookContext {
  /** The time in milliseconds, against which the age of a call is checked. */
  readonly now: number;
  /** A text as an output that is stored encrypted; undefined when the server has no key for it. */
  seal(text: string): unknown;
}

/** A response with status 200 and the body that the calling service expects. */
export interface WebhookReply {
  readonly body: string;
  readonly contentType?: string;
}

/** Outputs start an execution. A second call with the same key starts nothing. */
export type WebhookDecision =
  | { readonly outputs: Outputs; readonly key?: string; readonly reply?: WebhookReply }
  | { readonly reply: WebhookReply }
  | { readonly refusal: { readonly code: 'unauthorized' | 'bad-request'; readonly message: string } };

export interface ConditionDefinition extends Base {
  readonly kind: 'condition';
  /** True when a schedule can use the condition: it checks a date, not an execution. */
  readonly onSchedule: boolean;
  /** Whether the condition holds; absent for built-in conditions, which the engine evaluates itself. */
  test?(context: ConditionContext, input: Properties): Promise<boolean> | boolean;
}

/** The context that a condition is evaluated in. */
export interface ConditionContext {
  /** The flow that the condition is written in. */
  readonly flow: { readonly namespace: string; readonly id: string };
  /** The variables that expressions can read. */
  readonly variables: Variables;
  /** The execution that the condition checks; for a flow trigger, the execution that ended. */
  readonly execution?: Readonly<Record<string, unknown>>;
  /** The candidate date of a schedule. */
  readonly date?: Date;
  render(value: unknown): Promise<unknown>;
  /** Aborted when it takes too long. */
  readonly signal: AbortSignal;
}

/** The job that a script task passes to its runner. */
export interface RunnerJob {
  readonly command: readonly [string, ...string[]];
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly containerImage?: string;
  onStdout(chunk: Uint8Array): void | Promise<void>;
  onStderr(chunk: Uint8Array): void | Promise<void>;
}

/** How a job ended, with facts about where it ran: the output `taskRunner` of the task. */
export interface RunnerEnd extends ProcessEnd {
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface RunnerDefinition extends Base {
  readonly kind: 'taskRunner';
  /** Properties the runner renders itself, when and how it needs them. */
  readonly raw?: readonly string[];
  run(context: TaskContext, input: Properties, job: RunnerJob): Promise<RunnerEnd>;
}

export interface ChartDefinition extends Base {
  readonly kind: 'chart';
  /** The built-in chart that draws this chart, and its options; absent for built-in charts. */
  drawAs?(chart: WrittenChart): DrawnChart;
}

/** A chart of a dashboard as its author wrote it. */
export interface WrittenChart {
  readonly chartOptions: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface DrawnChart {
  readonly type: string;
  readonly chartOptions: Readonly<Record<string, unknown>>;
}

export interface DataFilterDefinition extends Base {
  readonly kind: 'dataFilter';
  /** The fields its columns and filters may name. */
  readonly fields: readonly string[];
  /** The date fields, which can be the axis of a time series. */
  readonly dates?: readonly string[];
  /** Rows by field, dates as `Date`. The caller filters, groups and sorts. Absent for data of the store. */
  rows?(context: RowsContext, input: Properties): AsyncIterable<DataRow> | Promise<Iterable<DataRow>>;
}

export type DataRow = Readonly<Record<string, unknown>>;

export interface RowsContext {
  /** The time range that the viewer shows; rows outside it may be left out. */
  readonly from: Date;
  readonly to: Date;
  readonly signal: AbortSignal;
  /** HTTP under the server's outbound policy. */
  readonly fetch: TaskContext['fetch'];
  /** The server's configuration of a plugin type. */
  readonly configuration: TaskContext['configuration'];
}

/** A log line as passed to an exporter. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Where `core.log.LogShipper` sends the lines of the log. */
export interface LogExporterDefinition extends Base {
  readonly kind: 'logExporter';
  /** Exports all lines in order; returns their count and any other outputs. */
  export(context: TaskContext, input: Properties, lines: AsyncIterable<LogLine>): Promise<Outputs>;
}

/**
 * The value of a property of another type, such as the model provider of an AI task. `place` names the kinds
 * of property it fits; the types with such a property define the return type of `create`.
 */
export interface AdditionalDefinition extends Base {
  readonly kind: 'additionalPlugin';
  readonly place: string;
  /** Properties that the part renders itself. */
  readonly raw?: readonly string[];
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  readonly metrics?: readonly MetricInfo[];
  create(context: TaskContext, input: Properties): unknown;
}

/**
 * A type of internal storage: description and settings. The server opens the type its configuration names.
 */
export interface StorageDefinition extends Base {
  readonly kind: 'storage';
  /** Absent for built-in storage types, which the server opens itself. */
  open?(settings: Properties): Promise<BlobStore> | BlobStore;
}

export type Definition =
  | TaskDefinition
  | ControlDefinition
  | TriggerDefinition
  | ConditionDefinition
  | RunnerDefinition
  | ChartDefinition
  | DataFilterDefinition
  | LogExporterDefinition
  | AdditionalDefinition
  | StorageDefinition;

/** The export of a package under `plugins/`: its types and their groups on the plugin page. */
export interface Family {
  /** The folder under `plugins/`, by which configuration leaves a family out. */
  readonly name: string;
  readonly groups: readonly Group[];
  readonly types: readonly Definition[];
}

/** A plugin or a subgroup; a type belongs to the group with the longest matching name prefix. */
export interface Group {
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly icon: string;
  readonly categories: readonly string[];
}
