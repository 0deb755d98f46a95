import {
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  type Example,
  fixed,
  type Later,
  listOf,
  type MetricInfo,
  type TaskContext,
  type TaskDefinition,
  type TriggerContext,
  type TriggerDefinition,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Google, openGoogle, projectOf } from './client.ts';
import { cloudPlatform } from './credentials.ts';

export type { Definition };

export const serviceAccountProperty = () =>
  text()
    .optional()
    .describe(
      'The key of a service account, as JSON. Without it the application default credentials of the server are used.',
    );

export const scopesProperty = (...scopes: readonly string[]) =>
  listOf(text())
    .default([...scopes])
    .describe('The OAuth scopes of the access token.');

/** The properties of every task and trigger of Google Cloud. */
export const gcpProperties = {
  projectId: text().optional().describe('The project; that of the credentials when absent.'),
  serviceAccount: serviceAccountProperty(),
  impersonatedServiceAccount: text()
    .optional()
    .describe('The mail address of a service account that the credentials act for.'),
  scopes: scopesProperty(cloudPlatform),
};

type Shape = z.ZodRawShape;
type InputOf<S extends Shape> = z.infer<z.ZodObject<S>>;
export type GcpInput = InputOf<typeof gcpProperties>;

/** A client with its project. */
export interface Cloud {
  readonly google: Google;
  /** The project of the task, resolved on first use. */
  project(): Promise<string>;
}

export function openCloud(context: TaskContext, input: GcpInput): Cloud {
  const google = openGoogle(context, input);
  return { google, project: () => projectOf(context, input) };
}

interface Words {
  readonly type: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly examples: readonly Example[];
  readonly check?: NonNullable<TaskDefinition['check']>;
}

interface TaskOptions<S extends Shape, O extends z.ZodObject> extends Words {
  readonly properties: S;
  readonly output: Later<O>;
  readonly metrics?: readonly MetricInfo[];
  run(cloud: Cloud, input: InputOf<S> & GcpInput, context: TaskContext): Promise<z.input<O>>;
}

/** A task with the login of Google Cloud. */
export function defineGcpTask<S extends Shape, O extends z.ZodObject>({
  properties,
  run,
  ...words
}: TaskOptions<S, O>): TaskDefinition {
  return defineTask({
    ...words,
    input: () => z.object({ ...gcpProperties, ...properties }),
    sideEffects: true,
    run: (context, read) => {
      // `as`: the schema is the sum of both.
      const input = read as InputOf<S> & GcpInput;
      return run(openCloud(context, input), input, context);
    },
  });
}

interface TriggerOptions<S extends Shape> extends Words {
  readonly properties: S;
  readonly interval?: string;
  readonly output: Later<z.ZodObject>;
  poll(
    cloud: Cloud,
    input: InputOf<S> & GcpInput & { readonly interval: number },
    context: TriggerContext,
  ): Promise<Readonly<Record<string, unknown>> | undefined>;
}

export const intervalProperty = (standard: string) =>
  fixed(duration()).prefault(standard).describe('The pause between two polls.');

/** A polling trigger with the login of Google Cloud. */
export function defineGcpTrigger<S extends Shape>({
  properties,
  interval = 'PT60S',
  poll,
  ...words
}: TriggerOptions<S>): TriggerDefinition {
  return defineTrigger({
    ...words,
    role: 'polling',
    input: () => z.object({ ...gcpProperties, interval: intervalProperty(interval), ...properties }),
    poll: (context, read) => {
      // `as`: the schema is the sum of both.
      const input = read as unknown as InputOf<S> & GcpInput & { readonly interval: number };
      return poll(openCloud(context, input), input, context);
    },
  });
}

const login = `    projectId: my-project
    serviceAccount: "{{ secret('GCP_SERVICE_ACCOUNT') }}"`;

const indent = (lines: string, by: number): string => lines.trim().replace(/^(?=.)/gm, ' '.repeat(by));

interface More {
  readonly id?: string;
  readonly inputs?: string;
  /** Tasks before and after, as YAML. */
  readonly before?: string;
  readonly then?: string;
  /** The lines of the login, when they differ. */
  readonly login?: string;
}

/** A complete flow around one task. */
export function taskExample(type: string, title: string, lines: string, more: More = {}): Example {
  const name = type.split('.').slice(-2).join('_').toLowerCase();
  return {
    title,
    runs: false,
    code: [
      `id: ${more.id ?? name}\nnamespace: company.team\n`,
      ...(more.inputs ? [`inputs:\n${indent(more.inputs, 2)}\n`] : []),
      `tasks:${more.before ? `\n${indent(more.before, 2)}\n` : ''}`,
      `  - id: ${type.split('.').at(-1)?.toLowerCase()}\n    type: ${type}\n${more.login ?? login}\n${indent(lines, 4)}`,
      ...(more.then ? [`\n${indent(more.then, 2)}`] : []),
      '',
    ].join('\n'),
  };
}

/** A complete flow around one trigger. */
export function triggerExample(
  type: string,
  title: string,
  lines: string,
  message: string,
  ownLogin = login,
): Example {
  return {
    title,
    runs: false,
    code: `id: ${type.split('.').slice(-2).join('_').toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "${message}"

triggers:
  - id: watch
    type: ${type}
${ownLogin}
${indent(lines, 4)}
`,
  };
}

export const fileInput = `- id: file
  type: FILE`;

export const counter = (name: string, description: string): MetricInfo => ({
  name,
  type: 'counter',
  description,
});
export const timer = (name: string, description: string): MetricInfo => ({
  name,
  type: 'timer',
  description,
});

/** Reports numbers of a response as metrics; missing numbers are skipped. */
export function count(
  context: Pick<TaskContext, 'metric'>,
  metrics: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, value] of Object.entries(metrics))
    if (value !== undefined) context.metric({ name, type: name === 'duration' ? 'timer' : 'counter', value });
}
