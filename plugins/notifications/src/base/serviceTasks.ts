import type { Example, TaskContext, TaskDefinition } from '@millrace/plugin-kit';
import {
  defineTask,
  type Summary,
  summarize,
  summaryProperties,
  TaskFailed,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { dropMissing, type JsonMap, readJson, readJsonMap } from './jsonText.ts';
import { requestOptions } from './requestOptions.ts';
import { type ServiceRequest, sendRequest } from './sendRequest.ts';

/** Most tasks of this family send and have nothing to return. */
export const noOutput = () => z.object({});

/** The words that every type needs. */
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

/** How a service knows its caller. */
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

/** The payload, which must be there and be JSON; checked here because services answer with little more than "400". */
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
  /** Headers that the properties ask for, and the secrets in them. */
  readonly login?: (input: InputOf<S> & WebhookInput) => Login;
}

/** A report that is sent to a webhook. What `payload` says wins over what the task makes up itself. */
export function defineWebhookSummary<S extends Shape = Record<never, never>>({
  service,
  properties,
  message,
  login,
  ...words
}: WebhookSummary<S>): TaskDefinition {
  return defineSummary({
    ...words,
    // `as`: without properties of its own there are none.
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

/** The keys that the author wrote replace those that were made; the rest stays. */
export function mergePayload(made: JsonMap, payload: string | undefined): JsonMap {
  const written = payload === undefined || payload.trim() === '' ? {} : readJsonMap(payload, 'payload');
  return dropMissing({ ...made, ...written });
}

/** Whole flows as examples: what is tried, and what is sent when it fails. */
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
