import { defineTask, type TaskFailed } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { aiAgent } from '../agent/aiAgent.ts';
import { chatCompletion } from '../completion/chatCompletion.ts';
import { anAiContext } from '../testing/aiContext.ts';
import { ModelServer } from '../testing/modelServer.ts';
import { LineCutter } from './streamedResponse.ts';

const server = new ModelServer();
beforeAll(async () => void (await server.start()));
afterAll(() => server.stop());

const provider = () => ({
  type: 'ai.provider.OpenAI',
  modelName: 'gpt-5-mini',
  apiKey: 'sk-very-secret',
  baseUrl: server.url,
});
const chat = (configuration: Record<string, unknown> = {}, context = anAiContext()) =>
  runType(
    chatCompletion,
    { provider: provider(), configuration, messages: [{ type: 'USER', content: 'Hi' }] },
    context,
  );
const failureOf = (run: Promise<unknown>): Promise<TaskFailed> =>
  run.then(
    (outputs) => Promise.reject(new Error(`It did not fail: ${JSON.stringify(outputs)}`)),
    (error: TaskFailed) => error,
  );

const echo = defineTask({
  type: 'test.Echo',
  title: 'Echo',
  description: 'Returns a text.',
  input: () => z.object({ word: z.string(), more: z.record(z.string(), z.unknown()).optional() }),
  output: () => z.object({ said: z.string() }),
  sideEffects: true,
  examples: [],
  run: (_, { word }) => ({ said: word }),
});
const tools = [
  { type: 'ai.tool.KestraTask', tasks: [{ id: 'say', type: 'test.Echo', word: '...', more: '...' }] },
];
const agent = (context = anAiContext({ types: [echo] })) =>
  runType(aiAgent, { provider: provider(), prompt: 'Hi', tools }, context);

