import type { TaskFailed } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAiContext } from '../testing/aiContext.ts';
import { ModelServer } from '../testing/modelServer.ts';
import { chatCompletion } from './chatCompletion.ts';
import { classification } from './classification.ts';
import { imageGeneration } from './imageGeneration.ts';
import { jsonStructuredExtraction } from './jsonStructuredExtraction.ts';

const server = new ModelServer();
beforeAll(async () => void (await server.start()));
afterAll(() => server.stop());

const provider = (more: Record<string, unknown> = {}) => ({
  type: 'io.kestra.plugin.ai.provider.OpenAI',
  modelName: 'gpt-5-mini',
  apiKey: 'sk-very-secret',
  baseUrl: server.url,
  ...more,
});
const user = (content: string) => [{ type: 'USER', content }];
const failureOf = (run: Promise<unknown>): Promise<TaskFailed> =>
  run.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: TaskFailed) => error,
  );

describe('a chat completion', () => {
  test('returns the response, the tokens and why the model stopped', async () => {
    server.play([{ text: 'Paris', finish: 'length' }]);
    const context = anAiContext();
    const outputs = await runType(
      chatCompletion,
      {
        provider: provider(),
        configuration: { temperature: 0.2, topP: 0.9, seed: 7, maxToken: 100 },
        messages: [
          { type: 'SYSTEM', content: 'You are brief.' },
          { type: 'USER', content: 'Hi' },
          { type: 'AI', content: 'Hello' },
          { type: 'USER', content: 'The capital of France?' },
        ],
      },
      context,
    );
    expect(outputs).toMatchObject({
      textOutput: 'Paris',
      aiResponse: 'Paris',
      finishReason: 'LENGTH',
      tokenUsage: { inputTokenCount: 10, outputTokenCount: 5, totalTokenCount: 15 },
    });
    expect(server.bodies[0]).toMatchObject({
      model: 'gpt-5-mini',
      temperature: 0.2,
      top_p: 0.9,
      seed: 7,
      max_completion_tokens: 100,
      messages: [
        { role: 'system', content: 'You are brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'The capital of France?' },
      ],
    });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-very-secret');
    expect(context.metrics).toEqual(
      expect.arrayContaining([
        { name: 'input.token.count', type: 'counter', value: 10 },
        { name: 'output.token.count', type: 'counter', value: 5 },
        { name: 'total.token.count', type: 'counter', value: 15 },
        { name: 'ai.provider.calls', type: 'counter', value: 1, tags: { provider: 'OpenAI' } },
      ]),
    );
    expect(context.masker.mask('sk-very-secret')).not.toContain('secret');
  });

  test('returns JSON that follows a schema', async () => {
    server.play([{ text: '```json\n{"city": "Paris"}\n```' }]);
    const jsonSchema = { type: 'object', properties: { city: { type: 'string' } } };
    const outputs = await runType(
      chatCompletion,
      {
        provider: provider(),
        configuration: { responseFormat: { type: 'JSON', jsonSchema, strictJson: true } },
        messages: user('Where is the Eiffel Tower?'),
      },
      anAiContext(),
    );
    expect(outputs.jsonOutput).toEqual({ city: 'Paris' });
    expect(outputs.textOutput).toBeUndefined();
    expect(server.bodies[0]?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: true, schema: jsonSchema },
    });
  });

  test('sends images and PDFs of internal storage', async () => {
    server.play([{ text: 'A cat' }]);
    const context = anAiContext();
    const image = await context.files.put('cat.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    await runType(
      chatCompletion,
      {
        provider: provider(),
        messages: [
          {
            type: 'USER',
            contentBlocks: [
              { type: 'TEXT', text: 'What is this?' },
              { type: 'IMAGE', uri: image },
            ],
          },
        ],
      },
      context,
    );
    expect(server.bodies[0]?.messages).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } },
        ],
      },
    ]);
  });

  test('returns thoughts only when asked for', async () => {
    server.play(() => ({ text: 'Yes', thinking: 'Let me think.' }));
    const run = (configuration: Record<string, unknown>) =>
      runType(
        chatCompletion,
        { provider: provider(), configuration, messages: user('Really?') },
        anAiContext(),
      );
    expect((await run({ returnThinking: true })).thinking).toBe('Let me think.');
    expect((await run({})).thinking).toBeUndefined();
  });

  test('logs requests and responses when asked for', async () => {
    server.play([{ text: 'Fine' }]);
    const context = anAiContext();
    await runType(
      chatCompletion,
      {
        provider: provider(),
        configuration: { logRequests: true, logResponses: true },
        messages: user('How are you?'),
      },
      context,
    );
    const lines = context.logs.map(({ message }) => message).join('\n');
    expect(lines).toContain('How are you?');
    expect(lines).toContain('Fine');
  });
});

