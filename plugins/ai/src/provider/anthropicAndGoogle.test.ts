import { generateKeyPairSync } from 'node:crypto';
import { runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aiAgent } from '../agent/aiAgent.ts';
import { imageGeneration } from '../completion/imageGeneration.ts';
import { anAiContext } from '../testing/aiContext.ts';
import { ProviderReceiver } from '../testing/providerReceiver.ts';

type Data = Record<string, unknown>;

const server = new ProviderReceiver();
beforeAll(async () => void (await server.start()));
afterAll(() => server.stop());

const { received } = server;
const play: typeof server.play = (reply) => server.play(reply);
const skill = {
  type: 'ai.tool.Skill',
  skills: [{ name: 'notes', description: 'Notes.', content: 'Be brief.' }],
};
const ask = (provider: Data, more: Data = {}, context = anAiContext()) =>
  runType(
    aiAgent,
    { provider: { baseUrl: server.url, ...provider }, prompt: 'Hi', systemMessage: 'Be kind.', ...more },
    context,
  );

/** The events of a streamed message; each block has its first event and its pieces. */
const anthropicEvents = (reason: string, blocks: readonly (readonly [Data, ...Data[]])[]) => [
  {
    type: 'message_start',
    message: {
      ...{ id: 'msg', type: 'message', role: 'assistant', model: 'claude', content: [], stop_reason: null },
      usage: { input_tokens: 4, output_tokens: 1 },
    },
  },
  { type: 'ping' },
  ...blocks.flatMap(([content_block, ...deltas], index) => [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]),
  {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 2 },
  },
  { type: 'message_stop' },
];
const anthropicCall = anthropicEvents('tool_use', [
  [
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'thinking_delta', thinking: 'H' },
    { type: 'thinking_delta', thinking: 'm' },
    { type: 'signature_delta', signature: 'signed' },
  ],
  [
    { type: 'tool_use', id: 'c1', name: 'activate_skill', input: {} },
    { type: 'input_json_delta', partial_json: '{"skill":' },
    { type: 'input_json_delta', partial_json: ' "notes"}' },
  ],
]);
const anthropicText = anthropicEvents('end_turn', [
  [
    { type: 'text', text: '' },
    { type: 'text_delta', text: 'Do' },
    { type: 'text_delta', text: 'ne' },
  ],
]);

test('Anthropic calls tools, thinks and caches', async () => {
  play((_, count) => (count === 1 ? anthropicCall : anthropicText));
  const outputs = await ask(
    {
      type: 'ai.provider.Anthropic',
      modelName: 'claude-sonnet-4-5',
      apiKey: 'k',
      baseUrl: server.url,
      maxTokens: 3000,
    },
    {
      tools: [skill],
      configuration: { thinkingEnabled: true, thinkingBudgetTokens: 2000, promptCaching: true },
    },
  );
  expect(outputs).toMatchObject({
    textOutput: 'Done',
    tokenUsage: { totalTokenCount: 12 },
    finishReason: 'STOP',
  });
  expect(received[0]).toMatchObject({
    url: '/messages',
    headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    body: {
      model: 'claude-sonnet-4-5',
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      system: [{ text: 'Be kind.', cache_control: { type: 'ephemeral' } }],
    },
  });
  expect(received[1]?.body.messages).toMatchObject([
    { role: 'user' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', signature: 'signed' },
        { type: 'tool_use', id: 'c1' },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
  ]);
});

describe('a stream of Anthropic that breaks off', () => {
  const claude = { type: 'ai.provider.Anthropic', modelName: 'claude', apiKey: 'k' };
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  const refused = { type: 'error', error: { type: 'invalid_request_error', message: 'Too long' } };

  test.each([
    ['by a closed connection', anthropicText.slice(0, -2), 'it ended before the service said why', true],
    ['by an error', [...anthropicText.slice(0, 5), overloaded], 'Overloaded', true],
    ['because of the request', [...anthropicText.slice(0, 5), refused], 'Too long', false],
  ])('%s fails the task and counts the tokens so far', async (_, events, reason, retry) => {
    play(() => events);
    const context = anAiContext();
    const failure = await ask({ ...claude, baseUrl: server.url }, {}, context).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ message: expect.stringContaining(reason), retry });
    expect(context.metrics).toContainEqual({ name: 'total.token.count', type: 'counter', value: 5 });
  });
});

const geminiReply = (parts: Data[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 2, totalTokenCount: 6 },
});

/** A piece of a response that is not the last one. */
const geminiPiece = (text: string) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] });

describe('Google', () => {
  test('a stream of Gemini that ends too early fails the task', async () => {
    play(() => [geminiPiece('Do')]);
    await expect(
      ask({ type: 'ai.provider.GoogleGemini', modelName: 'gemini', apiKey: 'k', baseUrl: server.url }),
    ).rejects.toThrow('it ended before the service said why the model stopped');
  });

  test('Gemini calls tools and thinks', async () => {
    play((_, count) =>
      count === 1
        ? [geminiReply([{ functionCall: { name: 'activate_skill', args: { skill: 'notes' } } }])]
        : [geminiPiece('Do'), geminiReply([{ text: 'ne' }])],
    );
    const outputs = await ask(
      { type: 'ai.provider.GoogleGemini', modelName: 'gemini-2.5-flash', apiKey: 'k', baseUrl: server.url },
      { tools: [skill], configuration: { thinkingEnabled: true, thinkingBudgetTokens: 100, topK: 3 } },
    );
    expect(outputs).toMatchObject({ textOutput: 'Done', tokenUsage: { totalTokenCount: 12 } });
    expect(received[0]).toMatchObject({
      url: '/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      headers: { 'x-goog-api-key': 'k' },
      body: { generationConfig: { topK: 3, thinkingConfig: { thinkingBudget: 100 } } },
    });
  });

  test.each([
    ['gemini-2.5-flash-image', () => geminiReply([{ inlineData: { mimeType: 'image/png', data: 'aW1n' } }])],
    ['imagen-4.0', () => ({ predictions: [{ mimeType: 'image/png', bytesBase64Encoded: 'aW1n' }] })],
  ])('%s draws', async (modelName, response) => {
    play(response);
    const context = anAiContext();
    const provider = { type: 'ai.provider.GoogleGemini', modelName, apiKey: 'k', baseUrl: server.url };
    const { imageUrl } = await runType(imageGeneration, { provider, prompt: 'A mill' }, context);
    expect(await context.files.text(String(imageUrl))).toBe('img');
  });

  test('Vertex AI signs in with the service account of the configuration', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const serviceAccount = {
      client_email: 'robot@example.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${server.url}/token`,
    };
    play(({ url: path }) =>
      path === '/token' ? { access_token: 'token1' } : [geminiReply([{ text: 'Hello' }])],
    );
    const outputs = await ask(
      {
        type: 'ai.provider.GoogleVertexAI',
        modelName: 'gemini-2.5-flash',
        endpoint: server.url,
        location: 'europe-west1',
        project: 'p',
      },
      {},
      anAiContext({ configuration: { 'ai.provider.GoogleVertexAI': { serviceAccount } } }),
    );
    expect(outputs.textOutput).toBe('Hello');
    expect(received[1]).toMatchObject({
      url: '/v1/projects/p/locations/europe-west1/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
      headers: { authorization: 'Bearer token1' },
    });
  });
});
