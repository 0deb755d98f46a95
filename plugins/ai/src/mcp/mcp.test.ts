import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TaskFailed } from '@millrace/plugin-kit';
import { freePort, type RunningServer, runType, startRealServer } from '@millrace/plugin-kit/testing';
import { startFakeDocker } from '@millrace/plugin-scripts/testing';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { aiAgent } from '../agent/aiAgent.ts';
import { anAiContext } from '../testing/aiContext.ts';
import { mcpReferenceServer as everything, ModelServer } from '../testing/index.ts';
import { mcpTasks } from './mcpTasks.ts';

const start = (transport: string): Promise<RunningServer> => {
  const env: Record<string, string> = {};
  return startRealServer({
    program: process.execPath,
    args: ({ port }) => {
      env.PORT = String(port);
      return [everything, transport];
    },
    env,
  });
};

/** A server of the SDK that sends events and refuses streams and messages without a login. */
async function startGuardedServer(login: string) {
  const transports = new Map<string, SSEServerTransport>();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (request.headers.authorization !== login) return response.writeHead(401).end('Unauthorized');
    if (pathname === '/sse') {
      const mcp = new McpServer({ name: 'guarded', version: '1' });
      const text = `the owner of ${login.replace('Bearer ', '')}`;
      mcp.registerTool('whoami', {}, () => ({ content: [{ type: 'text', text }] }));
      mcp.registerTool('wait', {}, () => new Promise(() => {}));
      const transport = new SSEServerTransport('/messages', response);
      transports.set(transport.sessionId, transport);
      response.once('close', () => transports.delete(transport.sessionId));
      return mcp.connect(transport);
    }
    const transport = transports.get(searchParams.get('sessionId') ?? '');
    if (pathname !== '/messages' || !transport) return response.writeHead(404).end();
    return transport.handlePostMessage(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, // `as`: it listens on a port.
    openStreams: () => transports.size,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const [callTool, listTools] = mcpTasks as [(typeof mcpTasks)[0], (typeof mcpTasks)[0]];
const model = new ModelServer();
let http: RunningServer;
let sse: RunningServer;
beforeAll(async () => {
  [http, sse] = await Promise.all([start('streamableHttp'), start('sse'), model.start()]);
});
afterAll(() => Promise.all([http.stop(), sse.stop(), model.stop()]));

const httpUrl = () => `http://127.0.0.1:${http.port}/mcp`;
const sseUrl = () => `http://127.0.0.1:${sse.port}/sse`;

const failureOf = (running: Promise<unknown>): Promise<TaskFailed> =>
  running.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: TaskFailed) => error,
  );

