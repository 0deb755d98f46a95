import { request as httpRequest, type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TaskContext } from '@millrace/plugin-kit';
import { messageOf, TaskFailed } from '@millrace/plugin-kit';
import { findCluster } from './cluster.ts';
import type { Cluster } from './clusterAccess.ts';
import type { ConnectionInput } from './connectionProperties.ts';

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
export type Resource = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Without a leading slash, such as `api/v1/namespaces/default/pods`. */
  readonly path: string;
  readonly query?: Query;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Null for a request that must be sent although the task was killed. */
  readonly signal?: AbortSignal | null;
}

/** An error response of the API server, with its message. */
export class ApiError extends TaskFailed {
  readonly status: number;
  /** The machine-readable reason, such as `NotFound`. */
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message, { retry: status === 409 || status === 429 || status >= 500 });
    this.status = status;
    this.reason = reason;
  }
}

/** An API server as one task uses it. Each request has its own connection, opened under the outbound policy. */
export interface ApiClient {
  readonly cluster: Cluster;
  call(request: ApiRequest): Promise<Resource>;
  /** The body of a response as it arrives. */
  stream(request: ApiRequest): Promise<AsyncIterable<Uint8Array>>;
  /** A connection with TLS, for protocols other than HTTP. */
  open(signal?: AbortSignal): Promise<Socket>;
}

export async function openClient(context: TaskContext, input: ConnectionInput): Promise<ApiClient> {
  const cluster = await findCluster(context, input);
  const open = (signal = context.signal) => openSocket(context, cluster, signal);
  const send = (request: ApiRequest) => sendRequest(context, cluster, open, request);
  return {
    cluster,
    open,
    call: async (request) => readJson(await send(request), request),
    stream: send,
  };
}

const connectTimeoutMs = 30_000;

async function openSocket(context: TaskContext, cluster: Cluster, signal: AbortSignal): Promise<Socket> {
  const host = cluster.url.hostname.replace(/^\[|\]$/g, '');
  const isSecure = cluster.url.protocol === 'https:';
  const port = Number(cluster.url.port || (isSecure ? 443 : 80));
  try {
    const socket = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal });
    if (!isSecure) return socket;
    return await new Promise<Socket>((resolve, reject) => {
      const secure = connectTls({ socket, ...(!isIP(host) && { servername: host }), host, ...cluster.tls });
      secure.once('secureConnect', () => resolve(secure));
      secure.once('error', (error) => {
        socket.destroy();
        reject(error);
      });
    });
  } catch (error) {
    if (signal.aborted || error instanceof TaskFailed) throw error;
    throw new TaskFailed(
      `The Kubernetes API server ${cluster.url.host} could not be reached: ${messageOf(error)}`,
    );
  }
}

async function sendRequest(
  context: TaskContext,
  cluster: Cluster,
  open: (signal?: AbortSignal) => Promise<Socket>,
  request: ApiRequest,
): Promise<IncomingMessage> {
  const signal =
    request.signal === null ? AbortSignal.timeout(connectTimeoutMs) : (request.signal ?? context.signal);
  const socket = await open(signal);
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = httpRequest({
      method: request.method ?? 'GET',
      host: cluster.url.hostname,
      path: toPath(cluster, request.path, request.query),
      headers: {
        ...headersOf(cluster),
        accept: 'application/json',
        connection: 'close',
        ...(body && {
          'content-type': request.contentType ?? 'application/json',
          'content-length': String(body.length),
        }),
      },
      createConnection: () => socket,
      signal,
    });
    sent.once('response', resolve);
    sent.once('error', (error) =>
      reject(
        signal.aborted
          ? error
          : new TaskFailed(
              `The Kubernetes API server ${cluster.url.host} did not respond: ${messageOf(error)}`,
            ),
      ),
    );
    sent.end(body);
  });
  if ((response.statusCode ?? 0) >= 300) throw await toError(response);
  return response;
}

export function toPath(cluster: Cluster, path: string, query: Query = {}): string {
  const base = cluster.url.pathname.replace(/\/+$/, '');
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each));
  }
  const text = parameters.toString();
  return `${base}/${path}${text === '' ? '' : `?${text}`}`;
}

export const headersOf = (cluster: Cluster): Record<string, string> => ({
  host: cluster.url.host,
  'user-agent': 'Millrace',
  ...(cluster.authorization && { authorization: cluster.authorization }),
});

const maxBodyBytes = 64 * 1024 * 1024;

async function readText(response: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBodyBytes)
      throw new TaskFailed('The Kubernetes API server responded with more than 64 MB.', { retry: false });
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function readJson(response: AsyncIterable<Uint8Array>, { path }: ApiRequest): Promise<Resource> {
  const text = await readText(response);
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Resource; // a JSON object is one
  } catch {
    // Reported below.
  }
  throw new TaskFailed(
    `The server did not respond to /${path} as a Kubernetes API server: ${text.slice(0, 200)}`,
    {
      retry: false,
    },
  );
}

async function toError(response: IncomingMessage): Promise<ApiError> {
  const status = response.statusCode ?? 0;
  const text = await readText(response);
  let said: { message?: unknown; reason?: unknown } = {};
  try {
    said = JSON.parse(text) ?? {};
  } catch {
    // A proxy in between responds in its own format.
  }
  const message = typeof said.message === 'string' ? said.message : text.slice(0, 500);
  const advice =
    status === 401
      ? ' Check the credentials.'
      : status === 403
        ? ' Check the permissions of the account.'
        : '';
  return new ApiError(
    status,
    typeof said.reason === 'string' ? said.reason : '',
    `Kubernetes responded with status ${status}: ${message}${advice}`,
  );
}
