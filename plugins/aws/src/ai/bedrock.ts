import {
  anything,
  type Definition,
  defineTask,
  dropMissing,
  listOf,
  mapOf,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { encodePart } from '../client/awsClient.ts';
import { taskConnection } from '../client/connection.ts';
import { readEventStream } from '../client/eventStream.ts';
import { taskExample } from '../client/example.ts';
import { openClient } from '../client/openClient.ts';

const modelId = text().describe('The model or inference profile.');

const converseProperties = {
  ...taskConnection,
  modelId,
  messages: listOf(mapOf(text()), { min: 1 }).describe('The conversation: maps with `role` and `content`.'),
  system: text().optional().describe('Instructions for the model.'),
  inferenceConfig: mapOf(anything())
    .optional()
    .describe('Options such as `maxTokens`, `temperature` and `topP`.'),
};

const converseOutput = z.object({
  modelId: z.string().describe('The model.'),
  content: z.string().describe('The answer.'),
  stopReason: z.string().optional().describe('Why it ended.'),
  inputTokens: z.number().optional().describe('How many tokens were read.'),
  outputTokens: z.number().optional().describe('How many tokens were written.'),
});

interface Converse {
  readonly messages: readonly Readonly<Record<string, string>>[];
  readonly system?: string | undefined;
  readonly inferenceConfig?: Readonly<Record<string, unknown>> | undefined;
}

const toBody = ({ messages, system, inferenceConfig }: Converse) => ({
  messages: messages.map(({ role = 'user', content = '' }) => ({ role, content: [{ text: content }] })),
  ...(system !== undefined && { system: [{ text: system }] }),
  ...(inferenceConfig && { inferenceConfig: toNumbers(inferenceConfig) }),
});

/** Rendered options are texts, and the service wants numbers. */
const toNumbers = (options: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value))
        ? Number(value)
        : value,
    ]),
  );

const Usage = z.looseObject({ inputTokens: z.number().optional(), outputTokens: z.number().optional() });
const Answer = z.object({
  output: z.object({
    message: z.object({ content: z.array(z.looseObject({ text: z.string().optional() })) }).optional(),
  }),
  stopReason: z.string().optional(),
  usage: Usage.optional(),
});

const exampleLines = [
  'modelId: eu.anthropic.claude-sonnet-4-20250514-v1:0',
  'messages:',
  '  - role: user',
  '    content: What is a weir?',
  'inferenceConfig:',
  '  maxTokens: 200',
];

const converse = defineTask({
  type: 'aws.bedrock.Converse',
  title: 'Ask a model of Bedrock',
  description: 'Sends a conversation to a model and returns its answer.',
  input: () => z.object(converseProperties),
  output: converseOutput,
  sideEffects: true,
  examples: [taskExample('aws.bedrock.Converse', 'Ask a question.', exampleLines)],
  async run(context, input) {
    const client = await openClient(context, input, 'bedrockRuntime');
    const path = `/model/${encodePart(input.modelId)}/converse`;
    const answer = await client.rest({ action: 'Converse', method: 'POST', path }, toBody(input), Answer);
    const content = answer.output.message?.content.map(({ text = '' }) => text).join('') ?? '';
    return {
      modelId: input.modelId,
      content,
      ...dropMissing({ stopReason: answer.stopReason, ...answer.usage }),
    };
  },
});

const Delta = z.looseObject({ delta: z.looseObject({ text: z.string().optional() }).optional() });
const Stop = z.looseObject({ stopReason: z.string().optional() });
const Metadata = z.looseObject({ usage: Usage.optional() });

const converseStream = defineTask({
  type: 'aws.bedrock.ConverseStream',
  title: 'Ask a model of Bedrock and read its answer as it comes',
  description:
    'Sends a conversation to a model and reads the answer piece by piece, which avoids time limits of long answers.',
  input: () => z.object(converseProperties),
  output: converseOutput,
  sideEffects: true,
  examples: [taskExample('aws.bedrock.ConverseStream', 'Ask a question.', exampleLines)],
  async run(context, input) {
    const client = await openClient(context, input, 'bedrockRuntime');
    const response = await client.send({
      action: 'ConverseStream',
      method: 'POST',
      path: `/model/${encodePart(input.modelId)}/converse-stream`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(toBody(input)),
    });
    let content = '';
    let stopReason: string | undefined;
    let usage: z.infer<typeof Usage> = {};
    for await (const { type, payload } of readEventStream(response.body)) {
      if (type === 'contentBlockDelta') content += Delta.parse(payload).delta?.text ?? '';
      else if (type === 'messageStop') stopReason = Stop.parse(payload).stopReason;
      else if (type === 'metadata') usage = Metadata.parse(payload).usage ?? {};
    }
    const { inputTokens, outputTokens } = usage;
    return { modelId: input.modelId, content, ...dropMissing({ stopReason, inputTokens, outputTokens }) };
  },
});

const invoke = defineTask({
  type: 'aws.bedrock.InvokeModel',
  title: 'Invoke a model of Bedrock',
  description: 'Sends a body in the format of the model and returns its answer in the same format.',
  input: () =>
    z.object({
      ...taskConnection,
      modelId,
      body: mapOf(anything()).describe('The request, as the model wants it.'),
    }),
  output: () =>
    z.object({
      modelId: z.string().describe('The model.'),
      body: z.record(z.string(), z.unknown()).describe('The answer of the model.'),
    }),
  sideEffects: true,
  examples: [
    taskExample('aws.bedrock.InvokeModel', 'Compute an embedding.', [
      'modelId: amazon.titan-embed-text-v2:0',
      'body:',
      '  inputText: A weir holds back water.',
    ]),
  ],
  async run(context, { modelId: id, body, ...connection }) {
    const client = await openClient(context, connection, 'bedrockRuntime');
    const path = `/model/${encodePart(id)}/invoke`;
    const answer = await client.rest(
      { action: 'InvokeModel', method: 'POST', path, headers: { accept: 'application/json' } },
      body,
      z.record(z.string(), z.unknown()),
    );
    return { modelId: id, body: answer };
  },
});

const list = defineTask({
  type: 'aws.bedrock.ListFoundationModels',
  title: 'List the models of Bedrock',
  description: 'Returns the foundation models of a region.',
  input: () =>
    z.object({
      ...taskConnection,
      byProvider: text().optional().describe('Only models of this provider.'),
      byOutputModality: text().optional().describe('Only models that make `TEXT`, `IMAGE` or `EMBEDDING`.'),
      byInferenceType: text()
        .optional()
        .describe('Only models that can be used `ON_DEMAND` or `PROVISIONED`.'),
    }),
  output: () => z.object({ models: z.array(z.record(z.string(), z.unknown())).describe('The models.') }),
  sideEffects: true,
  examples: [
    taskExample('aws.bedrock.ListFoundationModels', 'List models for text.', ['byOutputModality: TEXT']),
  ],
  async run(context, { byProvider, byOutputModality, byInferenceType, ...connection }) {
    const client = await openClient(context, connection, 'bedrock');
    const { modelSummaries } = await client.rest(
      {
        action: 'ListFoundationModels',
        method: 'GET',
        path: '/foundation-models',
        query: { byProvider, byOutputModality, byInferenceType },
      },
      undefined,
      z.object({ modelSummaries: z.array(z.record(z.string(), z.unknown())).default([]) }),
    );
    return { models: modelSummaries };
  },
});

export const bedrockTypes: readonly Definition[] = [converse, converseStream, invoke, list];
