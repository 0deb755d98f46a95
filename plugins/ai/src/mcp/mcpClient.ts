import { importModule, messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isMap, mapsIn } from '../base/callJson.ts';
import { fetchOf } from '../base/httpFetch.ts';
import type { JsonSchemaMap, Tool, ToolSource } from '../base/tool.ts';

export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchemaMap;
}

export interface McpResult {
  readonly text: string;
  readonly structured: unknown;
  readonly isError: boolean;
}

/** A session with an MCP server. */
export interface McpSession {
  listTools(): Promise<readonly McpTool[]>;
  callTool(name: string, given: Readonly<Record<string, unknown>>): Promise<McpResult>;
  close(): Promise<void>;
}

export interface McpOptions {
  /** How long to wait for a response. */
  readonly timeoutMs?: number | undefined;
  readonly logRequests?: boolean;
  readonly logResponses?: boolean;
}

const defaultTimeoutMs = 60_000;

/** Opens a session. The transport is closed when that fails. */
export async function openSession(
  context: TaskContext,
  transport: Transport,
  { timeoutMs = defaultTimeoutMs, logRequests = false, logResponses = false }: McpOptions = {},
): Promise<McpSession> {
  const { Client: McpClient } = await importModule<{ Client: typeof Client }>(
    '@modelcontextprotocol/sdk/client/index.js',
  );
  const client = new McpClient({ name: 'millrace', version: '1.0.0' });
  const options = { timeout: timeoutMs, signal: context.signal };
  const call = async <T>(what: string, given: unknown, work: () => Promise<T>): Promise<T> => {
    if (logRequests) await context.log('INFO', `MCP request ${what}: ${JSON.stringify(given)}`);
    try {
      const result = await work();
      if (logResponses) await context.log('INFO', `MCP response to ${what}: ${JSON.stringify(result)}`);
      return result;
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof TaskFailed) throw error;
      throw new TaskFailed(`The MCP server failed at ${what}: ${context.masker.mask(reasonOf(error))}`, {
        cause: error,
      });
    }
  };
  const close = async () => void (await client.close().catch(() => {}));
  try {
    await call('initialize', {}, () => client.connect(transport, options));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    async listTools() {
      const found: McpTool[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await call('tools/list', {}, () => client.listTools(cursor ? { cursor } : {}, options));
        // `as`: an MCP server describes arguments with JSON Schema.
        for (const { name, description = '', inputSchema } of page.tools)
          found.push({ name, description, parameters: inputSchema as JsonSchemaMap });
        cursor = page.nextCursor;
        if (cursor === undefined) return found;
      }
    },
    async callTool(name, given) {
      const result = await call('tools/call', { name, arguments: given }, () =>
        client.callTool({ name, arguments: { ...given } }, undefined, options),
      );
      return {
        text: textOf(result.content),
        structured: result.structuredContent,
        isError: result.isError === true,
      };
    },
  };
}

/** The reason of a failed connection is the cause of the error that the library throws. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${messageOf(error)}: ${cause.message}` : messageOf(error);
}

/** The texts of a result; other content is named. */
const textOf = (content: unknown): string =>
  mapsIn(content)
    .map((one) => {
      if (one.type === 'text') return String(one.text);
      const inner = isMap(one.resource) ? one.resource.text : undefined;
      return typeof inner === 'string' ? inner : `[${String(one.type)}]`;
    })
    .join('\n');

interface HttpServer {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

function readUrl(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  throw new TaskFailed(`"${text}" is not an address.`, { retry: false });
}

/** Headers of an MCP server are mostly tokens, so none of their values is shown. */
function options(context: TaskContext, { headers = {} }: HttpServer) {
  for (const [name, value] of Object.entries(headers))
    if (/auth|key|token|secret/i.test(name)) context.masker.add(value.replace(/^\w+ /, ''));
  return { fetch: fetchOf(context), requestInit: { headers: { ...headers } } };
}

export async function streamableHttp(context: TaskContext, server: HttpServer): Promise<Transport> {
  const { StreamableHTTPClientTransport: HttpTransport } = await importModule<{
    StreamableHTTPClientTransport: typeof StreamableHTTPClientTransport;
  }>('@modelcontextprotocol/sdk/client/streamableHttp.js');
  // `as`: the class is a transport, but strict types reject the way it declares optional fields.
  return new HttpTransport(readUrl(server.url), options(context, server)) as Transport;
}

export async function serverSentEvents(context: TaskContext, server: HttpServer): Promise<Transport> {
  const { SSEClientTransport: EventTransport } = await importModule<{
    SSEClientTransport: typeof SSEClientTransport;
  }>('@modelcontextprotocol/sdk/client/sse.js');
  return new EventTransport(readUrl(server.url), options(context, server));
}

/** All tools of a server, for a model. A tool's error is returned to the model so that it can adapt. */
export async function toolsOf(session: McpSession): Promise<ToolSource> {
  try {
    const tools = (await session.listTools()).map(
      ({ name, description, parameters }): Tool => ({
        name,
        description,
        inputSchema: parameters,
        execute: async (given) => {
          const { text, isError } = await session.callTool(name, given);
          return isError ? `Error: ${text}` : text;
        },
      }),
    );
    return { tools, close: session.close };
  } catch (error) {
    await session.close();
    throw error;
  }
}
