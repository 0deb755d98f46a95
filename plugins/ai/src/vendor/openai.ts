import {
  anything,
  choice,
  decimal,
  defineTask,
  flag,
  integer,
  listOf,
  mapOf,
  nameOfUri,
  part,
  readJsonMap,
  storageUri,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, dropMissing, isMap, type JsonMap, mapIn, mapsIn, textIn } from '../base/callJson.ts';
import { readBytes } from '../base/content.ts';
import { oneTask } from '../base/example.ts';
import { cachedMetric, countUsage, usageMetrics } from './vendorMetrics.ts';

const api = 'https://api.openai.com/v1';
const key = 'apiKey: "{{ secret(\'OPENAI_API_KEY\') }}"';

const common = () => ({
  apiKey: text().describe('The API key.'),
  user: text().optional().describe('A name for the end user, which OpenAI uses to find abuse.'),
  clientTimeout: integer({ min: 1 }).default(10).describe('How long to wait for the response, in seconds.'),
});

interface Common {
  readonly apiKey: string;
  readonly clientTimeout: number;
}

async function call(context: TaskContext, { apiKey, clientTimeout }: Common, path: string, body: unknown) {
  context.masker.add(apiKey);
  const response = await callJson(context, {
    service: 'OpenAI',
    url: `${api}${path}`,
    headers: { authorization: `Bearer ${apiKey}` },
    body,
    readIdleTimeoutMs: clientTimeout * 1000,
  });
  return response.body;
}

const map = () => z.record(z.string(), z.unknown());

const chatFunction = () =>
  part({
    name: text().describe('The name.'),
    description: text().optional().describe('What the function does, for the model.'),
    parameters: listOf(
      part({
        name: text().describe('The name.'),
        description: text().describe('What it means, for the model.'),
        type: text().describe('Its JSON type, such as `string`.'),
        enumValues: listOf(text()).optional().describe('The values that it may have.'),
        required: flag().default(false).describe('Whether the model must give it.'),
      }),
    )
      .default([])
      .describe('The parameters.'),
  });

type ChatFunction = z.infer<ReturnType<typeof chatFunction>>;

const chatCompletion = defineTask({
  type: 'openai.ChatCompletion',
  title: 'Ask a model of OpenAI',
  description:
    'Calls the Chat Completions API of OpenAI and returns its response as it is. For several services, tools that run, and memories use `ai.completion.ChatCompletion`.',
  input: () =>
    z.object({
      ...common(),
      model: text().describe('The model.'),
      messages: listOf(
        part({
          role: text().describe('`system`, `user` or `assistant`.'),
          content: text().describe('The text.'),
          name: text().optional().describe('The name of the speaker.'),
        }),
      )
        .optional()
        .describe('The conversation.'),
      prompt: text().optional().describe('A last message of the user.'),
      functions: listOf(chatFunction())
        .optional()
        .describe('Functions that the model may ask for. The flow runs them; see `choices` for the request.'),
      functionCall: text()
        .default('auto')
        .describe('`auto`, `none`, or the name of the function that the model must ask for.'),
      temperature: decimal().default(1).describe('How freely the model chooses, from 0 to 2.'),
      topP: decimal().optional().describe('Choose among tokens of this total probability.'),
      n: integer({ min: 1 }).default(1).describe('How many responses to make.'),
      stop: listOf(text()).optional().describe('Texts at which the model stops.'),
      maxTokens: integer({ min: 1 }).optional().describe('The most tokens of a response.'),
      presencePenalty: decimal().optional().describe('How much subjects are not repeated, from -2 to 2.'),
      frequencyPenalty: decimal().optional().describe('How much words are not repeated, from -2 to 2.'),
      logitBias: mapOf(integer()).optional().describe('By id of a token, how much likelier it becomes.'),
      jsonResponseSchema: textOrJson().optional().describe('The JSON Schema that the response must follow.'),
      promptCaching: flag()
        .optional()
        .describe('Accepted for compatibility: OpenAI caches the beginning of long prompts by itself.'),
    }),
  output: () =>
    z.object({
      id: z.string().describe('The id of the response.'),
      object: z.string().describe('The kind of the response.'),
      model: z.string().describe('The model that responded.'),
      choices: z.array(map()).describe('The responses, each with `message` and `finish_reason`.'),
      usage: map().optional().describe('The tokens that were used.'),
    }),
  metrics: [...usageMetrics, cachedMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'ask_openai',
      'openai.ChatCompletion',
      'Ask a question.',
      `${key}\nmodel: gpt-5-mini\nprompt: What is the capital of France?\nclientTimeout: 60`,
    ),
  ],
  check: ({ messages, prompt }) =>
    messages === undefined && prompt === undefined
      ? [{ severity: 'error', path: 'prompt', message: '"prompt" or "messages" must be given' }]
      : [],
  async run(context, input) {
    const { functions, functionCall, prompt, messages = [] } = input;
    const body = await call(
      context,
      input,
      '/chat/completions',
      dropMissing({
        model: input.model,
        messages: [
          ...messages.map(dropMissing),
          ...(prompt === undefined ? [] : [{ role: 'user', content: prompt }]),
        ],
        temperature: input.temperature,
        top_p: input.topP,
        n: input.n,
        stop: input.stop,
        max_completion_tokens: input.maxTokens,
        presence_penalty: input.presencePenalty,
        frequency_penalty: input.frequencyPenalty,
        logit_bias: input.logitBias,
        user: input.user,
        tools: functions?.map(toTool),
        tool_choice: functions && chooseFunction(functionCall),
        response_format: responseFormat(input.jsonResponseSchema),
      }),
    );
    countUsage(context, mapIn(body.usage));
    return {
      id: textIn(body.id),
      object: textIn(body.object),
      model: textIn(body.model),
      choices: mapsIn(body.choices).map((choiceOf) => ({ ...choiceOf })),
      ...(isMap(body.usage) && { usage: { ...body.usage } }),
    };
  },
});