describe('a streamed response', () => {
  test('becomes one text, with its tokens, thoughts and why the model stopped', async () => {
    const text = 'A long answer, ÄÖÜ 漢字 😀, in many pieces.\n'.repeat(20);
    server.play([{ text, thinking: 'Let me think about it.', finish: 'length' }]);
    const outputs = await chat({ returnThinking: true });
    expect(outputs).toMatchObject({
      textOutput: text,
      thinking: 'Let me think about it.',
      finishReason: 'LENGTH',
      tokenUsage: { inputTokenCount: 10, outputTokenCount: 5, totalTokenCount: 15 },
    });
    expect(server.bodies[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  test('may be JSON that follows a schema', async () => {
    server.play([{ text: '{"city": "Paris", "country": "France"}' }]);
    const outputs = await chat({ responseFormat: { type: 'JSON', jsonSchema: { type: 'object' } } });
    expect(outputs.jsonOutput).toEqual({ city: 'Paris', country: 'France' });
    expect(server.bodies[0]).toMatchObject({ stream: true, response_format: { type: 'json_schema' } });
  });

  test('asks for several tools, whose arguments come in pieces', async () => {
    server.play([
      {
        text: 'I use two tools.',
        calls: [
          { name: 'kestra_task_say', arguments: { word: 'hello world', more: { deep: [1, 2, { a: 'b' }] } } },
          { name: 'kestra_task_say', arguments: { word: 'again', more: {} } },
        ],
      },
      { text: 'Done' },
    ]);
    const { toolExecutions, intermediateResponses, tokenUsage, textOutput } = await agent();
    expect(textOutput).toBe('Done');
    expect(toolExecutions).toMatchObject([
      {
        requestId: 'call_1',
        requestArguments: { word: 'hello world', more: { deep: [1, 2, { a: 'b' }] } },
        result: '{"said":"hello world"}',
      },
      { requestId: 'call_2', result: '{"said":"again"}' },
    ]);
    expect(intermediateResponses).toMatchObject([
      { id: 'chatcmpl-1', completion: 'I use two tools.', finishReason: 'TOOL_EXECUTION' },
    ]);
    expect(tokenUsage).toMatchObject({ totalTokenCount: 30 });
    expect(server.bodies[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I use two tools.', tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] },
      { role: 'tool', tool_call_id: 'call_1' },
      { role: 'tool', tool_call_id: 'call_2' },
    ]);
  });

  test('is logged by line while it arrives', async () => {
    server.play([{ text: 'First line\nSecond line\n\nThird', thinking: 'A thought' }]);
    const context = anAiContext();
    await chat({ logResponses: true }, context);
    expect(context.logs.filter(({ level }) => level === 'DEBUG').map(({ message }) => message)).toEqual([
      'OpenAI writes: First line',
      'OpenAI writes: Second line',
      'OpenAI thinks: A thought',
      'OpenAI writes: Third',
    ]);
    server.play([{ text: 'Hidden' }]);
    const quiet = anAiContext();
    await chat({}, quiet);
    expect(JSON.stringify(quiet.logs)).not.toContain('Hidden');
  });
});

test('a long line is logged in pieces that end at a space', async () => {
  const lines: string[] = [];
  const cutter = new LineCutter((line) => void lines.push(line));
  for (const piece of 'word '.repeat(150)) await cutter.push(piece);
  await cutter.push('x'.repeat(501));
  await cutter.flush();
  expect(lines.map(({ length }) => length)).toEqual([499, 249, 500, 1]);
});

describe('a stream that breaks off', () => {
  const usage = (context: ReturnType<typeof anAiContext>) =>
    context.metrics.find(({ name }) => name === 'total.token.count')?.value;

  test.each([
    ['error', 'The server had an error processing your request.'],
    ['connection', 'the connection was closed'],
    ['end', 'stream ended without a finish reason'],
    ['garbage', 'one of its events is not valid: Unterminated string in JSON'],
  ] as const)('by %s fails the task, which may be tried again', async (breaks, reason) => {
    server.play([{ text: 'Half of this text arrives.', breaks }]);
    const context = anAiContext();
    const failure = await failureOf(chat({}, context));
    expect(failure.message).toMatch(
      /^OpenAI did not complete its response, of which \d+ characters arrived: /,
    );
    expect(failure.message).toContain(reason);
    expect(failure.retry).toBe(true);
    expect(server.requests).toHaveLength(1);
    await expect.poll(() => server.openStreams).toBe(0);
  });

  test('never runs a tool whose arguments did not arrive', async () => {
    server.play([
      {
        calls: [
          { name: 'kestra_task_say', arguments: {} },
          { name: 'kestra_task_say', arguments: { word: 'half', more: { a: 'lot'.repeat(20) } } },
        ],
        breaks: 'end',
      },
    ]);
    const context = anAiContext({ types: [echo] });
    expect((await failureOf(agent(context))).retry).toBe(true);
    expect(context.logs.map(({ message }) => message).join()).not.toContain('called with');
  });

  test('counts the tokens that the service has reported', async () => {
    server.play([
      { calls: [{ name: 'kestra_task_say', arguments: { word: 'a', more: {} } }] },
      { text: 'Half of this text arrives.', breaks: 'error', reportsTokens: true },
    ]);
    const context = anAiContext({ types: [echo] });
    await failureOf(agent(context));
    // 15 of the first response, and 10 + 5 of the second.
    expect(usage(context)).toBe(30);
  });

  test('by silence fails the task after a while, and its connection is closed', async () => {
    server.play([{ text: 'Half of this text arrives.', breaks: 'stall' }]);
    const context = anAiContext();
    const limits: unknown[] = [];
    const { fetch } = context;
    const impatient = Object.assign(context, {
      fetch: (request: Parameters<typeof fetch>[0]) => {
        limits.push(request.readIdleTimeoutMs, request.bodyIdleTimeoutMs);
        return fetch({ ...request, bodyIdleTimeoutMs: 100 });
      },
    });
    const failure = await failureOf(chat({}, impatient));
    expect(failure.message).toContain('did not continue its answer in time');
    expect(failure.retry).toBe(true);
    expect(limits).toEqual([600_000, 300_000]);
    await expect.poll(() => server.openStreams).toBe(0);
  });

  test('because the task is killed closes its connection at once', async () => {
    server.play([{ text: 'First line\nHalf of this text arrives.', breaks: 'stall' }]);
    const context = anAiContext();
    const running = chat({ logResponses: true }, context);
    const ended = expect(running).rejects.toThrow(/abort/i);
    await expect.poll(() => context.logs.some(({ message }) => message.endsWith('First line'))).toBe(true);
    expect(server.openStreams).toBe(1);
    context.kill();
    await ended;
    await expect.poll(() => server.openStreams).toBe(0);
  });
});

describe('a service without streams', () => {
  test('that ignores the request for one responds once', async () => {
    server.play([
      { calls: [{ name: 'kestra_task_say', arguments: { word: 'a', more: {} } }], ignoresStream: true },
      { text: 'Done', thinking: 'Hm', ignoresStream: true },
    ]);
    const outputs = await agent();
    expect(outputs).toMatchObject({
      textOutput: 'Done',
      toolExecutions: [{ result: '{"said":"a"}' }],
      tokenUsage: { totalTokenCount: 30 },
    });
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    'Your organization must be verified to stream this model.',
    'stream_options: Extra inputs are not permitted',
  ])('that rejects it is called without from then on: %s', async (message) => {
    server.play(({ body }, count) => {
      if (body.stream === true) return { status: 400, message };
      return count < 2
        ? { calls: [{ name: 'kestra_task_say', arguments: { word: 'a', more: {} } }] }
        : { text: 'Done' };
    });
    expect((await agent()).textOutput).toBe('Done');
    expect(server.bodies.map(({ stream }) => stream)).toEqual([true, undefined, undefined]);
  });

  test('is not taken for one that rejects another property', async () => {
    server.play([{ status: 400, message: 'Unsupported value: temperature' }]);
    expect((await failureOf(chat())).message).toContain('Unsupported value: temperature');
    expect(server.requests).toHaveLength(1);
  });
});

test('a rate limit before the stream is waited for, as long as the service asks', async () => {
  server.play([{ status: 429, retryAfter: '0.01' }, { text: 'Hi' }]);
  const context = anAiContext();
  expect((await chat({}, context)).textOutput).toBe('Hi');
  expect(server.bodies.map(({ stream }) => stream)).toEqual([true, true]);
  expect(context.logs.map(({ message }) => message)).toContain(
    'OpenAI responded with status 429; trying again in 0.01 s.',
  );
});
