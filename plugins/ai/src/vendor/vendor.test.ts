import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coreFamily } from '@millrace/plugin-core';
import type { TriggerDefinition } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aiFamily } from '../index.ts';
import { anAiContext } from '../testing/aiContext.ts';
import {
  aContext,
  completion,
  find,
  play,
  received,
  run,
  Streamed,
  startVendor,
  stopVendor,
} from '../testing/vendorServer.ts';

beforeAll(startVendor);
afterAll(stopVendor);

describe('Gemini', () => {
  const usageMetadata = { candidatesTokenCount: 1, promptTokenCount: 2, totalTokenCount: 3 };
  const said = (text: string) => ({ candidates: [{ content: { parts: [{ text }] } }], usageMetadata });

  test('a chat sends each message of the user with what was said before', async () => {
    const { outputs, context } = await run(
      'gemini.ChatCompletion',
      {
        model: 'gemini-2.5-flash',
        messages: [
          { type: 'SYSTEM', content: 'Be brief.' },
          { type: 'USER', content: 'one' },
          { type: 'USER', content: 'two' },
        ],
      },
      (_, count) => said(`answer ${count}`),
    );
    expect(outputs.predictions).toEqual([{ content: 'answer 1' }, { content: 'answer 2' }]);
    expect(received[1]?.body).toMatchObject({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user' }, { role: 'model', parts: [{ text: 'answer 1' }] }, { role: 'user' }],
    });
    expect(context.metrics).toContainEqual({ name: 'total.token.count', type: 'counter', value: 3 });
  });

  test('texts and JSON', async () => {
    expect(
      (await run('gemini.TextCompletion', { model: 'm', prompt: 'x' }, () => said('y'))).outputs,
    ).toEqual({
      predictions: [{ content: 'y' }],
    });
    const { outputs, request } = await run(
      'gemini.StructuredOutputCompletion',
      { model: 'm', prompt: 'x', jsonResponseSchema: { type: 'object' } },
      () => said('{}'),
    );
    expect(outputs).toEqual({ predictions: ['{}'] });
    expect(request.body.generationConfig).toMatchObject({ responseSchema: { type: 'object' } });
  });

  test('files go in and images come out', async () => {
    const context = aContext();
    const picture = await context.files.put('a.jpg', 'jpeg');
    const { outputs, request } = await run(
      'gemini.MultimodalCompletion',
      { model: 'm', contents: [{ content: 'What?' }, { mimeType: 'image/jpeg', content: picture }] },
      () => ({
        candidates: [
          {
            content: { parts: [{ text: 'A cat' }, { inlineData: { mimeType: 'image/png', data: 'cG5n' } }] },
            finishReason: 'STOP',
            safetyRatings: [{ category: 'HARM', probability: 'LOW' }],
          },
        ],
      }),
      context,
    );
    expect(outputs).toMatchObject({ text: 'A cat', blocked: false, finishReason: 'STOP' });
    const [{ uri }] = outputs.images as [{ uri: string }];
    expect(await context.files.text(uri)).toBe('png');
    expect(JSON.stringify(request.body)).toContain(Buffer.from('jpeg').toString('base64'));
  });

  test('a video is stored', async () => {
    const { outputs, context } = await run(
      'gemini.VideoGeneration',
      { model: 'veo', prompt: 'x' },
      ({ url }) =>
        url.includes('predictLongRunning')
          ? {
              name: 'operations/1',
              done: true,
              response: {
                generateVideoResponse: {
                  generatedSamples: [{ video: { uri: 'https://videos.example.com/v' } }],
                },
              },
            }
          : 'video',
    );
    expect(await context.files.text(String(outputs.videoUri))).toBe('"video"');
  });
});

