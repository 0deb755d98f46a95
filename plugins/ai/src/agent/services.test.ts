import type { IncomingMessage, ServerResponse } from 'node:http';
import { runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAiContext } from '../testing/aiContext.ts';
import { LocalServer, readBody } from '../testing/localServer.ts';
import { ModelServer } from '../testing/modelServer.ts';
import { a2aClient } from './a2a.ts';
import { aiAgent } from './aiAgent.ts';

type Data = Readonly<Record<string, unknown>>;
interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Data;
}

/** The web services that agents use; each test sets the responses. */
class Web extends LocalServer {
  readonly asked: Asked[] = [];
  respond: (asked: Asked) => unknown = () => undefined;

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = JSON.parse((await readBody(request)).toString('utf8') || '{}');
    const asked = { path: request.url ?? '', headers: request.headers, body };
    this.asked.push(asked);
    const value = this.respond(asked);
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value ?? { message: 'not found' }));
  }
}

const model = new ModelServer();
const web = new Web();
beforeAll(async () => void (await Promise.all([model.start(), web.start()])));
afterAll(() => Promise.all([model.stop(), web.stop()]));

const ask = (properties: Data, context = anAiContext()) => {
  const provider = { type: 'ai.provider.OpenAI', modelName: 'm', apiKey: 'k', baseUrl: model.url };
  return runType(aiAgent, { provider, prompt: 'Do it', ...properties }, context);
};
const respondWith = (respond: Web['respond']) => {
  web.asked.length = 0;
  web.respond = respond;
};
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  {
    tool: { type: 'ai.tool.TavilyWebSearch', apiKey: 'tavily-key' },
    service: 'https://api.tavily.com',
    calls: { name: 'searchWeb', arguments: { query: 'rivers' } },
    replies: { results: [{ title: 'Rivers', url: 'https://r', content: 'They flow.', score: 1 }] },
    asked: {
      path: '/search',
      headers: { authorization: 'Bearer tavily-key' },
      body: { query: 'rivers', max_results: 5 },
    },
    result: '[{"title":"Rivers","url":"https://r","content":"They flow."}]',
  },
  {
    tool: { type: 'langchain4j.tool.GoogleCustomWebSearch', apiKey: 'google-key', csi: 'engine' },
    service: 'https://www.googleapis.com',
    calls: { name: 'searchWeb', arguments: { query: 'rivers & lakes' } },
    replies: { items: [{ title: 'Rivers', link: 'https://r', snippet: 'They flow.' }] },
    asked: { path: '/customsearch/v1?key=google-key&cx=engine&q=rivers+%26+lakes&num=5' },
    result: '[{"title":"Rivers","url":"https://r","content":"They flow."}]',
  },
  {
    tool: { type: 'ai.tool.CodeExecution', apiKey: 'rapid-key' },
    service: 'https://judge0-ce.p.rapidapi.com',
    calls: { name: 'executeJavaScriptCode', arguments: { code: 'console.log(7)' } },
    replies: { stdout: base64('7\n'), stderr: null, status: { description: 'Accepted' } },
    asked: {
      path: '/submissions?base64_encoded=true&wait=true&fields=*',
      headers: { 'x-rapidapi-key': 'rapid-key', 'x-rapidapi-host': 'judge0-ce.p.rapidapi.com' },
      body: { language_id: 102, source_code: base64('console.log(7)') },
    },
    result: '7\n',
  },
  {
    tool: { type: 'ai.tool.CodeExecution', apiKey: 'rapid-key' },
    service: 'https://judge0-ce.p.rapidapi.com',
    calls: { name: 'executeJavaScriptCode', arguments: { code: 'nope(' } },
    replies: { stdout: null, stderr: base64('SyntaxError'), status: { description: 'Runtime Error' } },
    asked: {},
    result: 'SyntaxError',
  },
])('an agent uses $tool.type, and the model gets "$result"', async (row) => {
  respondWith(() => row.replies);
  model.play([{ calls: [row.calls] }, { text: 'Done' }]);
  const context = anAiContext({ redirect: { [row.service]: web.url } });
  expect(await ask({ tools: [row.tool] }, context)).toMatchObject({
    textOutput: 'Done',
    toolExecutions: [{ requestName: row.calls.name, result: row.result }],
  });
  expect(web.asked).toMatchObject([row.asked]);
  expect(JSON.stringify(context.logs)).not.toContain(row.tool.apiKey);
});

