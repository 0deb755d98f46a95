import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aiAgent } from '../agent/aiAgent.ts';
import { imageGeneration } from '../completion/imageGeneration.ts';
import { anAiContext } from '../testing/aiContext.ts';

type Data = Record<string, unknown>;
interface Received {
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Data;
}

/** A receiver for the APIs that differ from OpenAI's. */
const received: Received[] = [];
let reply: (request: Received, count: number) => unknown = () => ({});
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = request.headers['content-type']?.includes('json') === true;
  const body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  const one = { url: request.url ?? '', headers: request.headers, body };
  received.push(one);
  const answer = reply(one, received.length);
  response.writeHead(200, {
    'content-type': Array.isArray(answer) ? 'text/event-stream' : 'application/json',
  });
  response.end(Array.isArray(answer) ? answer.map(toEvent).join('') : JSON.stringify(answer));
});
/** A list is sent as server-sent events. */
const toEvent = (data: Data) =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const play = (next: typeof reply) => {
  received.length = 0;
  reply = next;
};
const skill = {
  type: 'ai.tool.Skill',
  skills: [{ name: 'notes', description: 'Notes.', content: 'Be brief.' }],
};
const ask = (provider: Data, more: Data = {}, context = anAiContext()) =>
  runType(aiAgent, { provider, prompt: 'Hi', systemMessage: 'Be kind.', ...more }, context);

