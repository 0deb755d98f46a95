import {
  choice,
  defineAdditional,
  importModule,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { AwsClient } from 'aws4fetch';
import { z } from 'zod';
import { isMap, type JsonMap, mapIn } from '../base/callJson.ts';
import { askProvider } from '../base/example.ts';
import { fetchOf } from '../base/httpFetch.ts';
import {
  baseUrlProperty,
  certificatesOf,
  type ModelProvider,
  modelPlace,
  modelProperties,
} from '../base/modelProvider.ts';
import { fromConverse, toConverse } from './bedrockMessages.ts';

const defaultRegion = 'us-east-1';

export const amazonBedrock = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.AmazonBedrock',
  aliases: ['langchain4j.provider.AmazonBedrock'],
  title: 'Models of Amazon Bedrock',
  description: `Chat models of Amazon Bedrock through its Converse API, and embedding models of Cohere and Amazon Titan.
Responses are read as a whole. The region is \`us-east-1\`; for another one set \`baseUrl\` to the address of its runtime, such as
\`https://bedrock-runtime.eu-central-1.amazonaws.com\`.`,
  input: () =>
    z.object({
      ...modelProperties(),
      accessKeyId: text().describe('The id of the access key.'),
      secretAccessKey: text().describe('The secret access key.'),
      modelType: choice(['COHERE', 'TITAN'])
        .default('COHERE')
        .describe('The kind of the embedding model, whose requests differ.'),
      baseUrl: baseUrlProperty(),
    }),
  examples: [
    askProvider(
      'bedrock',
      'ai.provider.AmazonBedrock',
      `modelName: amazon.nova-lite-v1:0
accessKeyId: "{{ secret('AWS_ACCESS_KEY_ID') }}"
secretAccessKey: "{{ secret('AWS_SECRET_KEY_ID') }}"`,
    ),
  ],
  create: (context, input) => bedrockModels(context, input),
});

interface Bedrock {
  readonly modelName: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly modelType: 'COHERE' | 'TITAN';
  readonly baseUrl?: string | undefined;
  readonly clientPem?: string | undefined;
  readonly caPem?: string | undefined;
}

function bedrockModels(context: TaskContext, input: Bedrock): ModelProvider {
  const { modelName, modelType } = input;
  context.masker.add(input.secretAccessKey);
  const call = (action: string, body: unknown) => send(context, input, action, body);
  return {
    name: 'Amazon Bedrock',
    modelName,
    chat: async () => ({
      specificationVersion: 'v3',
      provider: 'bedrock',
      modelId: modelName,
      supportedUrls: {},
      doGenerate: async (options) => fromConverse(await call('converse', toConverse(options))),
      doStream: () => Promise.reject(new Error('Responses are read as a whole.')),
    }),
    embedding: async () => ({
      specificationVersion: 'v3',
      provider: 'bedrock',
      modelId: modelName,
      maxEmbeddingsPerCall: modelType === 'COHERE' ? 96 : 1,
      supportsParallelCalls: false,
      doEmbed: async ({ values }) =>
        modelType === 'COHERE'
          ? readCohere(await call('invoke', { texts: values, input_type: 'search_document' }))
          : readTitan(await call('invoke', { inputText: values[0] })),
    }),
  };
}

const readCohere = (body: JsonMap) => ({
  embeddings: (Array.isArray(body.embeddings) ? body.embeddings : []) as number[][],
  warnings: [],
});

const readTitan = (body: JsonMap) => ({
  embeddings: [(Array.isArray(body.embedding) ? body.embedding : []) as number[]],
  usage: { tokens: Number(body.inputTextTokenCount ?? 0) },
  warnings: [],
});

/** An error in the shape that `callModel` reads. */
class BedrockError extends Error {
  readonly isRetryable = true;
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

async function send(context: TaskContext, input: Bedrock, action: string, body: unknown): Promise<JsonMap> {
  const { AwsClient: Client } = await importModule<{ AwsClient: typeof AwsClient }>('aws4fetch');
  const { accessKeyId, secretAccessKey } = input;
  const base = (input.baseUrl ?? `https://bedrock-runtime.${defaultRegion}.amazonaws.com`).replace(
    /\/+$/,
    '',
  );
  if (!URL.canParse(base)) throw new TaskFailed(`"${base}" is not an address.`, { retry: false });
  const region = /\.([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(base)?.[1] ?? defaultRegion;
  const signer = new Client({ accessKeyId, secretAccessKey, region, service: 'bedrock' });
  const request = await signer.sign(`${base}/model/${encodeURIComponent(input.modelName)}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  });
  const response = await fetchOf(context, certificatesOf(input))(request);
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.status < 300) return mapIn(answer);
  const said = isMap(answer) ? String(answer.message ?? answer.Message ?? '') : '';
  throw new BedrockError(response.status, said);
}
