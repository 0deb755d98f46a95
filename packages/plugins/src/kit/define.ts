import type { z } from 'zod';
import type { TaskContext, Variables } from './context.ts';
import type {
  ChartDefinition,
  ConditionDefinition,
  ControlDefinition,
  DataFilterDefinition,
  Description,
  MetricInfo,
  Outputs,
  RunnerDefinition,
  RunnerJob,
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
  readonly output: z.ZodObject;
  poll?(context: TaskContext, input: z.infer<I>): Promise<Outputs | undefined>;
}

export function defineTrigger<I extends z.ZodObject>(options: TriggerOptions<I>): TriggerDefinition {
  const { poll, ...words } = options;
  // The scheduler's worker parses with `input` before it calls `poll`.
  return {
    ...words,
    kind: 'trigger',
    input: options.input.strict(),
    ...(poll && { poll: poll as NonNullable<TriggerDefinition['poll']> }),
  };
}

export const defineCondition = (options: Omit<ConditionDefinition, 'kind'>): ConditionDefinition => ({
  ...options,
  kind: 'condition',
  input: options.input.strict(),
});

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
