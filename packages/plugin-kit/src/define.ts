import type { z } from 'zod';
import type { Emit, Variables } from './context.ts';
import type {
  AdditionalDefinition,
  ChartDefinition,
  ConditionContext,
  ConditionDefinition,
  ControlDefinition,
  DataFilterDefinition,
  Definition,
  Description,
  LogExporterDefinition,
  LogLine,
  MetricInfo,
  RunnerDefinition,
  RunnerJob,
  StorageDefinition,
  TaskContext,
  TaskDefinition,
  TriggerContext,
  TriggerDefinition,
  WebhookContext,
  WebhookDecision,
  WebhookRequest,
} from './definition.ts';
import type { Warning } from './failure.ts';
import type { Outputs } from './values.ts';

/**
 * A schema, or a function that creates it on first use. An instance uses few of the types, and creating all
 * schemas would take a tenth of its startup time.
 */
export type Later<S extends z.ZodObject> = S | (() => S);

/** A definition before its schemas are created. */
type Unmade<D extends Definition> = Omit<D, 'input' | 'output'> & {
  readonly input: Later<z.ZodObject>;
} & (D extends { readonly output: z.ZodObject } ? { readonly output: Later<z.ZodObject> } : unknown);

type Words = Omit<Description, 'input'>;

/** Adds the schemas; properties that the input does not declare are rejected. */
function withSchemas<D extends Definition>(options: Unmade<D>): D {
  const { input, output }: { input: Later<z.ZodObject>; output?: Later<z.ZodObject> } = options;
  const definition = Object.defineProperty(
    { ...options },
    'input',
    once(() => make(input).strict()),
  );
  if (output)
    Object.defineProperty(
      definition,
      'output',
      once(() => make(output)),
    );
  // `as`: the two properties complete the definition, which TypeScript cannot infer.
  return definition as unknown as D;
}

const make = <S extends z.ZodObject>(schema: Later<S>): S =>
  typeof schema === 'function' ? schema() : schema;

function once(makeSchema: () => z.ZodObject): PropertyDescriptor {
  let made: z.ZodObject | undefined;
  return {
    enumerable: true,
    get: () => {
      made ??= makeSchema();
      return made;
    },
  };
}

interface TaskOptions<I extends z.ZodObject, O extends z.ZodObject> extends Words {
  readonly input: Later<I>;
  readonly output: Later<O>;
  readonly metrics?: readonly MetricInfo[];
  readonly sideEffects: boolean;
  readonly raw?: readonly (keyof z.infer<I> & string)[];
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  run(context: TaskContext, input: z.infer<I>): Promise<z.input<O> | Warning> | z.input<O> | Warning;
}

/** Defines a task that a worker runs. The result is a plain value; this function registers nothing. */
export function defineTask<I extends z.ZodObject, O extends z.ZodObject>(
  options: TaskOptions<I, O>,
): TaskDefinition {
  // runTask parses with `input` before it calls `run`, so the narrower parameter always holds.
  return withSchemas<TaskDefinition>({
    ...options,
    kind: 'task',
    role: 'task',
    run: options.run as TaskDefinition['run'],
  });
}

/** Defines the description, schema and examples of a task that the engine implements. */
export const defineControl = (options: Omit<Unmade<ControlDefinition>, 'kind'>): ControlDefinition =>
  withSchemas<ControlDefinition>({ ...options, kind: 'task' });

interface TriggerOptions<I extends z.ZodObject> extends Words {
  readonly role: TriggerDefinition['role'];
  readonly input: Later<I>;
  readonly raw?: readonly (keyof z.infer<I> & string)[];
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  readonly output: Later<z.ZodObject>;
  poll?(context: TriggerContext, input: z.infer<I>): Promise<Outputs | undefined>;
  listen?(context: TriggerContext, input: z.infer<I>, emit: Emit): Promise<void>;
  receive?(
    context: WebhookContext,
    input: z.infer<I>,
    request: WebhookRequest,
  ): Promise<WebhookDecision> | WebhookDecision;
}

export function defineTrigger<I extends z.ZodObject>(options: TriggerOptions<I>): TriggerDefinition {
  const { poll, listen, receive, ...words } = options;
  // The trigger evaluator parses with `input` before it calls `poll`, `listen` or `receive`.
  return withSchemas<TriggerDefinition>({
    ...words,
    kind: 'trigger',
    ...(poll && { poll: poll as NonNullable<TriggerDefinition['poll']> }),
    ...(listen && { listen: listen as NonNullable<TriggerDefinition['listen']> }),
    ...(receive && { receive: receive as NonNullable<TriggerDefinition['receive']> }),
  });
}

interface ConditionOptions<I extends z.ZodObject> extends Words {
  readonly input: Later<I>;
  readonly onSchedule: boolean;
  test?(context: ConditionContext, input: z.infer<I>): Promise<boolean> | boolean;
}

export function defineCondition<I extends z.ZodObject>(options: ConditionOptions<I>): ConditionDefinition {
  const { test, ...words } = options;
  // The caller parses the properties with `input` before it calls `test`.
  return withSchemas<ConditionDefinition>({
    ...words,
    kind: 'condition',
    ...(test && { test: test as NonNullable<ConditionDefinition['test']> }),
  });
}

interface RunnerOptions<I extends z.ZodObject> extends Words {
  readonly input: Later<I>;
  readonly raw?: readonly (keyof z.infer<I> & string)[];
  run(context: TaskContext, input: z.infer<I>, job: RunnerJob): ReturnType<RunnerDefinition['run']>;
}

export function defineRunner<I extends z.ZodObject>(options: RunnerOptions<I>): RunnerDefinition {
  // The script task parses with `input` before it calls `run`.
  return withSchemas<RunnerDefinition>({
    ...options,
    kind: 'taskRunner',
    run: options.run as RunnerDefinition['run'],
  });
}

export const defineChart = (options: Omit<Unmade<ChartDefinition>, 'kind'>): ChartDefinition =>
  withSchemas<ChartDefinition>({ ...options, kind: 'chart' });

export const defineDataFilter = (options: Omit<Unmade<DataFilterDefinition>, 'kind'>): DataFilterDefinition =>
  withSchemas<DataFilterDefinition>({ ...options, kind: 'dataFilter' });

interface LogExporterOptions<I extends z.ZodObject> extends Words {
  readonly input: Later<I>;
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
  return withSchemas<LogExporterDefinition>({
    ...options,
    kind: 'logExporter',
    export: options.export as LogExporterDefinition['export'],
  });
}

interface AdditionalOptions<I extends z.ZodObject, T> extends Words {
  readonly place: string;
  readonly input: Later<I>;
  readonly raw?: readonly (keyof z.infer<I> & string)[];
  readonly renderWith?: (context: TaskContext) => Promise<Variables>;
  readonly metrics?: readonly MetricInfo[];
  create(context: TaskContext, input: z.infer<I>): T | Promise<T>;
}

/** Defines a part of a task, such as a model provider; `createPart` creates it when the task runs. */
export function defineAdditional<I extends z.ZodObject, T>(
  options: AdditionalOptions<I, T>,
): AdditionalDefinition {
  // `createPart` parses with `input` before it calls `create`.
  return withSchemas<AdditionalDefinition>({
    ...options,
    kind: 'additionalPlugin',
    create: options.create as AdditionalDefinition['create'],
  });
}

export const defineStorage = (options: Omit<Unmade<StorageDefinition>, 'kind'>): StorageDefinition =>
  withSchemas<StorageDefinition>({ ...options, kind: 'storage' });
