import {
  type AdditionalDefinition,
  decimal,
  defineAdditional,
  flag,
  integer,
  listOf,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { askProvider } from '../base/example.ts';
import { baseUrlProperty, modelPlace, modelProperties } from '../base/modelProvider.ts';
import { type OpenAILike, openAILike } from './openaiLike.ts';

const apiKey = () => text().describe('The API key.');

interface Simple extends Pick<OpenAILike, 'hasImages' | 'takesSchemas' | 'fields' | 'transform'> {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly model: string;
  readonly secret: string;
  readonly baseUrl: string;
  readonly aliases?: readonly string[];
  readonly note?: string;
}

/** A service that needs only a key and a model. */
const simple = ({ id, type, name, model, secret, baseUrl, aliases, note, ...service }: Simple) =>
  defineAdditional({
    place: modelPlace,
    type,
    ...(aliases && { aliases }),
    title: `Models of ${name}`,
    description: `Chat and embedding models of ${name}, called through its OpenAI-compatible API.${note ? ` ${note}` : ''}`,
    input: () =>
      z.object({
        ...modelProperties(),
        apiKey: apiKey(),
        baseUrl: text().default(baseUrl).describe('The address of the API.'),
      }),
    examples: [askProvider(id, type, `modelName: ${model}\napiKey: "{{ secret('${secret}') }}"`)],
    create: (context, input) => openAILike(context, { name, ...service, ...input }),
  });

const older = (name: string) => [`langchain4j.provider.${name}`];

const openAI = simple({
  id: 'openai',
  type: 'ai.provider.OpenAI',
  aliases: older('OpenAI'),
  name: 'OpenAI',
  model: 'gpt-5-mini',
  secret: 'OPENAI_API_KEY',
  baseUrl: 'https://api.openai.com/v1',
  hasImages: true,
  note: 'Image models work with `ai.completion.ImageGeneration`. `baseUrl` may be any server with this API.',
  // OpenAI renamed the field, and its newer models reject the old name.
  transform: ({ max_tokens, ...body }) => ({
    ...body,
    ...(max_tokens !== undefined && { max_completion_tokens: max_tokens }),
  }),
});

const deepSeek = simple({
  id: 'deepseek',
  type: 'ai.provider.DeepSeek',
  aliases: older('DeepSeek'),
  name: 'DeepSeek',
  model: 'deepseek-chat',
  secret: 'DEEPSEEK_API_KEY',
  baseUrl: 'https://api.deepseek.com/v1',
  takesSchemas: false,
});

const mistralAI = simple({
  id: 'mistral',
  type: 'ai.provider.MistralAI',
  aliases: older('MistralAI'),
  name: 'Mistral AI',
  model: 'mistral-small-latest',
  secret: 'MISTRAL_API_KEY',
  baseUrl: 'https://api.mistral.ai/v1',
  // Mistral rejects fields that it does not know. It reports tokens at the end of streams by itself.
  transform: ({ seed, stream_options: _, ...body }) => ({
    ...body,
    ...(seed !== undefined && { random_seed: seed }),
  }),
});

const openRouter = simple({
  id: 'openrouter',
  type: 'ai.provider.OpenRouter',
  aliases: older('OpenRouter'),
  name: 'OpenRouter',
  model: 'meta-llama/llama-3.3-70b-instruct',
  secret: 'OPENROUTER_API_KEY',
  baseUrl: 'https://openrouter.ai/api/v1',
  fields: ({ topK }) => (topK === undefined ? {} : { top_k: topK }),
});

const huggingFace = simple({
  id: 'huggingface',
  type: 'ai.provider.HuggingFace',
  name: 'Hugging Face',
  model: 'meta-llama/Llama-3.3-70B-Instruct',
  secret: 'HF_TOKEN',
  baseUrl: 'https://router.huggingface.co/v1',
});

const gitHubModels = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.GitHubModels',
  title: 'Models of GitHub',
  description: 'Chat and embedding models of GitHub Models.',
  input: () =>
    z.object({
      ...modelProperties(),
      gitHubToken: text().describe('A token with the permission `models`.'),
      baseUrl: text().default('https://models.github.ai/inference').describe('The address of the API.'),
    }),
  examples: [
    askProvider(
      'github',
      'ai.provider.GitHubModels',
      `modelName: openai/gpt-5-mini\ngitHubToken: "{{ secret('GITHUB_TOKEN') }}"`,
    ),
  ],
  create: (context, { gitHubToken, ...input }) =>
    openAILike(context, { name: 'GitHub Models', ...input, apiKey: gitHubToken }),
});

const dockerModel = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.DockerModel',
  title: 'Models of Docker Model Runner',
  description: 'Models that Docker runs on a machine of yours.',
  input: () =>
    z.object({
      ...modelProperties(),
      baseUrl: text().default('http://localhost:12434/engines/v1').describe('The address of the API.'),
      apiKey: text().default('not-needed').describe('A key, for a proxy that asks for one.'),
    }),
  examples: [askProvider('docker', 'ai.provider.DockerModel', 'modelName: ai/smollm2')],
  create: (context, input) =>
    openAILike(context, {
      name: 'Docker Model Runner',
      ...input,
      apiKey: input.apiKey === 'not-needed' ? undefined : input.apiKey,
    }),
});

const localAI = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.LocalAI',
  aliases: older('LocalAI'),
  title: 'Models of LocalAI',
  description: 'Models of a LocalAI server.',
  input: () =>
    z.object({
      ...modelProperties(),
      baseUrl: text().describe('The address of the server, such as `http://localhost:8080/v1`.'),
    }),
  examples: [
    askProvider('localai', 'ai.provider.LocalAI', 'modelName: gpt-4\nbaseUrl: http://localhost:8080/v1'),
  ],
  create: (context, input) => openAILike(context, { name: 'LocalAI', hasImages: true, ...input }),
});