const openAIReply = (text: string) => ({
  id: '1',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

describe('services with the API of OpenAI', () => {
  const services: [string, Data, string, Data?][] = [
    ['DeepSeek', { apiKey: 'k' }, '/chat/completions'],
    ['MistralAI', { apiKey: 'k' }, '/chat/completions', { random_seed: 7 }],
    ['OpenRouter', { apiKey: 'k' }, '/chat/completions', { top_k: 5 }],
    ['HuggingFace', { apiKey: 'k' }, '/chat/completions'],
    ['GitHubModels', { gitHubToken: 'k' }, '/chat/completions'],
    ['DockerModel', {}, '/chat/completions'],
    ['LocalAI', {}, '/chat/completions'],
    ['WorkersAI', { apiKey: 'k', accountId: 'a' }, '/chat/completions'],
    ['ZhiPuAI', { apiKey: 'k', stops: ['.'] }, '/api/paas/v4/chat/completions', { stop: ['.'] }],
    [
      'DashScope',
      { apiKey: 'k', enableSearch: true },
      '/chat/completions',
      { enable_search: true, top_k: 5 },
    ],
    ['Ollama', { endpoint: 'http://unused' }, '/v1/chat/completions'],
    [
      'AzureOpenAI',
      { apiKey: 'k', endpoint: 'http://unused' },
      '/openai/deployments/m/chat/completions?api-version=2024-10-21',
    ],
  ];
  test.each(services)('%s', async (name, properties, path, body = {}) => {
    play(() => openAIReply('Hello'));
    const outputs = await ask(
      { type: `ai.provider.${name}`, modelName: 'm', baseUrl: url, ...properties },
      { configuration: { seed: 7, topK: 5 } },
    );
    expect(outputs).toMatchObject({ textOutput: 'Hello', tokenUsage: { totalTokenCount: 5 } });
    expect(received[0]).toMatchObject({ url: path, body: { model: 'm', stream: true, ...body } });
    // Mistral rejects the property, and reports tokens without it.
    expect('stream_options' in (received[0]?.body ?? {})).toBe(name !== 'MistralAI');
    const { authorization, 'api-key': key } = received[0]?.headers ?? {};
    const needsKey = 'apiKey' in properties || 'gitHubToken' in properties;
    expect(authorization ?? key).toBe(!needsKey ? undefined : name === 'AzureOpenAI' ? 'k' : 'Bearer k');
  });

  test('Azure signs in with an application', async () => {
    play(({ url: path }) => (path.endsWith('/token') ? { access_token: 'token1' } : openAIReply('Hello')));
    await ask(
      {
        type: 'ai.provider.AzureOpenAI',
        modelName: 'm',
        endpoint: url,
        tenantId: 't',
        clientId: 'c',
        clientSecret: 's',
      },
      {},
      anAiContext({ redirect: { 'https://login.microsoftonline.com': url } }),
    );
    expect(received[0]).toMatchObject({
      url: '/t/oauth2/v2.0/token',
      body: { grant_type: 'client_credentials', client_id: 'c', client_secret: 's' },
    });
    expect(received[1]?.headers.authorization).toBe('Bearer token1');
  });

  test('watsonx.ai exchanges its key and names the project', async () => {
    play(({ url: path }) =>
      path.startsWith('/identity') ? { access_token: 'token1' } : openAIReply('Hello'),
    );
    const outputs = await ask(
      { type: 'ai.provider.WatsonxAI', modelName: 'ibm/granite', apiKey: 'k', projectId: 'p', baseUrl: url },
      {},
      anAiContext({ redirect: { 'https://iam.cloud.ibm.com': url } }),
    );
    expect(outputs.textOutput).toBe('Hello');
    expect(received[1]).toMatchObject({
      url: '/ml/v1/text/chat?version=2024-10-10',
      body: { model_id: 'ibm/granite', project_id: 'p' },
      headers: { authorization: 'Bearer token1' },
    });
  });
});

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
      baseUrl: url,
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
    const failure = await ask({ ...claude, baseUrl: url }, {}, context).catch((error: unknown) => error);
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
      ask({ type: 'ai.provider.GoogleGemini', modelName: 'gemini', apiKey: 'k', baseUrl: url }),
    ).rejects.toThrow('it ended before the service said why the model stopped');
  });

  test('Gemini calls tools and thinks', async () => {
    play((_, count) =>
      count === 1
        ? [geminiReply([{ functionCall: { name: 'activate_skill', args: { skill: 'notes' } } }])]
        : [geminiPiece('Do'), geminiReply([{ text: 'ne' }])],
    );
    const outputs = await ask(
      { type: 'ai.provider.GoogleGemini', modelName: 'gemini-2.5-flash', apiKey: 'k', baseUrl: url },
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
    const provider = { type: 'ai.provider.GoogleGemini', modelName, apiKey: 'k', baseUrl: url };
    const { imageUrl } = await runType(imageGeneration, { provider, prompt: 'A mill' }, context);
    expect(await context.files.text(String(imageUrl))).toBe('img');
  });

  test('Vertex AI signs in with the service account of the configuration', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const serviceAccount = {
      client_email: 'robot@example.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: `${url}/token`,
    };
    play(({ url: path }) =>
      path === '/token' ? { access_token: 'token1' } : [geminiReply([{ text: 'Hello' }])],
    );
    const outputs = await ask(
      {
        type: 'ai.provider.GoogleVertexAI',
        modelName: 'gemini-2.5-flash',
        endpoint: url,
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

test('Amazon Bedrock calls tools with signed requests', async () => {
  play((_, count) => ({
    output: {
      message: {
        role: 'assistant',
        content:
          count === 1
            ? [{ toolUse: { toolUseId: 'c1', name: 'activate_skill', input: { skill: 'notes' } } }]
            : [{ text: 'Done' }],
      },
    },
    stopReason: count === 1 ? 'tool_use' : 'end_turn',
    usage: { inputTokens: 4, outputTokens: 2, totalTokens: 6 },
  }));
  const outputs = await ask(
    {
      type: 'ai.provider.AmazonBedrock',
      modelName: 'amazon.nova-lite-v1:0',
      accessKeyId: 'AKID',
      secretAccessKey: 'secret',
      baseUrl: url,
    },
    { tools: [skill], configuration: { maxToken: 50, temperature: 0.1 } },
  );
  expect(outputs).toMatchObject({ textOutput: 'Done', tokenUsage: { totalTokenCount: 12 } });
  expect(received[0]).toMatchObject({
    url: '/model/amazon.nova-lite-v1%3A0/converse',
    headers: {
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKID\/.*us-east-1\/bedrock/),
    },
    body: {
      system: [{ text: 'Be kind.' }],
      inferenceConfig: { maxTokens: 50, temperature: 0.1 },
      toolConfig: { tools: [{ toolSpec: { name: 'activate_skill' } }] },
    },
  });
  expect(received[1]?.body.messages).toMatchObject([
    { role: 'user', content: [{ text: 'Hi' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1' } }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'Be brief.' }] } }] },
  ]);
});

test('OCI Generative AI calls tools with requests that the key of a profile signs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-oci-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const settings =
    '[DEFAULT]\ntenancy=ten\nkey_file=key.pem\n# other\n[robot]\nuser = usr\nfingerprint=fi:ng\n';
  await writeFile(join(folder, 'config'), settings);
  vi.stubEnv('OCI_CONFIG_FILE', join(folder, 'config'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const call = { id: 'c1', type: 'FUNCTION', name: 'activate_skill', arguments: '{"skill":"notes"}' };
  play((_, count) => ({
    chatResponse: {
      apiFormat: 'GENERIC',
      choices: [
        count === 1
          ? { message: { role: 'ASSISTANT', content: [], toolCalls: [call] }, finishReason: 'tool_calls' }
          : {
              message: { role: 'ASSISTANT', content: [{ type: 'TEXT', text: 'Done' }] },
              finishReason: 'stop',
            },
      ],
      usage: { promptTokens: 4, completionTokens: 2, totalTokens: 6 },
    },
  }));
  const provider = {
    type: 'ai.provider.OciGenAI',
    modelName: 'meta.llama-3.3-70b-instruct',
    compartmentId: 'ocid1.compartment',
    region: 'eu-frankfurt-1',
    authProvider: 'robot',
    baseUrl: url,
  };
  const outputs = await ask(provider, { tools: [skill], configuration: { maxToken: 50 } });
  expect(outputs).toMatchObject({ textOutput: 'Done', tokenUsage: { totalTokenCount: 12 } });
  expect(received[0]).toMatchObject({
    url: '/20231130/actions/chat',
    body: {
      compartmentId: 'ocid1.compartment',
      servingMode: { servingType: 'ON_DEMAND', modelId: 'meta.llama-3.3-70b-instruct' },
      chatRequest: {
        apiFormat: 'GENERIC',
        maxTokens: 50,
        messages: [
          { role: 'SYSTEM', content: [{ type: 'TEXT', text: 'Be kind.' }] },
          { role: 'USER', content: [{ type: 'TEXT', text: 'Hi' }] },
        ],
        tools: [{ type: 'FUNCTION', name: 'activate_skill' }],
      },
    },
  });
  expect(received[1]?.body.chatRequest).toMatchObject({
    messages: [
      {},
      {},
      { role: 'ASSISTANT', toolCalls: [call] },
      { role: 'TOOL', toolCallId: 'c1', content: [{ text: 'Be brief.' }] },
    ],
  });
  for (const { headers, body } of received) {
    const [, keyId, names = '', signature = ''] =
      /keyId="(.*?)",algorithm="rsa-sha256",headers="(.*?)",signature="(.*?)"/.exec(
        headers.authorization ?? '',
      ) ?? [];
    expect(keyId).toBe('ten/usr/fi:ng');
    const signed = names
      .split(' ')
      .map(
        (name) => `${name}: ${name === '(request-target)' ? 'post /20231130/actions/chat' : headers[name]}`,
      );
    expect(createVerify('RSA-SHA256').update(signed.join('\n')).verify(publicKey, signature, 'base64')).toBe(
      true,
    );
    const hash = createHash('sha256').update(JSON.stringify(body)).digest('base64');
    expect(headers['x-content-sha256']).toBe(hash);
  }
  await expect(ask({ ...provider, authProvider: 'missing' })).rejects.toThrow('no profile "missing"');
});
