import { randomBytes } from 'node:crypto';
import {
  aPart,
  createPart,
  cutText,
  defineAdditional,
  duration,
  flag,
  integer,
  messageOf,
  type Properties,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callText } from './callJson.ts';
import type { Outcome } from './converse.ts';
import { oneTask, openAI } from './example.ts';
import type { ModelProvider } from './modelProvider.ts';

const place = 'Observability';

export const observabilityProperty = () =>
  aPart(place).optional().describe('Where traces of the conversation are sent.');

interface Asked {
  readonly provider: ModelProvider;
  readonly prompt: string;
  readonly systemMessage?: string | undefined;
}

interface Observer {
  report(asked: Asked, outcome: Outcome, startedAt: number): Promise<void>;
}

/** Runs the work and reports its result. A report that cannot be sent is logged as a warning. */
export async function observe(
  context: TaskContext,
  written: Properties | undefined,
  asked: Asked,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  if (!written) return work();
  const observer = await createPart<Observer>(context, place, written, { isRendered: true });
  const startedAt = Date.now();
  const outcome = await work();
  await observer
    .report(asked, outcome, startedAt)
    .catch((error: unknown) => context.log('WARN', `The trace could not be sent: ${messageOf(error)}`));
  return outcome;
}

const capture = (what: string) => flag().default(false).describe(`Send ${what} along.`);

export const langfuse = defineAdditional({
  place,
  type: 'ai.observability.LangfuseObservability',
  title: 'Traces in Langfuse',
  description:
    'Sends one trace for each conversation to Langfuse, as OpenTelemetry: the model, tokens, duration and tools. Texts are sent only when asked for.',
  input: () =>
    z.object({
      endpoint: text().default('https://cloud.langfuse.com').describe('The address of Langfuse.'),
      publicKey: text().describe('The public key.'),
      secretKey: text().describe('The secret key.'),
      serviceName: text().default('millrace').describe('The name of the service in traces.'),
      environment: text().optional().describe('The environment in traces.'),
      release: text().optional().describe('The release in traces.'),
      capturePrompt: capture('the prompt'),
      captureSystemMessage: capture('the system message'),
      captureOutput: capture('the response'),
      captureToolArguments: capture('what tools were given'),
      captureToolResults: capture('what tools returned'),
      maxPayloadChars: integer({ min: 1 }).default(10_000).describe('Longer texts are cut.'),
      exportTimeout: duration().prefault('PT10S').describe('How long to wait for Langfuse.'),
    }),
  examples: [
    oneTask(
      'traced_agent',
      'ai.agent.AIAgent',
      'Send traces to Langfuse.',
      `${openAI()}
prompt: Write a haiku about rivers.
observability:
  type: ai.observability.LangfuseObservability
  publicKey: "{{ secret('LANGFUSE_PUBLIC_KEY') }}"
  secretKey: "{{ secret('LANGFUSE_SECRET_KEY') }}"
  capturePrompt: true
  captureOutput: true`,
    ),
  ],
  create: (context, input): Observer => ({
    async report({ provider, prompt, systemMessage }, outcome, startedAt) {
      context.masker.add(input.secretKey);
      const cut = (value: string) => cutText(context.masker.mask(value), input.maxPayloadChars);
      const traceId = randomBytes(16).toString('hex');
      const parentSpanId = randomBytes(8).toString('hex');
      const model = span(traceId, parentSpanId, 'chat', startedAt, Date.now(), {
        'langfuse.observation.type': 'generation',
        'gen_ai.system': provider.name,
        'gen_ai.request.model': provider.modelName,
        'gen_ai.usage.input_tokens': outcome.tokenUsage.inputTokenCount,
        'gen_ai.usage.output_tokens': outcome.tokenUsage.outputTokenCount,
        'langfuse.session.id': context.run.executionId,
        'langfuse.trace.name': `${context.run.flowId}.${context.run.taskId}`,
        ...(input.environment !== undefined && { 'langfuse.environment': input.environment }),
        ...(input.release !== undefined && { 'langfuse.release': input.release }),
        ...(input.capturePrompt && { 'langfuse.observation.input': cut(prompt) }),
        ...(input.captureSystemMessage &&
          systemMessage !== undefined && { 'langfuse.observation.metadata.system': cut(systemMessage) }),
        ...(input.captureOutput && { 'langfuse.observation.output': cut(outcome.text) }),
      });
      const tools = outcome.toolExecutions.map(({ requestName, requestArguments, result }) => ({
        ...span(traceId, randomBytes(8).toString('hex'), requestName, startedAt, Date.now(), {
          'langfuse.observation.type': 'tool',
          ...(input.captureToolArguments && {
            'langfuse.observation.input': cut(JSON.stringify(requestArguments)),
          }),
          ...(input.captureToolResults && { 'langfuse.observation.output': cut(result) }),
        }),
        parentSpanId,
      }));
      const login = Buffer.from(`${input.publicKey}:${input.secretKey}`).toString('base64');
      await callText(context, {
        service: 'Langfuse',
        url: `${input.endpoint.replace(/\/+$/, '')}/api/public/otel/v1/traces`,
        headers: { authorization: `Basic ${login}` },
        body: {
          resourceSpans: [
            {
              resource: { attributes: attributes({ 'service.name': input.serviceName }) },
              scopeSpans: [{ scope: { name: 'millrace' }, spans: [model, ...tools] }],
            },
          ],
        },
        readIdleTimeoutMs: input.exportTimeout,
      });
    },
  }),
});

type Attributes = Readonly<Record<string, string | number>>;

const span = (
  traceId: string,
  spanId: string,
  name: string,
  startedAt: number,
  endedAt: number,
  values: Attributes,
) => ({
  traceId,
  spanId,
  name,
  kind: 3,
  startTimeUnixNano: `${startedAt}000000`,
  endTimeUnixNano: `${endedAt}000000`,
  attributes: attributes(values),
});

const attributes = (values: Attributes) =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
