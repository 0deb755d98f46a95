import {
  choice,
  decimal,
  defineTask,
  flag,
  integer,
  listOf,
  part,
  type TaskContext,
  type TaskDefinition,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callText, dropMissing, type JsonMap, mapIn, mapsIn, textIn } from '../base/callJson.ts';
import { oneTask } from '../base/example.ts';
import { modelTimeouts } from '../base/httpFetch.ts';
import { responseFormat } from './openai.ts';
import { streamChat } from './streamedChat.ts';
import { countUsage, usageMetrics } from './vendorMetrics.ts';

/** Tasks of services with an OpenAI-compatible chat API. */

const messages = () =>
  listOf(
    part({
      type: choice(['SYSTEM', 'ASSISTANT', 'USER', 'AI']).describe(
        'Who says it; AI is another word for ASSISTANT.',
      ),
      content: text().describe('The text.'),
    }),
    { min: 1 },
  ).describe('The conversation.');

type Messages = z.infer<ReturnType<typeof messages>>;

const toMessages = (written: Messages) =>
  written.map(({ type, content }) => ({ role: type === 'AI' ? 'assistant' : type.toLowerCase(), content }));

const schema = () => textOrJson().optional().describe('The JSON Schema that the response must follow.');

async function chat(
  context: TaskContext,
  service: string,
  baseUrl: string,
  apiKey: string,
  request: JsonMap,
) {
  context.masker.add(apiKey);
  const call = {
    service,
    url: `${baseUrl.replace(/\/+$/, '')}/chat/completions`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: request,
    ...modelTimeouts,
  };
  const isStreamed = request.stream === true;
  const raw = isStreamed ? await streamChat(context, call) : (await callText(context, call)).text;
  const body = mapIn(JSON.parse(raw));
  if (!isStreamed) countUsage(context, mapIn(body.usage));
  return { raw, response: textIn(mapIn(mapsIn(body.choices)[0]?.message).content) };
}

const plain = (type: 'mistral' | 'deepseek', name: string, url: string, model: string) =>
  defineTask({
    type: `${type}.ChatCompletion`,
    title: `Ask a model of ${name}`,
    description: `Sends a conversation to ${name} and returns the response. For tools, memories and other services use \`ai.completion.ChatCompletion\`.`,
    input: () =>
      z.object({
        apiKey: text().describe('The API key.'),
        baseUrl: text().default(url).describe('The address of the API.'),
        modelName: text().describe('The model.'),
        messages: messages(),
        jsonResponseSchema: schema(),
      }),
    output: () =>
      z.object({
        response: z.string().describe('The text of the response.'),
        raw: z.string().describe('The response as it came.'),
      }),
    metrics: usageMetrics,
    sideEffects: true,
    examples: [
      oneTask(
        `ask_${type}`,
        `${type}.ChatCompletion`,
        'Ask a question.',
        `apiKey: "{{ secret('${type.toUpperCase()}_API_KEY') }}"
modelName: ${model}
messages:
  - type: USER
    content: What is the capital of France?`,
      ),
    ],
    run: (context, input) =>
      chat(
        context,
        name,
        input.baseUrl,
        input.apiKey,
        dropMissing({
          model: input.modelName,
          messages: toMessages(input.messages),
          response_format: responseFormat(input.jsonResponseSchema),
        }),
      ),
  });

const perplexity = defineTask({
  type: 'perplexity.ChatCompletion',
  title: 'Ask Perplexity',
  description: 'Sends a conversation to Perplexity, which searches the web, and returns the response.',
  input: () =>
    z.object({
      apiKey: text().describe('The API key.'),
      model: text().describe('The model, such as `sonar`.'),
      messages: messages(),
      temperature: decimal().default(0.2).describe('How freely the model chooses, from 0 to 2.'),
      topP: decimal().default(0.9).describe('Choose among tokens of this total probability.'),
      topK: integer({ min: 0 }).default(0).describe('Choose among this number of tokens; 0 is all.'),
      stream: flag()
        .default(false)
        .describe(
          'Read the response while it is generated, which long responses need behind proxies that close silent connections. Its lines are logged at the level DEBUG. The outputs are the same.',
        ),
      presencePenalty: decimal().default(0).describe('How much subjects are not repeated.'),
      frequencyPenalty: decimal().default(0).describe('How much words are not repeated.'),
      maxTokens: integer({ min: 1 }).optional().describe('The most tokens of the response.'),
      jsonResponseSchema: schema(),
    }),
  output: () =>
    z.object({
      outputText: z.string().describe('The text of the response.'),
      rawResponse: z.string().describe('The response as it came, with its citations.'),
    }),
  metrics: usageMetrics,
  sideEffects: true,
  examples: [
    oneTask(
      'ask_perplexity',
      'perplexity.ChatCompletion',
      'Ask about the news.',
      `apiKey: "{{ secret('PERPLEXITY_API_KEY') }}"
model: sonar
messages:
  - type: USER
    content: What is new in PostgreSQL?`,
    ),
  ],
  async run(context, input) {
    const { raw, response } = await chat(
      context,
      'Perplexity',
      'https://api.perplexity.ai',
      input.apiKey,
      dropMissing({
        model: input.model,
        messages: toMessages(input.messages),
        temperature: input.temperature,
        top_p: input.topP,
        top_k: input.topK,
        stream: input.stream,
        presence_penalty: input.presencePenalty,
        frequency_penalty: input.frequencyPenalty,
        max_tokens: input.maxTokens,
        response_format: responseFormat(input.jsonResponseSchema),
      }),
    );
    return { outputText: response, rawResponse: raw };
  },
});

export const chatServices: readonly TaskDefinition[] = [
  plain('mistral', 'Mistral AI', 'https://api.mistral.ai/v1', 'mistral-small-latest'),
  plain('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'deepseek-chat'),
  perplexity,
];