describe('a real MCP server', () => {
  test.each([
    ['STREAMABLE_HTTP', httpUrl],
    ['SSE', sseUrl],
    ['UNKNOWN', sseUrl],
  ])('is called over %s', async (transport, url) => {
    const context = anAiContext();
    const outputs = await runType(
      callTool,
      {
        url: url(),
        transport,
        tool: 'get-sum',
        arguments: { a: 2, b: 40 },
        logRequests: true,
        logResponses: true,
      },
      context,
    );
    expect(outputs).toMatchObject({ result: expect.stringContaining('42'), isError: false });
    expect(context.metrics).toContainEqual({
      name: 'mcp.tool.calls',
      type: 'counter',
      value: 1,
      tags: { tool: 'get-sum' },
    });
    expect(context.logs.map(({ message }) => message).join('\n')).toContain('MCP request tools/call');
  });

  test('returns structured content', async () => {
    const outputs = await runType(
      callTool,
      { url: httpUrl(), tool: 'get-structured-content', arguments: { location: 'New York' } },
      anAiContext(),
    );
    expect(outputs.structuredContent).toMatchObject({ temperature: expect.any(Number) });
  });

  test('lists its tools', async () => {
    const { tools, count } = await runType(listTools, { url: httpUrl() }, anAiContext());
    expect(tools).toContainEqual(
      expect.objectContaining({ name: 'echo', parameters: expect.objectContaining({ type: 'object' }) }),
    );
    expect(count).toBeGreaterThan(5);
  });

  test('that reports an error of a tool fails the task, or returns it', async () => {
    const wrong = { url: httpUrl(), tool: 'get-sum', arguments: { a: 'x' } };
    expect((await failureOf(runType(callTool, wrong, anAiContext()))).message).toContain('get-sum');
    const kept = await runType(callTool, { ...wrong, failOnToolError: false }, anAiContext());
    expect(kept).toMatchObject({ isError: true, errorMessage: expect.any(String) });
  });

  test('that is not there fails the task with the reason', async () => {
    const url = `http://127.0.0.1:${await freePort()}/mcp`;
    const failure = await failureOf(runType(listTools, { url }, anAiContext()));
    expect(failure.message).toMatch(/failed at initialize: .*ECONNREFUSED/);
  });

  test('is left when the task is killed', async () => {
    const context = anAiContext();
    const running = runType(
      callTool,
      { url: httpUrl(), tool: 'trigger-long-running-operation', arguments: { duration: 60, steps: 60 } },
      context,
    );
    const startedAt = Date.now();
    setTimeout(() => context.kill(), 300);
    await expect(running).rejects.toThrow(/abort/i);
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('an agent', () => {
  const stdio = (more: Record<string, unknown> = {}) => ({
    type: 'ai.tool.StdioMcpClient',
    command: [process.execPath, everything, 'stdio'],
    ...more,
  });

  test.each([
    ['a program', () => stdio({ env: { GREETING: 'hi' } })],
    ['streamable HTTP', () => ({ type: 'ai.tool.StreamableHttpMcpClient', url: httpUrl() })],
    ['server-sent events', () => ({ type: 'langchain4j.tool.HttpMcpClient', sseUrl: sseUrl() })],
  ])('uses the tools of an MCP server behind %s', async (_, tool) => {
    model.play([{ calls: [{ name: 'echo', arguments: { message: 'hello' } }] }, { text: 'Done' }]);
    const outputs = await runType(
      aiAgent,
      {
        provider: { type: 'ai.provider.OpenAI', modelName: 'm', apiKey: 'k', baseUrl: model.url },
        prompt: 'Echo hello',
        tools: [tool()],
      },
      anAiContext(),
    );
    expect(outputs).toMatchObject({
      textOutput: 'Done',
      toolExecutions: [{ requestName: 'echo', result: expect.stringContaining('hello') }],
    });
  });

  test('sends its headers to a server with server-sent events, and waits as long as it may', async () => {
    const server = await startGuardedServer('Bearer sse-token');
    onTestFinished(() => server.close());
    const ask = async (name: string, properties: Record<string, unknown>) => {
      model.play([{ calls: [{ name, arguments: {} }] }, { text: 'Done' }]);
      const context = anAiContext();
      const running = runType(
        aiAgent,
        {
          provider: { type: 'ai.provider.OpenAI', modelName: 'm', apiKey: 'k', baseUrl: model.url },
          prompt: 'Who am I?',
          tools: [{ type: 'ai.tool.SseMcpClient', sseUrl: server.url, ...properties }],
        },
        context,
      );
      return { outputs: await running, logs: context.logs.map(({ message }) => message).join('\n') };
    };
    const headers = { Authorization: 'Bearer sse-token' };
    const { outputs, logs } = await ask('whoami', { headers, logRequests: true, logResponses: true });
    expect(outputs).toMatchObject({
      textOutput: 'Done',
      toolExecutions: [{ requestName: 'whoami', result: 'the owner of sse-token' }],
    });
    expect(logs).toContain('MCP request tools/call: {"name":"whoami"');
    expect(logs).toContain('MCP response to tools/call');
    expect((await ask('whoami', { headers })).logs).not.toContain('MCP re');
    const failure = await failureOf(ask('wait', { headers, timeout: 'PT0.3S' }));
    expect(failure.message).toMatch(/tools\/call: .*timed out/);
    expect(failure.cause).toMatchObject({ cause: { data: { timeout: 300 } } });
    await expect(ask('whoami', { headers: { Authorization: 'Bearer other' } })).rejects.toThrow('401');
    await expect.poll(() => server.openStreams()).toBe(0);
  });

  test('starts a container, talks with it, and removes it with the task', async () => {
    const engine = await startFakeDocker();
    onTestFinished(() => engine.close());
    model.play([{ calls: [{ name: 'get-env', arguments: {} }] }, { text: 'Done' }]);
    const outputs = await runType(
      aiAgent,
      {
        provider: { type: 'ai.provider.OpenAI', modelName: 'm', apiKey: 'k', baseUrl: model.url },
        prompt: 'Show it',
        tools: [
          {
            type: 'ai.tool.DockerMcpClient',
            image: 'here',
            command: [process.execPath, everything, 'stdio'],
            env: { GREETING: 'hola' },
          },
        ],
      },
      anAiContext({
        configuration: { 'scripts.runner.docker.Docker': { host: `unix://${engine.socketPath}` } },
      }),
    );
    expect(outputs).toMatchObject({
      textOutput: 'Done',
      toolExecutions: [{ requestName: 'get-env', result: expect.stringContaining('"GREETING": "hola"') }],
    });
    expect(engine.containers).toMatchObject([{ state: 'removed', options: { Image: 'here' } }]);
  });

  test('starts a program with the environment that it is given and no other', async () => {
    model.play([{ calls: [{ name: 'get-env', arguments: {} }] }, { text: 'Done' }]);
    const outputs = await runType(
      aiAgent,
      {
        provider: { type: 'ai.provider.OpenAI', modelName: 'm', apiKey: 'k', baseUrl: model.url },
        prompt: 'Show it',
        tools: [stdio({ env: { GREETING: '{{ inputs.word }}', FOLDER: '{{ workingDir }}' } })],
      },
      anAiContext({ variables: { inputs: { word: 'bonjour' } } }),
    );
    const [{ result }] = outputs.toolExecutions as [{ result: string }];
    expect(result).toContain('"GREETING": "bonjour"');
    expect(result).toMatch(/"FOLDER": "\/.*millrace-test-/);
  });

  test('fails when the program ends or does not exist', async () => {
    const run = (command: string[]) =>
      runType(
        aiAgent,
        {
          provider: { type: 'ai.provider.OpenAI', modelName: 'm', apiKey: 'k', baseUrl: model.url },
          prompt: 'x',
          tools: [{ type: 'ai.tool.StdioMcpClient', command }],
        },
        anAiContext(),
      );
    for (const command of [['false'], ['/no/such/program']])
      expect((await failureOf(run(command))).message).toContain('The MCP server failed at initialize');
  });
});
