import {
  type AdditionalDefinition,
  defineAdditional,
  duration,
  flag,
  listOf,
  mapOf,
  text,
} from '@millrace/plugin-kit';
import { folderVariables } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { agentWith } from '../base/example.ts';
import { toolPlace } from '../base/tool.ts';
import { startDockerServer } from '../mcp/dockerTransport.ts';
import { openSession, serverSentEvents, streamableHttp, toolsOf } from '../mcp/mcpClient.ts';
import { startStdioServer } from '../mcp/stdioTransport.ts';

const httpProperties = () => ({
  timeout: duration().optional().describe('How long to wait for a response; a minute when absent.'),
  headers: mapOf(text()).optional().describe('Headers of every request, such as `Authorization`.'),
  logRequests: flag().default(false).describe('Log each request to the server.'),
  logResponses: flag().default(false).describe('Log each response of the server.'),
});

const programProperties = () => ({
  env: mapOf(text()).default({}).describe('Environment variables of the program.'),
  logEvents: flag().default(false).describe('Log what the program prints on its error stream.'),
});

const words = 'The model may call all tools of the server.';

const stdio = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.StdioMcpClient',
  aliases: ['langchain4j.tool.StdioMcpClient'],
  title: 'Tools of an MCP server that runs as a program',
  description: `Starts an MCP server as a process on the worker, in the working folder of the task, and ends it with the task. ${words}`,
  input: () =>
    z.object({
      command: listOf(text(), { min: 1 }).describe('The program and its arguments.'),
      ...programProperties(),
    }),
  renderWith: folderVariables,
  examples: [
    agentWith(
      'with_program',
      'Which files are in the folder /data?',
      `- type: ai.tool.StdioMcpClient
  command: [npx, -y, "@modelcontextprotocol/server-filesystem", /data]`,
    ),
  ],
  create: async (context, input) =>
    toolsOf(await openSession(context, await startStdioServer(context, input))),
});

const sse = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.SseMcpClient',
  aliases: ['ai.tool.HttpMcpClient', 'langchain4j.tool.HttpMcpClient'],
  title: 'Tools of an MCP server with the older HTTP transport',
  description: `Connects to an MCP server that sends events (HTTP with SSE). ${words} Newer servers use \`ai.tool.StreamableHttpMcpClient\`.`,
  input: () => z.object({ sseUrl: text().describe('The address of the event stream.'), ...httpProperties() }),
  examples: [
    agentWith(
      'with_sse_server',
      'What is the weather in Paris?',
      '- type: ai.tool.SseMcpClient\n  sseUrl: https://mcp.example.com/sse\n  timeout: PT30S',
    ),
  ],
  create: async (context, { sseUrl, timeout, headers, ...logs }) =>
    toolsOf(
      await openSession(context, await serverSentEvents(context, { url: sseUrl, headers }), {
        timeoutMs: timeout,
        ...logs,
      }),
    ),
});

const streamable = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.StreamableHttpMcpClient',
  title: 'Tools of an MCP server over HTTP',
  description: `Connects to an MCP server over streamable HTTP. ${words}`,
  input: () => z.object({ url: text().describe('The address of the server.'), ...httpProperties() }),
  examples: [
    agentWith(
      'with_http_server',
      'What is the weather in Paris?',
      `- type: ai.tool.StreamableHttpMcpClient
  url: https://mcp.example.com/mcp
  headers:
    Authorization: "Bearer {{ secret('MCP_TOKEN') }}"`,
    ),
  ],
  create: async (context, { url, timeout, headers, ...logs }) =>
    toolsOf(
      await openSession(context, await streamableHttp(context, { url, headers }), {
        timeoutMs: timeout,
        ...logs,
      }),
    ),
});

const ignored = 'Accepted for compatibility; the engine is that of the Docker runner.';

const docker = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.DockerMcpClient',
  title: 'Tools of an MCP server in a container',
  description: `Starts an MCP server in a container and removes it with the task. ${words} Folders of the machine may be mounted when
the server is configured with \`volumeEnabled\` for \`scripts.runner.docker.Docker\`; the working folder of the task always may.`,
  input: () =>
    z.object({
      image: text().describe('The image.'),
      command: listOf(text()).optional().describe('The command; that of the image when absent.'),
      ...programProperties(),
      binds: listOf(text()).default([]).describe('Folders to mount, such as `{{ workingDir }}:/data`.'),
      dockerHost: text().optional().describe('The engine, such as `tcp://docker:2375`.'),
      dockerConfig: text().optional().describe('The text of a Docker `config.json`, for its logins.'),
      dockerContext: text().optional().describe(ignored),
      dockerCertPath: text().optional().describe(ignored),
      dockerTlsVerify: flag().optional().describe(ignored),
      registryEmail: text().optional().describe(ignored),
      registryPassword: text().optional().describe('The password for the registry.'),
      registryUsername: text().optional().describe('The user of the registry.'),
      registryUrl: text().optional().describe('The registry; that of the image when absent.'),
      apiVersion: text().optional().describe(ignored),
    }),
  renderWith: folderVariables,
  examples: [
    agentWith(
      'with_container',
      'What time is it in Tokyo?',
      '- type: ai.tool.DockerMcpClient\n  image: mcp/time',
    ),
  ],
  create: async (context, input) => {
    if (input.registryPassword) context.masker.add(input.registryPassword);
    return toolsOf(await openSession(context, await startDockerServer(context, input)));
  },
});

export const mcpTools: readonly AdditionalDefinition[] = [stdio, sse, streamable, docker];
