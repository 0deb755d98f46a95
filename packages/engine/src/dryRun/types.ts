import type { Execution, LogLevel, Output, StateType } from '@millrace/contract';
import type { DefaultsOptions } from '../flow/defaults.ts';

export type Values = Readonly<Record<string, unknown>>;
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The facts about a task type that a dry run needs. */
export interface TaskTypeFacts {
  /** The canonical name for every alias. */
  readonly type: string;
  /** The JSON Schema of the outputs. */
  readonly outputs: JsonSchema;
  /** Properties that are read as written. */
  readonly fixed: readonly string[];
  /** Properties that the task renders itself, when and how it needs them. */
  readonly raw: readonly string[];
  /** Its expressions can also read `workingDir` and `outputDir`. */
  readonly hasFolder?: boolean | undefined;
}

export interface TaskTypes {
  find(type: string): TaskTypeFacts | undefined;
}

export type FixtureState = 'SUCCESS' | 'WARNING' | 'FAILED' | 'KILLED' | 'SKIPPED';

/** The result that a task has instead of running. Several fixtures of one task apply to its runs in order. */
export interface TaskFixture {
  readonly id: string;
  /** Only for the run with this loop value. */
  readonly value?: string | undefined;
  readonly outputs?: Values | undefined;
  readonly state?: FixtureState | undefined;
  /** How many attempts fail before the one with this result. */
  readonly failedAttempts?: number | undefined;
  /** `execution`: copied from an earlier run, so tasks that can be computed are computed instead. */
  readonly from?: 'user' | 'execution' | undefined;
}

export interface DryRunOptions {
  readonly types: TaskTypes;
  /** The time at which it starts, in milliseconds. Only waits, sleeps and retries move it. */
  readonly now: number;
  readonly inputs?: Values | undefined;
  /** Generates a value for each required input that has none, instead of failing. */
  readonly generatesInputs?: boolean | undefined;
  readonly tasks?: readonly TaskFixture[] | undefined;
  /** The branch that a task takes: `then` or `else`, the key of a case, `run` or `skip`. */
  readonly branches?: Readonly<Record<string, string>> | undefined;
  readonly kv?: Values | undefined;
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Contents by path of a namespace file, by name of a FILE input or by URI. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly trigger?: { readonly id: string; readonly type: string; readonly variables: Values } | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** The declared outputs of another flow, when they are known. */
  readonly subflowOutputs?: ((namespace: string, id: string) => readonly Output[] | undefined) | undefined;
  readonly defaults?: DefaultsOptions | undefined;
  readonly limits?: Partial<DryRunLimits> | undefined;
  /** Reads a clock in milliseconds, for the limit of real time. */
  readonly clock?: (() => number) | undefined;
  /** Called now and then, so that a long dry run does not block its thread. */
  readonly pause?: (() => Promise<void>) | undefined;
}

export interface DryRunLimits {
  readonly steps: number;
  readonly taskRuns: number;
  readonly realMs: number;
}

/** Where the outputs of a task run come from. */
export type OutputSource = 'computed' | 'pinned' | 'execution' | 'generated';

export interface RenderedProperty {
  /** The path in the flow, such as `tasks[0].message`. */
  readonly path: string;
  readonly value?: string;
  readonly error?: string;
  /** The error is a variable or output that does not exist. */
  readonly isUndefined?: true;
  /** The value depends on something that was generated, so a real run may differ. */
  readonly isAssumed?: true;
}

export interface DryLog {
  readonly taskRunId?: string;
  readonly taskId?: string;
  readonly level: LogLevel;
  readonly message: string;
  readonly at: number;
}

export interface DryTaskRun {
  readonly id: string;
  readonly taskId: string;
  readonly parentId?: string;
  readonly value?: string;
  readonly iteration?: number;
  readonly state: StateType;
  readonly attempts: number;
  readonly outputs?: Values;
  readonly source?: OutputSource;
  readonly properties: readonly RenderedProperty[];
}

/** A value from outside that was not given, so a placeholder was used. */
export interface Assumption {
  readonly kind: 'input' | 'kv' | 'secret' | 'file' | 'http' | 'subflow' | 'condition' | 'holiday';
  readonly name: string;
}

export interface DryRunResult {
  /** The execution as the API would show it. */
  readonly execution: Execution;
  readonly taskRuns: readonly DryTaskRun[];
  readonly logs: readonly DryLog[];
  /** Tasks of the flow that did not run. */
  readonly untaken: readonly string[];
  /** Properties of the flow itself: its outputs. */
  readonly properties: readonly RenderedProperty[];
  readonly assumptions: readonly Assumption[];
  /** Why it ended early, as a sentence. */
  readonly stopped?: string;
  /** Why it could not start: the errors of its inputs. */
  readonly inputErrors: readonly string[];
  /** Reads an expression in the context of the execution or of a task. */
  evaluate(expression: string, taskId?: string): unknown;
}