const ollama = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.Ollama',
  aliases: older('Ollama'),
  title: 'Models of Ollama',
  description: 'Chat and embedding models of an Ollama server.',
  input: () =>
    z.object({
      ...modelProperties(),
      endpoint: text().describe('The address of the server, such as `http://localhost:11434`.'),
      baseUrl: baseUrlProperty(),
    }),
  examples: [
    askProvider('ollama', 'ai.provider.Ollama', 'modelName: llama3.2\nendpoint: http://localhost:11434'),
  ],
  create: (context, { endpoint, baseUrl = endpoint, ...input }) =>
    openAILike(context, { name: 'Ollama', ...input, baseUrl: `${baseUrl.replace(/\/+$/, '')}/v1` }),
});

const workersAI = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.WorkersAI',
  aliases: older('WorkersAI'),
  title: 'Models of Cloudflare Workers AI',
  description: 'Chat and embedding models of Cloudflare Workers AI.',
  input: () =>
    z.object({
      ...modelProperties(),
      apiKey: apiKey(),
      accountId: text().describe('The id of the account.'),
      baseUrl: baseUrlProperty(),
    }),
  examples: [
    askProvider(
      'workers',
      'ai.provider.WorkersAI',
      `modelName: "@cf/meta/llama-3.1-8b-instruct"
apiKey: "{{ secret('CLOUDFLARE_API_TOKEN') }}"
accountId: "{{ secret('CLOUDFLARE_ACCOUNT_ID') }}"`,
    ),
  ],
  create: (context, { accountId, baseUrl, ...input }) =>
    openAILike(context, {
      name: 'Workers AI',
      ...input,
      baseUrl:
        baseUrl ?? `https://api.cloudflare.com/client/v4/accounts/${encodeURIComponent(accountId)}/ai/v1`,
    }),
});

const zhiPuAI = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.ZhiPuAI',
  title: 'Models of Zhipu AI',
  description: 'Chat and embedding models of Zhipu AI (GLM).',
  input: () =>
    z.object({
      ...modelProperties(),
      apiKey: apiKey(),
      baseUrl: text().default('https://open.bigmodel.cn/').describe('The address of the API.'),
      stops: listOf(text()).optional().describe('Texts at which the model stops.'),
      maxRetries: integer({ min: 0 })
        .optional()
        .describe('Accepted for compatibility; an overloaded service is called up to three times.'),
      maxToken: integer({ min: 1 }).optional().describe('The most tokens of a response.'),
    }),
  examples: [
    askProvider(
      'zhipu',
      'ai.provider.ZhiPuAI',
      `modelName: glm-4.5\napiKey: "{{ secret('ZHIPU_API_KEY') }}"`,
    ),
  ],
  create: (context, { stops, maxToken, baseUrl, ...input }) =>
    openAILike(context, {
      name: 'Zhipu AI',
      ...input,
      baseUrl: new URL('api/paas/v4', withSlash(baseUrl)).href,
      maxTokens: maxToken,
      takesSchemas: false,
      fields: () => (stops ? { stop: stops } : {}),
    }),
});

const dashScope = defineAdditional({
  place: modelPlace,
  type: 'ai.provider.DashScope',
  title: 'Models of Alibaba Cloud (Qwen)',
  description: 'Chat and embedding models of DashScope, through its OpenAI-compatible mode.',
  input: () =>
    z.object({
      ...modelProperties(),
      apiKey: apiKey(),
      baseUrl: text()
        .default('https://dashscope-intl.aliyuncs.com/compatible-mode/v1')
        .describe('The address of the API; accounts in mainland China use another one.'),
      repetitionPenalty: decimal().optional().describe('How much repetitions are avoided; 1 is not at all.'),
      enableSearch: flag().optional().describe('Let the model search the web.'),
      maxTokens: integer({ min: 1 }).optional().describe('The most tokens of a response.'),
    }),
  examples: [
    askProvider(
      'dashscope',
      'ai.provider.DashScope',
      `modelName: qwen-plus\napiKey: "{{ secret('DASHSCOPE_API_KEY') }}"`,
    ),
  ],
  create: (context, { repetitionPenalty, enableSearch, ...input }) =>
    openAILike(context, {
      name: 'DashScope',
      ...input,
      fields: ({ topK, thinkingEnabled, thinkingBudgetTokens }) => ({
        ...(repetitionPenalty !== undefined && { repetition_penalty: repetitionPenalty }),
        ...(enableSearch !== undefined && { enable_search: enableSearch }),
        ...(topK !== undefined && { top_k: topK }),
        ...(thinkingEnabled !== undefined && { enable_thinking: thinkingEnabled }),
        ...(thinkingBudgetTokens !== undefined && { thinking_budget: thinkingBudgetTokens }),
      }),
    }),
});

const withSlash = (url: string): string => {
  const full = `${url.replace(/\/+$/, '')}/`;
  if (!URL.canParse(full)) throw new TaskFailed(`"${url}" is not an address.`, { retry: false });
  return full;
};

export const openAIProviders: readonly AdditionalDefinition[] = [
  openAI,
  deepSeek,
  mistralAI,
  openRouter,
  huggingFace,
  gitHubModels,
  dockerModel,
  localAI,
  ollama,
  workersAI,
  zhiPuAI,
  dashScope,
];