describe('a service that fails', () => {
  const run = (more: Record<string, unknown> = {}, context = anAiContext()) =>
    failureOf(runType(chatCompletion, { provider: provider(more), messages: user('Hi') }, context));

  test('because of a wrong key is not asked again, and the key stays out of the message', async () => {
    server.play([]);
    const failure = await run({ apiKey: 'wrong' });
    expect(failure.message).toMatch(/^OpenAI responded with status 401: .* Check the credentials/);
    expect(failure.message).not.toContain('wrong');
    expect(failure.retry).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  test('because of an unknown model says what the service said', async () => {
    server.play([]);
    const failure = await run({ modelName: 'unknown' });
    expect(failure.message).toContain('The model `unknown` does not exist');
    expect(failure.retry).toBe(false);
  });

  test('because of a wrong address names the reason', async () => {
    const failure = await run({ baseUrl: 'http://127.0.0.1:1/v1' });
    expect(failure.message).toMatch(/^OpenAI could not be reached: .*ECONNREFUSED/);
    expect(failure.retry).toBe(true);
  });

  test('for a moment is asked again after the pause that it names', async () => {
    server.play([{ status: 429, retryAfter: '0.01' }, { status: 503, retryAfter: '0.01' }, { text: 'Hi' }]);
    const context = anAiContext();
    const outputs = await runType(chatCompletion, { provider: provider(), messages: user('Hi') }, context);
    expect(outputs.textOutput).toBe('Hi');
    expect(context.logs.filter(({ level }) => level === 'WARN')).toHaveLength(2);
  });

  test('because of its rate limit fails the task with advice', async () => {
    server.play(() => ({ status: 429, retryAfter: '0.01', message: 'Rate limit reached' }));
    const failure = await run();
    expect(failure.message).toContain('Rate limit reached');
    expect(failure.message).toContain('Add a `retry`');
    expect(failure.retry).toBe(true);
    expect(server.requests).toHaveLength(3);
  });

  test('to respond is given up when the task is killed', async () => {
    const context = anAiContext();
    server.play(() => {
      context.kill();
      return 'silence';
    });
    await expect(
      runType(chatCompletion, { provider: provider(), messages: user('Hi') }, context),
    ).rejects.toThrow(/abort/i);
  });
});

test.each([
  [[{ type: 'AI', content: 'x' }], 'must be of type USER, got AI'],
  [
    [
      { type: 'SYSTEM', content: 'x' },
      { type: 'SYSTEM', content: 'y' },
      { type: 'USER', content: 'z' },
    ],
    'may have one message of type SYSTEM, got 2',
  ],
])('messages that make no conversation are refused: %j', async (messages, words) => {
  const failure = await failureOf(runType(chatCompletion, { provider: provider(), messages }, anAiContext()));
  expect(failure.message).toContain(words);
});

describe('guardrails', () => {
  const guardrails = {
    input: [{ expression: '{{ message | length < 20 }}', message: 'The prompt is too long.' }],
    output: [
      { expression: "{{ not (message contains 'secret') }}", message: 'The response tells a secret.' },
    ],
  };
  const run = (content: string) =>
    runType(chatCompletion, { provider: provider(), messages: user(content), guardrails }, anAiContext());

  test('keep a prompt from the model', async () => {
    server.play([]);
    expect(await run('a very long prompt about nothing')).toEqual({
      guardrailViolated: true,
      guardrailViolationMessage: 'The prompt is too long.',
    });
    expect(server.requests).toHaveLength(0);
  });

  test('keep a response from the flow', async () => {
    server.play([{ text: 'The secret is 42' }]);
    const outputs = await run('Tell me');
    expect(outputs).toMatchObject({
      guardrailViolated: true,
      guardrailViolationMessage: 'The response tells a secret.',
    });
    expect(JSON.stringify(outputs)).not.toContain('42');
  });

  test('let everything else pass', async () => {
    server.play([{ text: 'Hello' }]);
    expect((await run('Hi')).textOutput).toBe('Hello');
  });
});

describe('a classification', () => {
  const run = (response: string) => {
    server.play([{ text: response }]);
    return runType(
      classification,
      { provider: provider(), prompt: 'My invoice is wrong', classes: ['Billing', 'technical'] },
      anAiContext(),
    );
  };

  test.each(['Billing', ' "billing". ', '**BILLING**'])(
    'reads %j as the class that was meant',
    async (word) => {
      expect((await run(word)).classification).toBe('Billing');
      expect(JSON.stringify(server.bodies[0]?.messages)).toContain('Classes: Billing, technical');
    },
  );

  test('that is none of the classes fails the task', async () => {
    expect((await failureOf(run('I am not sure'))).message).toContain(
      '"I am not sure", which is none of the classes: Billing, technical',
    );
  });
});

describe('an extraction', () => {
  const run = () =>
    runType(
      jsonStructuredExtraction,
      { provider: provider(), prompt: 'I am Ada', schemaName: 'Person', jsonFields: ['name', 'city'] },
      anAiContext(),
    );

  test('returns the fields as JSON', async () => {
    server.play([{ text: '{ "name": "Ada", "city": "" }' }]);
    expect(await run()).toMatchObject({ schemaName: 'Person', extractedJson: '{"name":"Ada","city":""}' });
    expect(server.bodies[0]?.response_format).toMatchObject({
      json_schema: { schema: { required: ['name', 'city'] } },
    });
  });

  test('of a model that does not respond with JSON fails the task', async () => {
    server.play([{ text: 'Ada' }]);
    expect((await failureOf(run())).message).toBe('The model did not respond with JSON: Ada');
  });
});

test('an image that comes as bytes is stored', async () => {
  server.play([]);
  const context = anAiContext();
  const { imageUrl } = await runType(imageGeneration, { provider: provider(), prompt: 'A mill' }, context);
  expect(await context.files.text(String(imageUrl))).toBe('an image');
  expect(server.bodies[0]).toEqual({ model: 'gpt-5-mini', prompt: 'A mill', n: 1 });
});
