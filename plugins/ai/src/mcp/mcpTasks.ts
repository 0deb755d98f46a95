import {
  anything,
  choice,
  defineTask,
  flag,
  mapOf,
  type TaskContext,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { oneTask } from '../base/example.ts';
import { type McpSession, openSession, serverSentEvents, streamableHttp } from './mcpClient.ts';

/** A call is ended by the `timeout` of its task, which every task has. */
const timeoutMs = 24 * 60 * 60_000;

const serverProperties = () => ({
  url: text().describe('The address of the server.'),
  transport: choice(['STREAMABLE_HTTP', 'SSE', 'UNKNOWN'])
    .default('STREAMABLE_HTTP')
    .describe('How to talk to the server; UNKNOWN tries streamable HTTP first.'),
  headers: mapOf(text()).optional().describe('Headers of every request, such as `Authorization`.'),
  logRequests: flag().default(false).describe('Log each request to the server.'),
  logResponses: flag().default(false).describe('Log each response of the server.'),
});

interface Server {
  readonly url: string;
  readonly transport: 'STREAMABLE_HTTP' | 'SSE' | 'UNKNOWN';
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly logRequests: boolean;
  readonly logResponses: boolean;
}

async function withSession<T>(
  context: TaskContext,
  server: Server,
  work: (session: McpSession) => Promise<T>,
): Promise<T> {
  const session = await open(context, server);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

async function open(context: TaskContext, server: Server): Promise<McpSession> {
  const options = { ...server, timeoutMs };
  const bySse = async () => openSession(context, await serverSentEvents(context, server), options);
  const byHttp = async () => openSession(context, await streamableHttp(context, server), options);
  if (server.transport === 'SSE') return bySse();
  if (server.transport === 'STREAMABLE_HTTP') return byHttp();
  return byHttp().catch(() => {
    context.signal.throwIfAborted();
    return bySse();
  });
}

const callTool = defineTask({
  type: 'ai.mcp.CallTool',
  title: 'Call a tool of an MCP server',
  description: 'Calls one tool of an MCP server, without a model.',
  input: () =>
    z.object({
      ...serverProperties(),
      tool: text().describe('The name of the tool.'),
      arguments: mapOf(anything()).default({}).describe('What the tool is given.'),
      failOnToolError: flag().default(true).describe('Fail when the tool reports an error.'),
    }),
  output: () =>
    z.object({
      result: z.string().describe('The text that the tool returned.'),
      structuredContent: z.unknown().optional().describe('The data that the tool returned.'),
      isError: z.boolean().describe('Whether the tool reported an error.'),
      errorMessage: z.string().optional().describe('The error.'),
    }),
  metrics: [{ name: 'mcp.tool.calls', type: 'counter', description: 'Calls of a tool, by its name.' }],
  sideEffects: true,
  examples: [
    oneTask(
      'call_a_tool',
      'ai.mcp.CallTool',
      'Ask an MCP server for the weather.',
      `url: https://mcp.example.com/mcp
tool: get_weather
arguments:
  city: Paris`,
    ),
  ],
  run: (context, input) =>
    withSession(context, input, async (session) => {
      const { text: result, structured, isError } = await session.callTool(input.tool, input.arguments);
      context.metric({ name: 'mcp.tool.calls', type: 'counter', value: 1, tags: { tool: input.tool } });
      if (isError && input.failOnToolError)
        throw new TaskFailed(`The tool "${input.tool}" reported an error: ${result}`);
      return {
        result,
        isError,
        ...(structured !== undefined && { structuredContent: structured }),
        ...(isError && { errorMessage: result }),
      };
    }),
});

const listTools = defineTask({
  type: 'ai.mcp.ListTools',
  title: 'List the tools of an MCP server',
  description: 'Reads which tools an MCP server has, with their descriptions and parameters.',
  input: () => z.object(serverProperties()),
  output: () =>
    z.object({
      tools: z
        .array(
          z.object({
            name: z.string().describe('The name.'),
            description: z.string().describe('What the tool does.'),
            parameters: z.record(z.string(), z.unknown()).describe('The JSON Schema of its arguments.'),
          }),
        )
        .describe('The tools.'),
      count: z.number().describe('How many tools there are.'),
    }),
  sideEffects: true,
  examples: [
    oneTask(
      'list_tools',
      'ai.mcp.ListTools',
      'List the tools of a server.',
      'url: https://mcp.example.com/mcp',
    ),
  ],
  run: (context, input) =>
    withSession(context, input, async (session) => {
      const tools = (await session.listTools()).map((tool) => ({
        ...tool,
        parameters: { ...tool.parameters } as Record<string, unknown>,
      }));
      return { tools, count: tools.length };
    }),
});

export const mcpTasks: readonly TaskDefinition[] = [callTool, listTools];