const chooseFunction = (name: string): unknown =>
  ['auto', 'none', 'required'].includes(name) ? name : { type: 'function', function: { name } };

const toTool = ({ name, description, parameters }: ChatFunction) => ({
  type: 'function',
  function: {
    name,
    ...(description !== undefined && { description }),
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map((one) => [
          one.name,
          {
            type: one.type,
            description: one.description,
            ...(one.enumValues && { enum: one.enumValues }),
          },
        ]),
      ),
      required: parameters.filter(({ required }) => required).map((one) => one.name),
    },
  },
});

/** A schema as the `response_format` of OpenAI and of services with its API. */
export function responseFormat(schema: string | undefined): JsonMap | undefined {
  if (schema === undefined) return undefined;
  return {
    type: 'json_schema',
    json_schema: { name: 'response', schema: readJsonMap(schema, 'jsonResponseSchema') },
  };
}

const responses = defineTask({
  type: 'openai.Responses',
  title: 'Ask a model of OpenAI with built-in tools',
  description: 'Calls the Responses API of OpenAI, whose tools (web search, files, code) run at OpenAI.',
  input: () =>
    z.object({
      ...common(),
      model: text().describe('The model.'),
      input: anything().describe('The text, or a list of messages.'),
      text: mapOf(anything()).optional().describe('The format of the text, such as a JSON Schema.'),
      tools: listOf(mapOf(anything())).optional().describe('The tools, such as `{type: web_search}`.'),
      toolChoice: choice(['NONE', 'AUTO', 'REQUIRED']).optional().describe('Whether the model uses tools.'),
      store: flag().default(true).describe('Keep the response at OpenAI, to continue from it.'),
      previousResponseId: text().optional().describe('The response to continue from.'),
      promptId: text().optional().describe('The id of a prompt that is stored at OpenAI.'),
      promptVariables: mapOf(text()).optional().describe('The variables of the stored prompt.'),
      reasoning: mapOf(text()).optional().describe('How the model thinks, such as `effort: low`.'),
      maxOutputTokens: integer({ min: 1 }).optional().describe('The most tokens of the response.'),
      temperature: decimal().default(1).describe('How freely the model chooses, from 0 to 2.'),
      topP: decimal().optional().describe('Choose among tokens of this total probability.'),
      parallelToolCalls: flag().optional().describe('Let the model call several tools at once.'),
      promptCaching: flag()
        .optional()
        .describe('Accepted for compatibility: OpenAI caches the beginning of long prompts by itself.'),
    }),
  output: () =>
    z.object({
      responseId: z.string().describe('The id of the response.'),
      outputText: z.string().describe('The text.'),
      sources: z.array(z.string()).describe('The addresses that the text cites.'),
      rawResponse: map().describe('The response as it came.'),
    }),
  metrics: [...usageMetrics, cachedMetric],
  sideEffects: true,
  examples: [
    oneTask(
      'search_with_openai',
      'openai.Responses',
      'Let the model search the web.',
      `${key}\nmodel: gpt-5-mini\ninput: What is new in PostgreSQL?\ntools:\n  - type: web_search\nclientTimeout: 120`,
    ),
  ],
  async run(context, input) {
    const { promptId, promptVariables } = input;
    if (input.input === undefined) throw new TaskFailed('"input" must be given.', { retry: false });
    const body = await call(
      context,
      input,
      '/responses',
      dropMissing({
        model: input.model,
        input: input.input,
        text: input.text,
        tools: input.tools,
        tool_choice: input.toolChoice?.toLowerCase(),
        store: input.store,
        previous_response_id: input.previousResponseId,
        prompt: promptId === undefined ? undefined : { id: promptId, variables: promptVariables ?? {} },
        reasoning: input.reasoning,
        max_output_tokens: input.maxOutputTokens,
        temperature: input.temperature,
        top_p: input.topP,
        parallel_tool_calls: input.parallelToolCalls,
        user: input.user,
      }),
    );
    countUsage(context, mapIn(body.usage));
    const contents = mapsIn(body.output).flatMap(({ content }) => mapsIn(content));
    const cited = contents.flatMap(({ annotations }) => mapsIn(annotations).map(({ url }) => url));
    return {
      responseId: textIn(body.id),
      outputText: contents.map((one) => textIn(one.text)).join(''),
      sources: [...new Set(cited.filter((url) => typeof url === 'string'))],
      rawResponse: { ...body },
    };
  },
});

