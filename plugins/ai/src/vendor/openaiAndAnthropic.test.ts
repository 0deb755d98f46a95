import type { TaskFailed } from '@millrace/plugin-kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aContext, completion, run, startVendor, stopVendor } from '../testing/vendorServer.ts';

beforeAll(startVendor);
afterAll(stopVendor);

describe('OpenAI', () => {
  test('chat with functions and a schema', async () => {
    const { outputs, request, context } = await run(
      'openai.ChatCompletion',
      {
        model: 'gpt-5-mini',
        messages: [{ role: 'system', content: 'Be brief.' }],
        prompt: 'The capital of France?',
        maxTokens: 10,
        functions: [
          {
            name: 'find',
            description: 'Finds.',
            parameters: [
              { name: 'q', description: 'Query', type: 'string', enumValues: ['a'], required: true },
            ],
          },
        ],
        functionCall: 'find',
        jsonResponseSchema: '{"type": "object"}',
      },
      () => completion,
    );
    expect(outputs).toEqual({ ...completion });
    expect(request).toMatchObject({
      url: '/v1/chat/completions',
      headers: { authorization: 'Bearer very-secret' },
      body: {
        temperature: 1,
        n: 1,
        max_completion_tokens: 10,
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'The capital of France?' },
        ],
        tools: [{ function: { parameters: { properties: { q: { enum: ['a'] } }, required: ['q'] } } }],
        tool_choice: { type: 'function', function: { name: 'find' } },
        response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
      },
    });
    expect(context.metrics).toContainEqual({ name: 'usage.prompt.cached_tokens', type: 'counter', value: 1 });
  });

  test('responses with sources', async () => {
    const { outputs, request } = await run(
      'openai.Responses',
      {
        model: 'm',
        input: [{ role: 'user', content: 'Hi' }],
        tools: [{ type: 'web_search' }],
        toolChoice: 'REQUIRED',
        maxOutputTokens: 9,
      },
      () => ({
        id: 'r1',
        output: [
          { type: 'web_search_call' },
          {
            type: 'message',
            content: [
              { type: 'output_text', text: 'Yes', annotations: [{ url: 'https://a' }, { url: 'https://a' }] },
            ],
          },
        ],
        usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
      }),
    );
    expect(outputs).toMatchObject({ responseId: 'r1', outputText: 'Yes', sources: ['https://a'] });
    expect(request.body).toMatchObject({ tool_choice: 'required', store: true, max_output_tokens: 9 });
  });

  test('images and files', async () => {
    const drawn = await run('openai.CreateImage', { prompt: 'x', quality: 'HIGH' }, () => ({
      data: [{ b64_json: Buffer.from('png').toString('base64') }],
    }));
    expect(drawn.request.body).toEqual({
      model: 'gpt-image-1',
      prompt: 'x',
      size: '1024x1024',
      quality: 'high',
    });
    const [image = ''] = drawn.outputs.images as string[];
    expect(await drawn.context.files.text(image)).toBe('png');
    const context = aContext();
    const from = await context.files.put('a.txt', 'content');
    const uploaded = await run(
      'openai.UploadFile',
      { from, purpose: 'user_data' },
      () => ({ id: 'f1' }),
      context,
    );
    expect(uploaded.outputs).toEqual({ fileId: 'f1' });
    expect(uploaded.request.text).toContain('filename="a.txt"');
    expect(uploaded.request.text).toContain('user_data');
  });

  test('that refuses says why, without the key', async () => {
    const failure: TaskFailed = await run('openai.ChatCompletion', { model: 'm', prompt: 'x' }, () => ({
      refuse: true,
      error: { message: 'Too many requests for very-secret' },
    })).then(
      () => Promise.reject(new Error('It did not fail.')),
      (error) => error,
    );
    expect(failure.message).toContain('OpenAI responded with status 429: Too many requests for ');
    expect(failure.message).not.toContain('very-secret');
    expect(failure.retry).toBe(true);
  });
});

describe('Anthropic', () => {
  test('chat with tools and a cache', async () => {
    const { outputs, request } = await run(
      'anthropic.ChatCompletion',
      {
        model: 'claude',
        system: 'Be brief.',
        promptCaching: true,
        messages: [{ type: 'USER', content: 'Hi' }],
        tools: [{ name: 'find', inputSchema: { type: 'object' } }],
      },
      () => ({
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 't1', name: 'find', input: { q: 'x' } },
        ],
        stop_reason: 'tool_use',
        usage: {
          input_tokens: 1,
          output_tokens: 2,
          cache_creation_input_tokens: 3,
          cache_read_input_tokens: 4,
        },
      }),
    );
    expect(outputs).toMatchObject({
      outputText: 'Let me look.',
      toolUses: [{ id: 't1', name: 'find', input: { q: 'x' } }],
      stopReason: 'tool_use',
      cacheCreationInputTokens: 3,
      cacheReadInputTokens: 4,
    });
    expect(request).toMatchObject({
      url: '/v1/messages',
      headers: { 'x-api-key': 'very-secret', 'anthropic-version': '2023-06-01' },
      body: { max_tokens: 1024, system: [{ cache_control: { type: 'ephemeral' } }] },
    });
  });

  test('files and models', async () => {
    const file = {
      id: 'f1',
      filename: 'a.pdf',
      mime_type: 'application/pdf',
      size_bytes: 7,
      created_at: 'now',
    };
    const context = aContext();
    const filePath = await context.files.put('a.pdf', 'content');
    const uploaded = await run(
      'anthropic.UploadFile',
      { filePath, mimeType: 'application/pdf' },
      () => file,
      context,
    );
    expect(uploaded.outputs).toEqual({ fileId: 'f1', filename: 'a.pdf', size: 7 });
    expect(uploaded.request.headers['anthropic-beta']).toBe('files-api-2025-04-14');
    const listed = await run('anthropic.ListFiles', { limit: 2 }, () => ({ data: [file], has_more: true }));
    expect(listed.outputs).toMatchObject({ files: [{ fileId: 'f1' }], hasMore: true });
    expect(listed.request.url).toBe('/v1/files?limit=2');
    expect((await run('anthropic.GetFile', { fileId: 'f1' }, () => file)).outputs).toMatchObject({
      metadata: { mimeType: 'application/pdf', size: 7 },
    });
    const deleted = await run('anthropic.DeleteFile', { fileId: 'f1' }, () => ({
      id: 'f1',
      type: 'file_deleted',
    }));
    expect(deleted.outputs).toEqual({ fileId: 'f1', deleted: true });
    expect(deleted.request.method).toBe('DELETE');
    const models = await run('anthropic.ListModels', {}, () => ({ data: [{ id: 'm', display_name: 'M' }] }));
    expect(models.outputs).toEqual({ models: [{ id: 'm', displayName: 'M', createdAt: '' }] });
  });
});
