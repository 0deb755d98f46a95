import type { Example, TaskContext, TaskDefinition } from '@millrace/plugin-kit';
import {
  defineTask,
  dropMissing,
  type JsonMap,
  readJson,
  readJsonMap,
  type Summary,
  summarize,
  summaryProperties,
  TaskFailed,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { requestOptions } from './requestOptions.ts';
import { type ServiceRequest, sendRequest } from './sendRequest.ts';

/** Most tasks of this family only send and have no outputs. */
export const noOutput = () => z.object({});

/** The description that every type needs. */
export interface Words {
  readonly type: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly examples: readonly Example[];
}

export const urlProperty = (service: string) =>
  text().describe(`The address of the ${service} webhook. It is a password: keep it in a secret.`);

export const payloadProperty = () =>
  textOrJson().optional().describe('The message as JSON, in the format of the service.');

/** The properties of a webhook task, which the task that reports about an execution has too. */
export const webhookProperties = (service: string) => ({
  url: urlProperty(service),
  payload: payloadProperty(),
  options: requestOptions(),
});

/** How a service authenticates its caller. */
export type Login = Pick<ServiceRequest, 'headers' | 'secrets'>;

/** Sends `payload` to a webhook as it is. */
export function defineWebhook(words: Words & { readonly service: string }): TaskDefinition {
  const { service, ...rest } = words;
  return defineTask({
    ...rest,
    input: () => z.object(webhookProperties(service)),
    output: noOutput,
    sideEffects: true,
    run: async (context, { url, payload, options }) => {
      await sendRequest(context, { service, url, body: payloadOf(payload), options });
      return {};
    },
  });
}

/** Parses the required JSON payload; checked here because services respond with little more than "400". */
export function payloadOf(payload: string | undefined): unknown {
  if (payload === undefined || payload.trim() === '')
    throw new TaskFailed('"payload" must be given: the message as JSON.', { retry: false });
  return readJson(payload, 'payload');
}

type Shape = z.ZodRawShape;
type InputOf<S extends Shape> = z.infer<z.ZodObject<S>>;

interface SummaryTask<S extends Shape> extends Words {
  readonly properties: S;
  send(context: TaskContext, summary: Summary, input: InputOf<S>): Promise<unknown>;
}

/** A task that reports about an execution; how the report is written and sent is up to the service. */
export function defineSummary<S extends Shape>({
  properties,
  send,
  ...words
}: SummaryTask<S>): TaskDefinition {
  return defineTask({
    ...words,
    input: () => z.object({ ...summaryProperties, ...properties }),
    output: noOutput,
    sideEffects: true,
    run: async (context, read) => {
      // `as`: the schema is the sum of both.
      const input = read as InputOf<typeof summaryProperties> & InputOf<S>;
      await send(context, await summarize(context, input), input);
      return {};
    },
  });
}

type WebhookInput = InputOf<ReturnType<typeof webhookProperties>>;

interface WebhookSummary<S extends Shape> extends Words {
  readonly service: string;
  readonly properties?: S;
  /** The message in the format of the service. */
  readonly message: (summary: Summary, input: InputOf<S> & WebhookInput) => JsonMap;
  /** Headers that the properties require, and the secrets in them. */
  readonly login?: (input: InputOf<S> & WebhookInput) => Login;
}

/** Defines a report that is sent to a webhook. `payload` overrides the generated content. */
export function defineWebhookSummary<S extends Shape = Record<never, never>>({
  service,
  properties,
  message,
  login,
  ...words
}: WebhookSummary<S>): TaskDefinition {
  return defineSummary({
    ...words,
    // `as`: a task without own properties has none to add.
    properties: { ...webhookProperties(service), ...(properties ?? ({} as S)) },
    send: async (context, summary, read) => {
      // `as`: the schema is the sum of both.
      const input = read as InputOf<S> & WebhookInput;
      const { url, options } = input;
      const body = mergePayload(message(summary, input), input.payload);
      await sendRequest(context, { service, url, body, options, ...login?.(input) });
    },
  });
}

/** The author's keys replace the generated ones; the rest stays. */
export function mergePayload(made: JsonMap, payload: string | undefined): JsonMap {
  const written = payload === undefined || payload.trim() === '' ? {} : readJsonMap(payload, 'payload');
  return dropMissing({ ...made, ...written });
}

/** Complete example flows: a task, and the notification that is sent when it fails. */
export const onFailure = (type: string, properties: string, id = 'alert_on_failure'): Example => ({
  title: 'Report a failed execution from the `errors` tasks of a flow.',
  runs: false,
  code: `id: ${id}
namespace: company.team

tasks:
  - id: load
    type: core.execution.Fail
    errorMessage: The source is empty

errors:
  - id: alert
    type: ${type}
${indent(properties)}
`,
});

/** One flow that watches all flows of a namespace. */
export const onFlowFailure = (type: string, properties: string, id = 'watch_namespace'): Example => ({
  title: 'Report every failure in a namespace from one flow.',
  runs: false,
  code: `id: ${id}
namespace: company.monitoring

tasks:
  - id: alert
    type: ${type}
    executionId: "{{ trigger.executionId }}"
${indent(properties)}

triggers:
  - id: failures
    type: core.trigger.Flow
    states: [FAILED, WARNING]
    conditions:
      - type: core.condition.ExecutionNamespace
        namespace: company
        prefix: true
`,
});

/** One task in a flow. */
export const oneTask = (type: string, properties: string, title: string, id: string): Example => ({
  title,
  runs: false,
  code: `id: ${id}
namespace: company.team

tasks:
  - id: send
    type: ${type}
${indent(properties)}
`,
});

const indent = (lines: string): string => lines.trim().replace(/^(?=.)/gm, '    ');