const sizes = { SMALL: '256x256', MEDIUM: '512x512', LARGE: '1024x1024' } as const;

const createImage = defineTask({
  type: 'openai.CreateImage',
  title: 'Draw images with OpenAI',
  description:
    'Draws images. Models of the family `gpt-image` return bytes, which are always stored; `dall-e` models return addresses unless `download` is set.',
  input: () =>
    z.object({
      ...common(),
      prompt: text().describe('What the images show.'),
      n: integer({ min: 1 }).optional().describe('How many images to draw.'),
      size: choice(['SMALL', 'MEDIUM', 'LARGE'])
        .default('LARGE')
        .describe('256, 512 or 1024 pixels wide and high; `gpt-image` models know LARGE only.'),
      model: text().default('gpt-image-1').describe('The model.'),
      quality: choice(['AUTO', 'LOW', 'MEDIUM', 'HIGH']).optional().describe('How detailed they are.'),
      download: flag().default(false).describe('Store the images in internal storage.'),
    }),
  output: () => z.object({ images: z.array(z.string()).describe('The addresses or URIs of the images.') }),
  sideEffects: true,
  examples: [
    oneTask(
      'draw_with_openai',
      'openai.CreateImage',
      'Draw a picture and store it.',
      `${key}\nprompt: A watermill beside a river\ndownload: true\nclientTimeout: 120`,
    ),
  ],
  async run(context, input) {
    const takesFormat = !input.model.startsWith('gpt-image');
    const body = await call(
      context,
      input,
      '/images/generations',
      dropMissing({
        model: input.model,
        prompt: input.prompt,
        n: input.n,
        size: sizes[input.size],
        quality: input.quality?.toLowerCase(),
        user: input.user,
        response_format: takesFormat ? (input.download ? 'b64_json' : 'url') : undefined,
      }),
    );
    const images: string[] = [];
    for (const { url, b64_json: base64 } of mapsIn(body.data))
      images.push(
        typeof url === 'string' && !input.download
          ? url
          : await context.files.put(`image${images.length}.png`, Buffer.from(textIn(base64), 'base64')),
      );
    return { images };
  },
});

const uploadFile = defineTask({
  type: 'openai.UploadFile',
  title: 'Upload a file to OpenAI',
  description: 'Uploads a file of internal storage, for use by other calls.',
  input: () =>
    z.object({
      ...common(),
      from: storageUri().describe('The file.'),
      purpose: text().describe('What it is for, such as `assistants`, `batch` or `user_data`.'),
    }),
  output: () => z.object({ fileId: z.string().describe('The id of the file.') }),
  sideEffects: true,
  examples: [
    oneTask(
      'upload_to_openai',
      'openai.UploadFile',
      'Upload a file.',
      `${key}\nfrom: "{{ inputs.report }}"\npurpose: user_data\nclientTimeout: 120`,
      'report',
    ),
  ],
  async run(context, input) {
    const form = new FormData();
    form.set('purpose', input.purpose);
    form.set(
      'file',
      new Blob([Uint8Array.from(await readBytes(context, input.from))]),
      nameOfUri(input.from),
    );
    return { fileId: textIn((await call(context, input, '/files', form)).id) };
  },
});

export const openAITasks: readonly TaskDefinition[] = [chatCompletion, responses, createImage, uploadFile];
