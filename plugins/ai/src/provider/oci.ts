import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3GenerateResult,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import { defineAdditional, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { isMap, type JsonMap, mapIn, mapsIn, numberIn, textIn } from '../base/callJson.ts';
import { askProvider } from '../base/example.ts';
import { fetchOf } from '../base/httpFetch.ts';
import {
  baseUrlProperty,
  certificatesOf,
  type ModelProvider,
  modelPlace,
  modelProperties,
} from '../base/modelProvider.ts';
import { type OciKey, readOciKey, signOciPost } from './ociSignature.ts';

export const ociGenAI = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.OciGenAI',
  title: 'Models of Oracle Cloud (OCI Generative AI)',
  description: `Chat models of OCI Generative AI with its generic API (Meta, xAI, OpenAI, Google), and embedding models. Requests are signed with the API key
of the configuration file of Oracle's tools on the worker. Chat models of Cohere have another API there and are not supported. Responses are read as a whole.`,
  input: () =>
    z.object({
      ...modelProperties(),
      compartmentId: text().describe('The OCID of the compartment.'),
      region: text().describe('The region, such as `eu-frankfurt-1`.'),
      authProvider: text()
        .optional()
        .describe('The profile of the configuration file of the worker; `DEFAULT` when absent.'),
      baseUrl: baseUrlProperty(),
    }),
  examples: [
    askProvider(
      'oracle',
      'ai.provider.OciGenAI',
      `modelName: meta.llama-3.3-70b-instruct
region: eu-frankfurt-1
compartmentId: "{{ secret('OCI_COMPARTMENT') }}"`,
    ),
  ],
  create: async (context, input): Promise<ModelProvider> => {
    const { modelName, compartmentId } = input;
    const key = await readOciKey(input.authProvider ?? 'DEFAULT');
    const common = { compartmentId, servingMode: { servingType: 'ON_DEMAND', modelId: modelName } };
    const call = (action: string, body: JsonMap) => send(context, input, key, action, { ...common, ...body });
    return {
      name: 'OCI Generative AI',
      modelName,
      chat: async () => {
        if (modelName.startsWith('cohere.'))
          throw new TaskFailed('Chat models of Cohere are not supported on Oracle Cloud.', { retry: false });
        return {
          specificationVersion: 'v3',
          provider: 'oci',
          modelId: modelName,
          supportedUrls: {},
          doGenerate: async (options) => fromChat(await call('chat', { chatRequest: toChat(options) })),
          doStream: () => Promise.reject(new Error('Responses are read as a whole.')),
        };
      },
      embedding: async () => ({
        specificationVersion: 'v3',
        provider: 'oci',
        modelId: modelName,
        maxEmbeddingsPerCall: 96,
        supportsParallelCalls: false,
        doEmbed: async ({ values }) => {
          const { embeddings } = await call('embedText', { inputs: values, truncate: 'END' });
          // `as`: the service returns a list of numbers for each text.
          return { embeddings: (Array.isArray(embeddings) ? embeddings : []) as number[][], warnings: [] };
        },
      }),
    };
  },
});

