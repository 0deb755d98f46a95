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
  storageUri,
  type TaskContext,
  type TaskDefinition,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { callJson, dropMissing, type JsonMap, mapIn, mapsIn, numberIn, textIn } from '../base/callJson.ts';
import { readBytes } from '../base/content.ts';
import { oneTask } from '../base/example.ts';
import { count, counter } from './vendorMetrics.ts';

const key = 'apiKey: "{{ secret(\'ANTHROPIC_API_KEY\') }}"';
const apiKey = () => text().describe('The API key.');

async function call(
  context: TaskContext,
  secret: string,
  path: string,
  { method, body, isBeta = false }: { method?: string; body?: unknown; isBeta?: boolean } = {},
): Promise<JsonMap> {
  context.masker.add(secret);
  const response = await callJson(context, {
    service: 'Anthropic',
    url: `https://api.anthropic.com/v1${path}`,
    headers: {
      'x-api-key': secret,
      'anthropic-version': '2023-06-01',
      ...(isBeta && { 'anthropic-beta': 'files-api-2025-04-14' }),
    },
    readIdleTimeoutMs: 10 * 60_000,
    ...(method && { method }),
    ...(body !== undefined && { body }),
  });
  return response.body;
}

const chatCompletion = defineTask({
  type: 'anthropic.ChatCompletion',
  title: 'Ask a model of Anthropic',
  description:
    'Calls the Messages API of Anthropic. The flow runs the tools that the model asks for in `toolUses`; for tools that run by themselves use `ai.agent.AIAgent`.',
  input: () =>
    z.object({
      apiKey: apiKey(),
      model: text().describe('The model.'),
      messages: listOf(
        part({
          type: choice(['ASSISTANT', 'USER', 'AI']).describe(
            'Who says it; AI is another word for ASSISTANT.',
          ),
          content: text().describe('The text.'),
        }),
        { min: 1 },
      ).describe('The conversation.'),
      system: text().optional().describe('Instructions for the model.'),
      tools: listOf(
        part({
          name: text().describe('The name.'),
          description: text().optional().describe('What the tool does, for the model.'),
          inputSchema: mapOf(anything())
            .default({ type: 'object' })
            .describe('The JSON Schema of its input.'),
        }),
      )
        .optional()
        .describe('Tools that the model may ask for.'),
      promptCaching: flag().default(false).describe('Cache the system message and the tools at Anthropic.'),
      maxTokens: integer({ min: 1 }).default(1024).describe('The most tokens of the response.'),
      temperature: decimal().optional().describe('How freely the model chooses, from 0 to 1.'),
      topP: decimal().optional().describe('Choose among tokens of this total probability.'),
      topK: integer({ min: 1 }).optional().describe('Choose among this number of tokens.'),
    }),
  output: () =>
    z.object({
      outputText: z.string().describe('The text of the response.'),
      rawResponse: z.string().describe('The response as it came.'),
      toolUses: z
        .array(
          z.object({
            id: z.string().describe('The id of the request.'),
            name: z.string().describe('The tool.'),
            input: z.record(z.string(), z.unknown()).describe('What the model gives the tool.'),
          }),
        )
        .describe('The tools that the model asks for.'),
      stopReason: z.string().describe('Why the model stopped, such as `end_turn`.'),
      cacheCreationInputTokens: z.number().describe('Tokens that were written to the cache.'),
      cacheReadInputTokens: z.number().describe('Tokens that were read from the cache.'),
    }),
  metrics: [
    counter('usage.input.tokens', 'Tokens that were sent.'),
    counter('usage.output.tokens', 'Tokens that were generated.'),
    counter('usage.cache.creation.tokens', 'Tokens that were written to the cache.'),
    counter('usage.cache.read.tokens', 'Tokens that were read from the cache.'),
  ],
  sideEffects: true,
  examples: [
    oneTask(
      'ask_anthropic',
      'anthropic.ChatCompletion',
      'Ask a question.',
      `${key}
model: claude-sonnet-4-5
messages:
  - type: USER
    content: What is the capital of France?`,
    ),
  ],
  async run(context, input) {
    const cached = input.promptCaching ? { cache_control: { type: 'ephemeral' } } : {};
    const tools = input.tools?.map(({ name, description, inputSchema }, index, all) =>
      dropMissing({
        name,
        description,
        input_schema: inputSchema,
        // A mark on the last tool caches all of them.
        ...(index === all.length - 1 && cached),
      }),
    );
    const body = await call(context, input.apiKey, '/messages', {
      body: dropMissing({
        model: input.model,
        max_tokens: input.maxTokens,
        system: input.system === undefined ? undefined : [{ type: 'text', text: input.system, ...cached }],
        messages: input.messages.map(({ type, content }) => ({
          role: type === 'USER' ? 'user' : 'assistant',
          content,
        })),
        tools,
        temperature: input.temperature,
        top_p: input.topP,
        top_k: input.topK,
      }),
    });
    const usage = mapIn(body.usage);
    count(context, 'usage.input.tokens', usage.input_tokens);
    count(context, 'usage.output.tokens', usage.output_tokens);
    count(context, 'usage.cache.creation.tokens', usage.cache_creation_input_tokens);
    count(context, 'usage.cache.read.tokens', usage.cache_read_input_tokens);
    const content = mapsIn(body.content);
    return {
      outputText: content.map((one) => (one.type === 'text' ? textIn(one.text) : '')).join(''),
      rawResponse: JSON.stringify(body),
      toolUses: content.flatMap((one) =>
        one.type === 'tool_use'
          ? [{ id: textIn(one.id), name: textIn(one.name), input: { ...mapIn(one.input) } }]
          : [],
      ),
      stopReason: textIn(body.stop_reason),
      cacheCreationInputTokens: numberIn(usage.cache_creation_input_tokens),
      cacheReadInputTokens: numberIn(usage.cache_read_input_tokens),
    };
  },
});