describe('services with the chat of OpenAI', () => {
  test.each(['mistral', 'deepseek'])('%s', async (name) => {
    const { outputs, request } = await run(
      `${name}.ChatCompletion`,
      {
        modelName: 'm',
        messages: [{ type: 'USER', content: 'Hi' }],
        jsonResponseSchema: '{"type":"object"}',
      },
      () => completion,
    );
    expect(outputs).toEqual({ response: 'Paris', raw: JSON.stringify(completion) });
    expect(request).toMatchObject({
      url: '/v1/chat/completions',
      body: {
        model: 'm',
        messages: [{ role: 'user', content: 'Hi' }],
        response_format: { type: 'json_schema' },
      },
    });
  });

  test('perplexity', async () => {
    const { outputs, request } = await run(
      'perplexity.ChatCompletion',
      {
        model: 'sonar',
        messages: [
          { type: 'ASSISTANT', content: 'a' },
          { type: 'USER', content: 'Hi' },
        ],
      },
      () => completion,
    );
    expect(outputs.outputText).toBe('Paris');
    expect(request).toMatchObject({
      url: '/chat/completions',
      body: {
        ...{ temperature: 0.2, top_p: 0.9, top_k: 0, stream: false },
        messages: [{ role: 'assistant' }, { role: 'user' }],
      },
    });
  });

  describe('perplexity with a stream', () => {
    const { choices: _, ...head } = completion;
    const piece = (content: string, finish_reason: string | null = null) => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
    });
    const ask = (streamed: Streamed, context = aContext()) =>
      run(
        'perplexity.ChatCompletion',
        { model: 'sonar', stream: true, messages: [{ type: 'USER', content: 'Hi' }] },
        () => streamed,
        context,
      );

    test('has the outputs of a whole response, and logs its lines', async () => {
      const { outputs, request, context } = await ask(
        new Streamed(
          piece('Par'),
          piece('is\nFra'),
          { ...piece('nce', 'stop'), citations: ['https://example.com'] },
          '[DONE]',
        ),
      );
      expect(request).toMatchObject({ body: { stream: true }, headers: { accept: 'text/event-stream' } });
      expect(outputs.outputText).toBe('Paris\nFrance');
      expect(JSON.parse(String(outputs.rawResponse))).toEqual({
        ...completion,
        citations: ['https://example.com'],
        choices: [
          { index: 0, message: { role: 'assistant', content: 'Paris\nFrance' }, finish_reason: 'stop' },
        ],
      });
      expect(context.logs).toMatchObject([
        { level: 'DEBUG', message: 'Perplexity writes: Paris' },
        { level: 'DEBUG', message: 'Perplexity writes: France' },
      ]);
      expect(context.metrics).toContainEqual({ name: 'usage.total.tokens', type: 'counter', value: 5 });
    });

    test.each([
      ['ends too early', [], 'it ended before the service said why the model stopped'],
      ['has an error', [{ error: { message: 'Overloaded', code: 529 } }], 'Overloaded'],
      ['has no JSON', ['{"id'], 'one of its events is not valid: {"id'],
    ])('fails when it %s, and counts the tokens so far', async (_name, end, reason) => {
      const context = aContext();
      const failure = await ask(new Streamed(piece('Par'), ...end), context).catch((error: unknown) => error);
      expect(failure).toMatchObject({ message: expect.stringContaining(reason), retry: true });
      expect(context.metrics).toContainEqual({ name: 'usage.total.tokens', type: 'counter', value: 5 });
    });
  });
});

test('Hugging Face returns what the model returned', async () => {
  const { outputs, request } = await run(
    'huggingface.Inference',
    { model: 'facebook/bart', inputs: 'x', parameters: { a: 1 }, waitForModel: true },
    () => [{ label: 'billing' }],
  );
  expect(outputs).toEqual({ output: [{ label: 'billing' }] });
  expect(request).toMatchObject({
    url: '/models/facebook/bart',
    headers: { 'x-use-cache': 'true', 'x-wait-for-model': 'true' },
    body: { inputs: 'x', parameters: { a: 1 } },
  });
});

test('a workflow of Mistral is waited for', async () => {
  const { outputs } = await run(
    'mistral.RunWorkflow',
    { workflowIdentifier: 'w', input: { a: 1 }, pollInterval: 'PT0.01S' },
    ({ url }, count) =>
      url.endsWith('/execute')
        ? { execution_id: 'e1', status: 'RUNNING' }
        : {
            execution_id: 'e1',
            status: count < 3 ? 'RUNNING' : 'COMPLETED',
            result: { b: 2 },
            start_time: '2026-01-01T00:00:00Z',
            end_time: '2026-01-01T00:00:02Z',
          },
  );
  expect(outputs).toMatchObject({
    executionId: 'e1',
    status: 'COMPLETED',
    result: '{"b":2}',
    totalDurationMs: 2000,
  });
});

test('events of Mistral start one execution each, and old ones none', async () => {
  const trigger = aiFamily.types.find(({ type }) => type === 'mistral.WorkflowEvents') as TriggerDefinition;
  const event = (id: string, type = 'WorkflowExecutionCompleted') => ({
    workflow_exec_id: id,
    workflow_name: 'w',
    event_type: type,
    event_timestamp: 1,
  });
  const context = aContext();
  play(({ url }) =>
    url.includes('cursor=c1')
      ? { events: [event('two'), event('x', 'Other'), event('three')], next_cursor: 'c2' }
      : {
          events: url.includes('cursor') ? [] : [event('old')],
          next_cursor: url.includes('cursor') ? 'c2' : 'c1',
        },
  );
  const poll = () => trigger.poll?.(context, trigger.input.parse({ apiKey: 'k' }));
  expect(await poll()).toBeUndefined();
  expect(await poll()).toMatchObject({ workflowExecId: 'two' });
  expect(await poll()).toMatchObject({ workflowExecId: 'three' });
  expect(await poll()).toBeUndefined();
});

test('ollama runs its commands with the server that is named', async () => {
  const context = anAiContext({ types: [...scriptsFamily.types, ...coreFamily.types] });
  const folder = await context.workingDirectory();
  await writeFile(join(folder, 'ollama'), '#!/bin/sh\necho "$OLLAMA_HOST $@" > answer.txt\n');
  await chmod(join(folder, 'ollama'), 0o755);
  const outputs = await runType(
    find('ollama.cli.OllamaCLI'),
    {
      commands: ['./ollama run llama3.2'],
      host: 'http://ollama:11434',
      taskRunner: { type: 'core.runner.Process' },
      outputFiles: ['answer.txt'],
    },
    context,
  );
  const files = outputs.outputFiles as Record<string, string>;
  expect(await context.files.text(files['answer.txt'] ?? '')).toBe('http://ollama:11434 run llama3.2\n');
});
