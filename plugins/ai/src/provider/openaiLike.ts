import type { JSONObject } from '@ai-sdk/provider';
import type { TaskContext } from '@millrace/plugin-kit';
import { callJson, type JsonMap, mapIn, mapsIn } from '../base/callJson.ts';
import type { ChatConfiguration } from '../base/chatConfiguration.ts';
import { fetchOf } from '../base/httpFetch.ts';
import { certificatesOf, type GeneratedImage, type ModelProvider } from '../base/modelProvider.ts';
import { loadOpenAICompatible } from '../client.ts';

export interface OpenAILike {
  readonly name: string;
  readonly modelName: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly clientPem?: string | undefined;
  readonly caPem?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly maxTokens?: number | undefined;
  /** Request fields that are specific to this service. */
  readonly fields?: (configuration: ChatConfiguration) => JSONObject;
  /** Renames fields of the request that this service calls differently. */
  readonly transform?: (body: Record<string, unknown>) => Record<string, unknown>;
  readonly fetch?: (context: TaskContext) => typeof globalThis.fetch;
  /** Whether the service also generates images at `/images/generations`. */
  readonly hasImages?: boolean;
  /** False for services that support JSON mode only without a schema. */
  readonly takesSchemas?: boolean;
  /** False for services whose streams differ from those of OpenAI. */
  readonly canStream?: boolean;
}

/** A provider for a service with an OpenAI-compatible API. */
export function openAILike(context: TaskContext, service: OpenAILike): ModelProvider {
  const { name, modelName, apiKey, fields } = service;
  for (const secret of [apiKey, ...Object.values(service.headers ?? {})])
    if (secret) context.masker.add(secret);
  const baseUrl = service.baseUrl.replace(/\/+$/, '');
  const certificates = certificatesOf(service);
  const open = async () => {
    const { createOpenAICompatible } = await loadOpenAICompatible();
    return createOpenAICompatible({
      name: 'model',
      baseURL: baseUrl,
      ...(apiKey && { apiKey }),
      ...(service.headers && { headers: { ...service.headers } }),
      ...(service.query && { queryParams: { ...service.query } }),
      supportsStructuredOutputs: service.takesSchemas !== false,
      includeUsage: true,
      fetch: withEvents(service.fetch?.(context) ?? fetchOf(context, certificates)),
      ...(service.transform && { transformRequestBody: service.transform }),
    });
  };
  return {
    name,
    modelName,
    maxTokens: service.maxTokens,
    canStream: service.canStream !== false,
    chat: async () => (await open()).chatModel(modelName),
    embedding: async () => (await open()).embeddingModel(modelName),
    options: (configuration) => ({
      model: {
        strictJsonSchema: configuration.responseFormat?.strictJson === true,
        ...fields?.(configuration),
      },
    }),
    ...(service.hasImages && {
      image: (prompt: string) => createImage(context, { ...service, baseUrl }, prompt),
    }),
  };
}

/** Turns the response of a server that ignores `stream`, which is a whole completion, into a stream of one event. */
function withEvents(send: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (url, init) => {
    const response = await send(url, init);
    const isWhole = response.headers.get('content-type')?.includes('application/json') === true;
    if (!response.ok || !isWhole || !asksForStream(init?.body)) return response;
    const { choices, ...rest } = mapIn(await response.json());
    const chunk = { ...rest, ...(Array.isArray(choices) && { choices: mapsIn(choices).map(asDelta) }) };
    return new Response(`data: ${JSON.stringify(chunk)}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    });
  };
}

const asksForStream = (body: unknown): boolean =>
  typeof body === 'string' && mapIn(JSON.parse(body)).stream === true;

const asDelta = ({ message, ...choice }: JsonMap) => ({
  ...choice,
  delta: {
    ...mapIn(message),
    tool_calls: mapsIn(mapIn(message).tool_calls).map((call, index) => ({ index, ...call })),
  },
});

async function createImage(
  context: TaskContext,
  service: OpenAILike,
  prompt: string,
): Promise<GeneratedImage> {
  const { name, modelName, apiKey, baseUrl, headers, query } = service;
  const search = query ? `?${new URLSearchParams(query)}` : '';
  const { body } = await callJson(context, {
    service: name,
    url: `${baseUrl}/images/generations${search}`,
    headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }), ...headers },
    body: { model: modelName, prompt, n: 1 },
    ...certificatesOf(service),
    readIdleTimeoutMs: 10 * 60_000,
  });
  const [image = {}] = mapsIn(body.data);
  if (typeof image.url === 'string') return { url: image.url };
  return { base64: String(image.b64_json ?? ''), mediaType: 'image/png' };
}