const fileInfo = () =>
  z.object({
    fileId: z.string().describe('The id.'),
    filename: z.string().describe('The name.'),
    mimeType: z.string().describe('The type.'),
    size: z.number().describe('The size in bytes.'),
    createdAt: z.string().describe('When it was uploaded.'),
    downloadable: z.boolean().describe('Whether it can be downloaded.'),
    scopeId: z.string().optional().describe('The scope that it belongs to.'),
  });

const toInfo = (file: JsonMap) => ({
  fileId: textIn(file.id),
  filename: textIn(file.filename),
  mimeType: textIn(file.mime_type),
  size: numberIn(file.size_bytes),
  createdAt: textIn(file.created_at),
  downloadable: file.downloadable === true,
  ...(typeof file.scope_id === 'string' && { scopeId: file.scope_id }),
});

const fileId = () => text().describe('The id of the file.');

const uploadFile = defineTask({
  type: 'anthropic.UploadFile',
  title: 'Upload a file to Anthropic',
  description: 'Uploads a file of internal storage, for use in messages.',
  input: () =>
    z.object({
      apiKey: apiKey(),
      filePath: storageUri().describe('The file.'),
      mimeType: text().describe('Its type, such as `application/pdf`.'),
      filename: text().optional().describe('Its name at Anthropic; that of the file when absent.'),
    }),
  output: () =>
    z.object({
      fileId: z.string().describe('The id.'),
      filename: z.string().describe('The name.'),
      size: z.number().describe('The size in bytes.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'upload_to_anthropic',
      'anthropic.UploadFile',
      'Upload a PDF.',
      `${key}\nfilePath: "{{ inputs.report }}"\nmimeType: application/pdf`,
      'report',
    ),
  ],
  async run(context, input) {
    const form = new FormData();
    const bytes = Uint8Array.from(await readBytes(context, input.filePath));
    form.set(
      'file',
      new Blob([bytes], { type: input.mimeType }),
      input.filename ?? nameOfUri(input.filePath),
    );
    const {
      fileId: id,
      filename,
      size,
    } = toInfo(await call(context, input.apiKey, '/files', { body: form, isBeta: true }));
    return { fileId: id, filename, size };
  },
});

const getFile = defineTask({
  type: 'anthropic.GetFile',
  title: 'Read about a file at Anthropic',
  description: 'Reads name, type and size of a file that was uploaded.',
  input: () => z.object({ apiKey: apiKey(), fileId: fileId() }),
  output: () => z.object({ metadata: fileInfo().describe('The file.') }),
  sideEffects: true,
  examples: [oneTask('get_file', 'anthropic.GetFile', 'Read about a file.', `${key}\nfileId: file_123`)],
  run: async (context, input) => ({
    metadata: toInfo(
      await call(context, input.apiKey, `/files/${encodeURIComponent(input.fileId)}`, { isBeta: true }),
    ),
  }),
});

const listFiles = defineTask({
  type: 'anthropic.ListFiles',
  title: 'List the files at Anthropic',
  description: 'Lists one page of the files that were uploaded.',
  input: () =>
    z.object({
      apiKey: apiKey(),
      afterId: text().optional().describe('Files after this one.'),
      beforeId: text().optional().describe('Files before this one.'),
      limit: integer({ min: 1, max: 1000 }).optional().describe('How many files a page has.'),
      scopeId: text().optional().describe('Only files of this scope.'),
    }),
  output: () =>
    z.object({
      files: z.array(fileInfo()).describe('The files.'),
      firstId: z.string().describe('The first id of the page.'),
      lastId: z.string().describe('The last id of the page.'),
      hasMore: z.boolean().describe('Whether there is another page.'),
    }),
  sideEffects: true,
  examples: [oneTask('list_files', 'anthropic.ListFiles', 'List files.', `${key}\nlimit: 50`)],
  async run(context, { apiKey: secret, afterId, beforeId, limit, scopeId }) {
    const query = new URLSearchParams(
      Object.entries(dropMissing({ after_id: afterId, before_id: beforeId, limit, scope_id: scopeId })).map(
        ([name, value]): [string, string] => [name, String(value)],
      ),
    );
    const body = await call(context, secret, `/files?${query}`, { isBeta: true });
    return {
      files: mapsIn(body.data).map(toInfo),
      firstId: textIn(body.first_id),
      lastId: textIn(body.last_id),
      hasMore: body.has_more === true,
    };
  },
});

const deleteFile = defineTask({
  type: 'anthropic.DeleteFile',
  title: 'Delete a file at Anthropic',
  description: 'Deletes a file that was uploaded.',
  input: () => z.object({ apiKey: apiKey(), fileId: fileId() }),
  output: () =>
    z.object({
      fileId: z.string().describe('The id.'),
      deleted: z.boolean().describe('Whether it was deleted.'),
    }),
  sideEffects: true,
  examples: [oneTask('delete_file', 'anthropic.DeleteFile', 'Delete a file.', `${key}\nfileId: file_123`)],
  async run(context, input) {
    const path = `/files/${encodeURIComponent(input.fileId)}`;
    const body = await call(context, input.apiKey, path, { method: 'DELETE', isBeta: true });
    return { fileId: textIn(body.id) || input.fileId, deleted: body.type === 'file_deleted' };
  },
});

const listModels = defineTask({
  type: 'anthropic.ListModels',
  title: 'List the models of Anthropic',
  description: 'Lists the models that the key can use.',
  input: () => z.object({ apiKey: apiKey() }),
  output: () =>
    z.object({
      models: z
        .array(
          z.object({
            id: z.string().describe('The name to use.'),
            displayName: z.string().describe('The name to show.'),
            createdAt: z.string().describe('When it was released.'),
          }),
        )
        .describe('The models, the newest first.'),
    }),
  sideEffects: true,
  examples: [oneTask('list_models', 'anthropic.ListModels', 'List the models.', key)],
  run: async (context, input) => ({
    models: mapsIn((await call(context, input.apiKey, '/models?limit=1000')).data).map((one) => ({
      id: textIn(one.id),
      displayName: textIn(one.display_name),
      createdAt: textIn(one.created_at),
    })),
  }),
});

export const anthropicTasks: readonly TaskDefinition[] = [
  chatCompletion,
  uploadFile,
  getFile,
  listFiles,
  deleteFile,
  listModels,
];