describe('an agent of the A2A protocol', () => {
  const parts = [{ kind: 'text', text: 'Two incidents.' }];
  const working = { kind: 'task', id: 't1', status: { state: 'working' } };
  /** The card names the endpoint; the task needs a moment. */
  const agent =
    (end: Data): Web['respond'] =>
    ({ path, body }) => {
      if (path === '/agent/.well-known/agent.json') return { url: `${web.url}/rpc` };
      if (path !== '/rpc') return undefined;
      return { jsonrpc: '2.0', id: body.id, ...(body.method === 'message/send' ? { result: working } : end) };
    };
  const call = () =>
    runType(a2aClient, { serverUrl: `${web.url}/agent/`, prompt: 'How many?' }, anAiContext());

  test('is found by its card, asked, and waited for', async () => {
    const result = { ...working, status: { state: 'completed' }, artifacts: [{ parts }] };
    respondWith(agent({ result }));
    expect(await call()).toEqual({ textOutput: 'Two incidents.' });
    expect(web.asked.map(({ path, body }) => `${path} ${body.method ?? ''}`)).toEqual([
      '/agent/.well-known/agent-card.json ',
      '/agent/.well-known/agent.json ',
      '/rpc message/send',
      '/rpc tasks/get',
    ]);
    expect(web.asked[2]?.body.params).toMatchObject({
      message: { role: 'user', parts: [{ kind: 'text', text: 'How many?' }] },
    });
  });

  test('that fails or refuses fails the task', async () => {
    const status = { state: 'failed', message: { parts: [{ kind: 'text', text: 'no access' }] } };
    respondWith(agent({ result: { ...working, status } }));
    await expect(call()).rejects.toThrow('The task of the agent ended as "failed": no access');
    respondWith(() => ({ error: { code: -32_600, message: 'Invalid request' } }));
    await expect(call()).rejects.toThrow('The agent refused: Invalid request');
  });

  test('is a tool of another agent', async () => {
    respondWith(({ path }) => (path === '/' ? { result: { kind: 'message', parts } } : undefined));
    model.play([{ calls: [{ name: 'incidents', arguments: { prompt: 'How many?' } }] }, { text: 'Two' }]);
    const tool = { type: 'ai.tool.A2AClient', name: 'incidents', description: 'Knows.', serverUrl: web.url };
    expect(await ask({ tools: [tool] })).toMatchObject({ toolExecutions: [{ result: 'Two incidents.' }] });
  });
});

describe('a conversation is traced in Langfuse', () => {
  const observability = (more: Data = {}) => ({
    type: 'ai.observability.LangfuseObservability',
    endpoint: `${web.url}/`,
    publicKey: 'public',
    secretKey: 'secret-key',
    ...more,
  });

  test('with its tokens and tools, and with texts only when asked for', async () => {
    respondWith(() => ({}));
    const tool = { type: 'ai.tool.TavilyWebSearch', apiKey: 'k' };
    const trace = async (more: Data) => {
      web.asked.length = 0;
      model.play([{ calls: [{ name: 'searchWeb', arguments: { query: 'rivers' } }] }, { text: 'They flow' }]);
      const context = anAiContext({ redirect: { 'https://api.tavily.com': web.url } });
      await ask({ tools: [tool], observability: observability(more) }, context);
      return web.asked.at(-1);
    };
    const texts = { capturePrompt: true, captureOutput: true, captureToolArguments: true, release: 'v1' };
    const sent = await trace(texts);
    expect(sent).toMatchObject({
      path: '/api/public/otel/v1/traces',
      headers: { authorization: `Basic ${base64('public:secret-key')}` },
    });
    const json = JSON.stringify(sent?.body);
    for (const text of [
      '"name":"chat"',
      '"name":"searchWeb"',
      'Do it',
      'They flow',
      'rivers',
      'v1',
      'gen_ai.usage',
    ])
      expect(json).toContain(text);
    const plain = JSON.stringify((await trace({}))?.body);
    for (const text of ['Do it', 'They flow', 'rivers']) expect(plain).not.toContain(text);
  });

  test('and a trace that cannot be sent is a warning', async () => {
    respondWith(() => undefined);
    model.play([{ text: 'Done' }]);
    const context = anAiContext();
    expect(await ask({ observability: observability() }, context)).toMatchObject({ textOutput: 'Done' });
    expect(context.logs).toContainEqual({
      level: 'WARN',
      message: expect.stringMatching(/^The trace could not be sent: .*Langfuse/),
    });
  });
});
