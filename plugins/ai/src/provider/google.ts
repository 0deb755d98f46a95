import { createSign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SharedV3ProviderOptions } from '@ai-sdk/provider';
import {
  choice,
  defineAdditional,
  duration,
  integer,
  messageOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, isMap, mapIn, mapsIn, textIn } from '../base/callJson.ts';
import type { ChatConfiguration } from '../base/chatConfiguration.ts';
import { askProvider } from '../base/example.ts';
import { fetchOf } from '../base/httpFetch.ts';
import {
  baseUrlProperty,
  certificatesOf,
  type GeneratedImage,
  type ModelProvider,
  modelPlace,
  modelProperties,
} from '../base/modelProvider.ts';
import { loadGoogle } from '../client.ts';

const taskTypes = [
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
] as const;

const geminiUrl = 'https://generativelanguage.googleapis.com/v1beta';

export const googleGemini = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.GoogleGemini',
  aliases: ['langchain4j.provider.GoogleGemini'],
  title: 'Models of Google Gemini',
  description:
    'Chat, embedding and image models of the Gemini API. Image models work with `ai.completion.ImageGeneration`.',
  input: () =>
    z.object({
      ...modelProperties(),
      apiKey: text().optional().describe('The API key.'),
      baseUrl: text().default(geminiUrl).describe('The address of the API.'),
      embeddingModelConfiguration: part({
        titleMetadataKey: text().optional().describe('Accepted for compatibility.'),
        taskType: choice(taskTypes).optional().describe('What the embeddings are for.'),
        maxRetries: integer({ min: 0 })
          .optional()
          .describe('Accepted for compatibility; an overloaded service is called up to three times.'),
        timeout: duration().optional().describe('Accepted for compatibility; use `timeout` of the task.'),
        outputDimensionality: integer({ min: 1 }).optional().describe('The length of the embeddings.'),
      })
        .optional()
        .describe('How embeddings are made.'),
    }),
  examples: [
    askProvider(
      'gemini',
      'ai.provider.GoogleGemini',
      `modelName: gemini-2.5-flash\napiKey: "{{ secret('GEMINI_API_KEY') }}"`,
    ),
  ],
  create: (context, { modelName, apiKey, baseUrl, embeddingModelConfiguration = {}, ...pems }) => {
    if (!apiKey) throw new TaskFailed('Google Gemini needs "apiKey".', { retry: false });
    context.masker.add(apiKey);
    const { taskType, outputDimensionality } = embeddingModelConfiguration;
    return googleModels(context, {
      name: 'Google Gemini',
      modelName,
      baseUrl: baseUrl.replace(/\/+$/, ''),
      headers: { 'x-goog-api-key': apiKey },
      pems,
      embeddingOptions: {
        google: {
          ...(taskType !== undefined && { taskType }),
          ...(outputDimensionality !== undefined && { outputDimensionality }),
        },
      },
    });
  },
});

