import type { z } from 'zod';
import type { Emit, TaskContext, TriggerContext, Variables } from './context.ts';
import type {
  ChartDefinition,
  ConditionContext,
  ConditionDefinition,
  ControlDefinition,
  DataFilterDefinition,
  Description,
  LogExporterDefinition,
  LogLine,
  MetricInfo,
  Outputs,
  RunnerDefinition,
  RunnerJob,
  StorageDefinition,
  TaskDefinition,
  TriggerDefinition,
} from './definition.ts';
import type { Warning } from './failure.ts';

interface TaskOptions<I extends z.ZodObject, O extends z.ZodObject> extends Description {
  readonly input: I;
  readonly output: O;
  readonly metrics?: readonly MetricInfo[];
  readonly sideEffects: boolean;
  readonly raw?: readonly (keyof z.infer<I> & string)[];
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  run(context: TaskContext, input: z.infer<I>): Promise<z.input<O> | Warning> | z.input<O> | Warning;
}

/** A task that a worker runs. The result is a plain value; nothing is registered anywhere. */
export function defineTask<I extends z.ZodObject, O extends z.ZodObject>(
  options: TaskOptions<I, O>,
): TaskDefinition {
  // runTask parses with `input` before it calls `run`, so the narrower parameter always holds.
  return {
    ...options,
    kind: 'task',
    role: 'task',
    input: options.input.strict(),
    run: options.run as TaskDefinition['run'],
  };
}

/** Words, schema and examples of a task whose behaviour lives in the engine. */
export const defineControl = (options: Omit<ControlDefinition, 'kind'>): ControlDefinition => ({
  ...options,
  kind: 'task',
  input: options.input.strict(),
});

interface TriggerOptions<I extends z.ZodObject> extends Description {
  readonly role: TriggerDefinition['role'];
  readonly input: I;
  readonly raw?: readonly (keyof z.infer<I> & string)[];
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  readonly output: z.ZodObject;
  poll?(context: TriggerContext, input: z.infer<I>): Promise<Outputs | undefined>;
  listen?(context: TriggerContext, input: z.infer<I>, emit: Emit): Promise<void>;
}

export function defineTrigger<I extends z.ZodObject>(options: TriggerOptions<I>): TriggerDefinition {
  const { poll, listen, ...words } = options;
  // Whoever evaluates a trigger parses with `input` before it calls `poll` or `listen`.
  return {
    ...words,
    kind: 'trigger',
    input: options.input.strict(),
    ...(poll && { poll: poll as NonNullable<TriggerDefinition['poll']> }),
    ...(listen && { listen: listen as NonNullable<TriggerDefinition['listen']> }),
  };
}

interface ConditionOptions<I extends z.ZodObject> extends Description {
  readonly input: I;
  readonly onSchedule: boolean;
  test?(context: ConditionContext, input: z.infer<I>): Promise<boolean> | boolean;
}

export function defineCondition<I extends z.ZodObject>(options: ConditionOptions<I>): ConditionDefinition {
  const { test, ...words } = options;
  // Whoever asks a condition parses with `input` before it calls `test`.
  return {
    ...words,
    kind: 'condition',
    input: options.input.strict(),
    ...(test && { test: test as NonNullable<ConditionDefinition['test']> }),
  };
}

interface RunnerOptions<I extends z.ZodObject> extends Description {
  readonly input: I;
  run(context: TaskContext, input: z.infer<I>, job: RunnerJob): ReturnType<RunnerDefinition['run']>;
}

export function defineRunner<I extends z.ZodObject>(options: RunnerOptions<I>): RunnerDefinition {
  // The script task parses with `input` before it calls `run`.
  return {
    ...options,
    kind: 'taskRunner',
    input: options.input.strict(),
    run: options.run as RunnerDefinition['run'],
  };
}

export const defineChart = (options: Omit<ChartDefinition, 'kind'>): ChartDefinition => ({
  ...options,
  kind: 'chart',
  input: options.input.strict(),
});

export const defineDataFilter = (options: Omit<DataFilterDefinition, 'kind'>): DataFilterDefinition => ({
  ...options,
  kind: 'dataFilter',
  input: options.input.strict(),
});

interface LogExporterOptions<I extends z.ZodObject> extends Description {
  readonly input: I;
  export(
    context: TaskContext,
    input: z.infer<I>,
    lines: AsyncIterable<LogLine>,
  ): ReturnType<LogExporterDefinition['export']>;
}

export function defineLogExporter<I extends z.ZodObject>(
  options: LogExporterOptions<I>,
): LogExporterDefinition {
  // The task that ships the log parses with `input` before it calls `export`.
  return {
    ...options,
    kind: 'logExporter',
    input: options.input.strict(),
    export: options.export as LogExporterDefinition['export'],
  };
}

export const defineStorage = (options: Omit<StorageDefinition, 'kind'>): StorageDefinition => ({
  ...options,
  kind: 'storage',
  input: options.input.strict(),
});