function toChat(options: LanguageModelV3CallOptions): JsonMap {
  const { prompt, tools = [], maxOutputTokens, temperature, topP, topK, stopSequences } = options;
  const functions = tools.flatMap((tool) =>
    tool.type === 'function'
      ? [{ type: 'FUNCTION', name: tool.name, description: tool.description, parameters: tool.inputSchema }]
      : [],
  );
  return {
    apiFormat: 'GENERIC',
    isStream: false,
    messages: prompt.flatMap(toMessages),
    ...(functions.length > 0 && { tools: functions }),
    ...(maxOutputTokens !== undefined && { maxTokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(stopSequences?.length && { stop: stopSequences }),
    ...(options.responseFormat?.type === 'json' && { responseFormat: toFormat(options.responseFormat) }),
  };
}

const toFormat = ({ schema, name = 'response' }: { schema?: object; name?: string }) =>
  schema ? { type: 'JSON_SCHEMA', jsonSchema: { name, schema, isStrict: true } } : { type: 'JSON_OBJECT' };

const asText = (value: string) => [{ type: 'TEXT', text: value }];

function toMessages(message: LanguageModelV3Message): JsonMap[] {
  if (message.role === 'system') return [{ role: 'SYSTEM', content: asText(message.content) }];
  if (message.role === 'tool')
    return message.content.flatMap((one) => {
      if (one.type !== 'tool-result') return [];
      const value = 'value' in one.output ? one.output.value : '';
      const said = typeof value === 'string' ? value : JSON.stringify(value);
      return [{ role: 'TOOL', toolCallId: one.toolCallId, content: asText(said) }];
    });
  const content = message.content.flatMap((one): JsonMap[] => {
    if (one.type === 'text') return asText(one.text);
    if (one.type !== 'file') return [];
    if (!(one.data instanceof Uint8Array) || !one.mediaType.startsWith('image/'))
      throw new TaskFailed('OCI Generative AI takes only images as files.', { retry: false });
    const url = `data:${one.mediaType};base64,${Buffer.from(one.data).toString('base64')}`;
    return [{ type: 'IMAGE', imageUrl: { url } }];
  });
  const toolCalls = message.content.flatMap((one) =>
    one.type === 'tool-call'
      ? [{ id: one.toolCallId, type: 'FUNCTION', name: one.toolName, arguments: JSON.stringify(one.input) }]
      : [],
  );
  return [{ role: message.role.toUpperCase(), content, ...(toolCalls.length > 0 && { toolCalls }) }];
}

const reasons: Readonly<Record<string, LanguageModelV3FinishReason['unified']>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
};

function fromChat(body: JsonMap): LanguageModelV3GenerateResult {
  const response = mapIn(body.chatResponse);
  const [choice = {}] = mapsIn(response.choices);
  const message = mapIn(choice.message);
  const raw = textIn(choice.finishReason);
  const usage = mapIn(response.usage);
  const content: LanguageModelV3Content[] = [
    ...mapsIn(message.content).flatMap((one) =>
      textIn(one.text) === '' ? [] : [{ type: 'text' as const, text: textIn(one.text) }],
    ),
    ...mapsIn(message.toolCalls).map((one) => ({
      type: 'tool-call' as const,
      toolCallId: textIn(one.id),
      toolName: textIn(one.name),
      input: textIn(one.arguments) || '{}',
    })),
  ];
  return {
    content,
    finishReason: { unified: reasons[raw.toLowerCase()] ?? 'other', raw },
    usage: {
      inputTokens: {
        total: numberIn(usage.promptTokens),
        noCache: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: numberIn(usage.completionTokens), text: undefined, reasoning: undefined },
    },
    warnings: [],
  };
}

/** An error in the shape that `callModel` reads. */
class OciError extends Error {
  readonly isRetryable = true;
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

interface Place {
  readonly region: string;
  readonly baseUrl?: string | undefined;
  readonly clientPem?: string | undefined;
  readonly caPem?: string | undefined;
}

async function send(context: TaskContext, place: Place, key: OciKey, action: string, content: JsonMap) {
  const base = place.baseUrl ?? `https://inference.generativeai.${place.region}.oci.oraclecloud.com`;
  const url = `${base.replace(/\/+$/, '')}/20231130/actions/${action}`;
  if (!URL.canParse(url)) throw new TaskFailed(`"${base}" is not an address.`, { retry: false });
  const body = JSON.stringify(content);
  const headers = signOciPost(url, body, key, new Date());
  const response = await fetchOf(context, certificatesOf(place))(url, { method: 'POST', headers, body });
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.status < 300) return mapIn(answer);
  throw new OciError(response.status, isMap(answer) ? textIn(answer.message) : '');
}