export const googleVertexAI = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.GoogleVertexAI',
  aliases: ['langchain4j.provider.GoogleVertexAI'],
  title: 'Models of Google Vertex AI',
  description: `Chat and image models of Vertex AI. The server signs in with the service account whose JSON is
\`serviceAccount\` in the configuration of this type, or in the file that its environment names as
\`GOOGLE_APPLICATION_CREDENTIALS\`.`,
  input: () =>
    z.object({
      ...modelProperties(),
      endpoint: text().describe(
        'The host of the API, such as `us-central1-aiplatform.googleapis.com:443`, or its address.',
      ),
      location: text().describe('The region, such as `us-central1`.'),
      project: text().describe('The id of the project.'),
      baseUrl: baseUrlProperty(),
    }),
  examples: [
    askProvider(
      'vertex',
      'ai.provider.GoogleVertexAI',
      `modelName: gemini-2.5-flash
endpoint: us-central1-aiplatform.googleapis.com:443
location: us-central1
project: my-project`,
    ),
  ],
  create: async (context, { modelName, endpoint, location, project, baseUrl, ...pems }) => {
    const host = baseUrl ?? (/^https?:\/\//.test(endpoint) ? endpoint : `https://${endpoint}`);
    const path = `v1/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
    return googleModels(context, {
      name: 'Google Vertex AI',
      modelName,
      baseUrl: `${host.replace(/\/+$/, '')}/${path}/publishers/google`,
      headers: { authorization: `Bearer ${await signIn(context)}` },
      pems,
    });
  },
});

interface GoogleService {
  readonly name: string;
  readonly modelName: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pems: Parameters<typeof certificatesOf>[0];
  readonly embeddingOptions?: SharedV3ProviderOptions;
}

function googleModels(context: TaskContext, service: GoogleService): ModelProvider {
  const { name, modelName, baseUrl, headers, pems, embeddingOptions } = service;
  const open = async () => {
    const { createGoogleGenerativeAI } = await loadGoogle();
    // A key must be set, because the library would otherwise read one from the server's environment.
    const apiKey = headers['x-goog-api-key'] ?? 'unused';
    return createGoogleGenerativeAI({
      apiKey,
      baseURL: baseUrl,
      headers: { ...headers },
      fetch: fetchOf(context, certificatesOf(pems)),
    });
  };
  return {
    name,
    modelName,
    canStream: true,
    chat: async () => (await open()).chat(modelName),
    embedding: async () => (await open()).embeddingModel(modelName),
    image: (prompt) => createImage(context, service, prompt),
    options: (configuration) => ({ google: thinkingOptions(configuration) }),
    ...(embeddingOptions && { embeddingOptions }),
  };
}

function thinkingOptions({ thinkingEnabled, thinkingBudgetTokens, returnThinking }: ChatConfiguration) {
  const budget = thinkingEnabled === false ? 0 : thinkingBudgetTokens;
  if (budget === undefined && returnThinking === undefined) return {};
  return {
    thinkingConfig: {
      ...(budget !== undefined && { thinkingBudget: budget }),
      ...(returnThinking !== undefined && { includeThoughts: returnThinking }),
    },
  };
}

/** Imagen models have a separate endpoint; the other models put an image into their response. */
async function createImage(
  context: TaskContext,
  { name, modelName, baseUrl, headers, pems }: GoogleService,
  prompt: string,
): Promise<GeneratedImage> {
  const isImagen = modelName.startsWith('imagen');
  const { body } = await callJson(context, {
    service: name,
    url: `${baseUrl}/models/${encodeURIComponent(modelName)}:${isImagen ? 'predict' : 'generateContent'}`,
    headers,
    body: isImagen
      ? { instances: [{ prompt }], parameters: { sampleCount: 1 } }
      : {
          contents: [{ role: 'user', parts: [{ text: prompt }] }],
          generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
        },
    ...certificatesOf(pems),
    readIdleTimeoutMs: 10 * 60_000,
  });
  const [prediction] = mapsIn(body.predictions);
  if (prediction)
    return {
      base64: textIn(prediction.bytesBase64Encoded),
      mediaType: textIn(prediction.mimeType) || 'image/png',
    };
  const [candidate = {}] = mapsIn(body.candidates);
  const image = mapsIn(mapIn(candidate.content).parts).find((one) => isMap(one.inlineData));
  const { data, mimeType } = mapIn(image?.inlineData);
  if (typeof data === 'string') return { base64: data, mediaType: textIn(mimeType) || 'image/png' };
  throw new TaskFailed(`${name} returned no image. Is "${modelName}" an image model?`, { retry: false });
}

const tokenUrl = 'https://oauth2.googleapis.com/token';

/** Exchanges a token that the service account has signed for one of the API. */
async function signIn(context: TaskContext): Promise<string> {
  const account = await readAccount(context);
  const nowS = Math.floor(Date.now() / 1000);
  const address = textIn(account.token_uri) || tokenUrl;
  const claims = {
    iss: account.client_email,
    scope: 'https://www.googleapis.com/auth/cloud-platform',
    aud: address,
    iat: nowS,
    exp: nowS + 3600,
  };
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'))
    .join('.');
  const signature = createSign('RSA-SHA256').update(signed).sign(textIn(account.private_key), 'base64url');
  const { body } = await callJson(context, {
    service: 'Google',
    url: address,
    body: {
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: `${signed}.${signature}`,
    },
  });
  const token = textIn(body.access_token);
  context.masker.add(token);
  return token;
}

async function readAccount(context: TaskContext): Promise<Readonly<Record<string, unknown>>> {
  const { serviceAccount } = context.configuration('ai.provider.GoogleVertexAI');
  if (isMap(serviceAccount)) return serviceAccount;
  const path = process.env.GOOGLE_APPLICATION_CREDENTIALS;
  if (typeof serviceAccount !== 'string' && path === undefined)
    throw new TaskFailed(
      'Vertex AI needs a service account: set "serviceAccount" in the configuration of the plugin ai.provider.GoogleVertexAI, or GOOGLE_APPLICATION_CREDENTIALS in the environment of the server.',
      { retry: false },
    );
  try {
    const json = typeof serviceAccount === 'string' ? serviceAccount : await readFile(path ?? '', 'utf8');
    return mapIn(JSON.parse(json));
  } catch (error) {
    throw new TaskFailed(`The service account of Vertex AI cannot be read: ${messageOf(error)}`, {
      retry: false,
    });
  }
}
