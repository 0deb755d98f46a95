import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { aiAgent } from '../agent/aiAgent.ts';
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
      { type: `ai.provider.${name}`, modelName: 'm', baseUrl: server.url, ...properties },
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
        endpoint: server.url,
        tenantId: 't',
        clientId: 'c',
        clientSecret: 's',
      },
      {},
      anAiContext({ redirect: { 'https://login.microsoftonline.com': server.url } }),
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
      {
        type: 'ai.provider.WatsonxAI',
        modelName: 'ibm/granite',
        apiKey: 'k',
        projectId: 'p',
        baseUrl: server.url,
      },
      {},
      anAiContext({ redirect: { 'https://iam.cloud.ibm.com': server.url } }),
    );
    expect(outputs.textOutput).toBe('Hello');
    expect(received[1]?.body).not.toHaveProperty('stream');
    expect(received[1]).toMatchObject({
      url: '/ml/v1/text/chat?version=2024-10-10',
      body: { model_id: 'ibm/granite', project_id: 'p' },
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
      baseUrl: server.url,
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
    baseUrl: server.url,
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
