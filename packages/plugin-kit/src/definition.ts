import type { BlobStore, Issue } from '@millrace/contract';
import type { TypeKind } from '@millrace/engine';
import type { z } from 'zod';
import type { Emit, ProcessEnd, TaskContext, TriggerContext, Variables } from './context.ts';
import type { Warning } from './failure.ts';

export type Properties = Readonly<Record<string, unknown>>;
export type Outputs = Readonly<Record<string, unknown>>;

/** A complete flow (or dashboard), as a user would save it. A test validates every one of them. */
export interface Example {
  readonly title: string;
  readonly code: string;
  /** True when a test may run it: it needs nothing but the product itself, and files for its inputs. */
  readonly runs: boolean;
}

export interface MetricInfo {
  readonly name: string;
  readonly type: 'counter' | 'timer' | 'gauge';
  readonly unit?: string;
  readonly description: string;
}

/** What every kind of type says about itself. */
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
  /** Rules that look at several properties at once. */
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
  /** More variables for its expressions, asked for only when there is one to render. */
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  // A method, so that a definition with a narrower input is still one of these.
  run(context: TaskContext, input: Properties): Promise<Outputs | Warning> | Outputs | Warning;
}

/** A task whose behaviour lives in the engine; here are only its words. */
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
  /** One look of a polling trigger: outputs start an execution, nothing starts none. */
  poll?(context: TriggerContext, input: Properties): Promise<Outputs | undefined>;
  /** The whole life of a realtime trigger: every event is emitted, until the signal is aborted or the source ends. */
  listen?(context: TriggerContext, input: Properties, emit: Emit): Promise<void>;
  /** Decides what a call of a webhook trigger means; absent for a trigger that every call starts. */
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

/** A response with status 200 in words that the calling service expects. */
export interface WebhookReply {
  readonly body: string;
  readonly contentType?: string;
}

/** With outputs an execution starts. A second call with the same key starts nothing. */
export type WebhookDecision =
  | { readonly outputs: Outputs; readonly key?: string; readonly reply?: WebhookReply }
  | { readonly reply: WebhookReply }
  | { readonly refusal: { readonly code: 'unauthorized' | 'bad-request'; readonly message: string } };

export interface ConditionDefinition extends Base {
  readonly kind: 'condition';
  /** True when it may stand on a schedule: it looks at a date, not at an execution. */
  readonly onSchedule: boolean;
  /** Whether it holds; absent for those of the product, which the engine answers itself. */
  test?(context: ConditionContext, input: Properties): Promise<boolean> | boolean;
}

/** What a condition is given to decide with. */
export interface ConditionContext {
  /** The flow that the condition is written in. */
  readonly flow: { readonly namespace: string; readonly id: string };
  /** What expressions see. */
  readonly variables: Variables;
  /** The execution that it is about, for a flow trigger the one that ended. */
  readonly execution?: Readonly<Record<string, unknown>>;
  /** The date that a schedule tries. */
  readonly date?: Date;
  render(value: unknown): Promise<unknown>;
  /** Aborted when it takes too long. */
  readonly signal: AbortSignal;
}

/** What a script task hands to its runner. */
export interface RunnerJob {
  readonly command: readonly [string, ...string[]];
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly containerImage?: string;
  onStdout(chunk: Uint8Array): void | Promise<void>;
  onStderr(chunk: Uint8Array): void | Promise<void>;
}

export interface RunnerDefinition extends Base {
  readonly kind: 'taskRunner';
  run(context: TaskContext, input: Properties, job: RunnerJob): Promise<ProcessEnd>;
}

export interface ChartDefinition extends Base {
  readonly kind: 'chart';
  /** Which chart of the product draws it, with which options; absent for those themselves. */
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
  /** Those of them that are dates, and can be the axis of a time series. */
  readonly dates?: readonly string[];
  /** Rows by their fields, dates as `Date`s; filters, groups and order are seen to. Absent for what the store keeps. */
  rows?(context: RowsContext, input: Properties): AsyncIterable<DataRow> | Promise<Iterable<DataRow>>;
}

export type DataRow = Readonly<Record<string, unknown>>;

export interface RowsContext {
  /** What the viewer looks at; rows outside may be left out. */
  readonly from: Date;
  readonly to: Date;
  readonly signal: AbortSignal;
  /** HTTP under the server's outbound policy. */
  readonly fetch: TaskContext['fetch'];
  /** What the server's configuration says about a type. */
  readonly configuration: TaskContext['configuration'];
}

/** A line of the log as an exporter is given it. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Where `core.log.LogShipper` sends the lines of the log. */
export interface LogExporterDefinition extends Base {
  readonly kind: 'logExporter';
  /** Takes all lines, in their order, and answers how many there were and what else is worth knowing. */
  export(context: TaskContext, input: Properties, lines: AsyncIterable<LogLine>): Promise<Outputs>;
}

/** A kind of internal storage: its words and settings. The server opens the one that its configuration names. */
export interface StorageDefinition extends Base {
  readonly kind: 'storage';
  /** Absent for those of the product, which the server knows how to open. */
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
  | StorageDefinition;

/** What a package under `plugins/` exports: its types and how they are grouped on the plugin page. */
export interface Family {
  /** The folder under `plugins/`, by which configuration leaves a family out. */
  readonly name: string;
  readonly groups: readonly Group[];
  readonly types: readonly Definition[];
}

/** A plugin or a part of one; a type belongs to the group with the longest name it starts with. */
export interface Group {
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly icon: string;
  readonly categories: readonly string[];
}
