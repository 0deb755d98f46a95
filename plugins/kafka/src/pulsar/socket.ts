/**
 * Pulsar over its WebSocket API, which every broker and proxy serves beside the admin API. The maintained client for
 * Node downloads native code when it is installed.
 */

import { connect as connectTls } from 'node:tls';
import {
  importModule,
  MessageBuffer,
  messageOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { WebSocket } from 'ws';
import { z } from 'zod';

export const connectionProperties = () => ({
  uri: text().describe(
    'The address of the WebSocket API, such as `ws://host:8080` or `wss://host:8443`. `pulsar://host:6650` means `ws://host:8080`, and `pulsar+ssl://host:6651` means `wss://host:8443`.',
  ),
  authenticationToken: text().optional().describe('A token (JWT).'),
  tlsOptions: part({
    cert: text().optional().describe('The certificate of the client, as PEM.'),
    key: text().optional().describe('Its private key, as PEM.'),
    ca: text().optional().describe('The certificate authority of the server, as PEM.'),
  })
    .optional()
    .describe('Certificates.'),
});

export interface Connection {
  readonly uri: string;
  readonly authenticationToken?: string | undefined;
  readonly tlsOptions?:
    | {
        readonly cert?: string | undefined;
        readonly key?: string | undefined;
        readonly ca?: string | undefined;
      }
    | undefined;
}

const connectTimeoutMs = 10_000;
const defaultPorts: Readonly<Record<string, string>> = { '6650': '8080', '6651': '8443' };

interface Server {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

function serverOf(uri: string): Server {
  const [first = ''] = uri.split(',');
  const url = URL.canParse(first.trim()) ? new URL(first.trim()) : undefined;
  if (!url || !/^(pulsar|pulsar\+ssl|wss?|https?):$/.test(url.protocol) || url.hostname === '')
    throw new TaskFailed(
      `"uri" must be an address such as ws://host:8080 or pulsar://host:6650, got "${uri}".`,
      {
        retry: false,
      },
    );
  const isSecure = /^(pulsar\+ssl|wss|https):$/.test(url.protocol);
  const port = (defaultPorts[url.port] ?? url.port) || (isSecure ? 8443 : 8080);
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(port), isSecure };
}

/** `topic`, `tenant/namespace/topic` or `persistent://tenant/namespace/topic` as a path of the API. */
export function topicPath(topic: string): string {
  const [, domain = 'persistent', rest = topic] = /^(persistent|non-persistent):\/\/(.*)$/.exec(topic) ?? [];
  const parts = rest.split('/');
  if (parts.length !== 1 && parts.length !== 3)
    throw new TaskFailed(
      `"topic" must be a name such as orders or persistent://tenant/namespace/orders, got "${topic}".`,
      { retry: false },
    );
  const full = parts.length === 1 ? ['public', 'default', ...parts] : parts;
  return [domain, ...full.map(encodeURIComponent)].join('/');
}

export type Frame = Readonly<Record<string, unknown>>;

/** A WebSocket of the API: JSON messages in both directions. */
export class PulsarSocket {
  readonly #socket: WebSocket;
  readonly frames = new MessageBuffer<Frame>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const frame = z.record(z.string(), z.unknown()).safeParse(readJson(String(data)));
      if (frame.success) this.frames.push(frame.data);
    });
    socket.on('close', (_, reason) =>
      this.frames.fail(new Error(`The connection was closed${reason.length > 0 ? `: ${reason}` : ''}.`)),
    );
    socket.on('error', (error) => this.frames.fail(error));
  }

  send(frame: Frame): Promise<void> {
    return new Promise((resolve, reject) =>
      this.#socket.send(JSON.stringify(frame), (error) => (error ? reject(error) : resolve())),
    );
  }

  /** Sends what is buffered, and ends the connection. */
  async close(): Promise<void> {
    if (this.#socket.readyState === this.#socket.CLOSED) return;
    await new Promise<void>((resolve) => {
      const end = setTimeout(() => this.#socket.terminate(), 500);
      this.#socket.once('close', () => {
        clearTimeout(end);
        resolve();
      });
      this.#socket.close();
    });
  }
}

function readJson(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

/** Opens sockets of the API, runs the work, and always closes them. */
export async function withSockets<T>(
  context: TaskContext,
  connection: Connection,
  paths: readonly string[],
  work: (sockets: readonly PulsarSocket[]) => Promise<T>,
): Promise<T> {
  const server = serverOf(connection.uri);
  if (connection.authenticationToken !== undefined) context.masker.add(connection.authenticationToken);
  const sockets: PulsarSocket[] = [];
  const stop = () => {
    for (const socket of sockets) socket.frames.fail(new Error('The task was killed.'));
  };
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    for (const path of paths) sockets.push(await openSocket(context, connection, server, path));
    return await work(sockets);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof TaskFailed) throw error;
    const message = messageOf(error);
    const isFinal = /\b(401|403|404|409|412)\b/.test(message);
    throw new TaskFailed(`Pulsar on ${server.host}:${server.port}: ${message}`, {
      retry: !isFinal,
      cause: error,
    });
  } finally {
    context.signal.removeEventListener('abort', stop);
    await Promise.all(sockets.map((socket) => socket.close()));
  }
}

async function openSocket(
  context: TaskContext,
  { authenticationToken, tlsOptions }: Connection,
  { host, port, isSecure }: Server,
  path: string,
): Promise<PulsarSocket> {
  const { WebSocket: Client } = await importModule<typeof import('ws')>('ws');
  const plain = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal: context.signal });
  const socket = isSecure
    ? connectTls({
        socket: plain,
        servername: host,
        ...Object.fromEntries(Object.entries(tlsOptions ?? {}).filter(([, value]) => value !== undefined)),
      })
    : plain;
  const client = new Client(`ws://${host.includes(':') ? `[${host}]` : host}:${port}/ws/v2/${path}`, {
    headers: authenticationToken === undefined ? {} : { authorization: `Bearer ${authenticationToken}` },
    createConnection: () => socket,
    perMessageDeflate: false,
    handshakeTimeout: connectTimeoutMs,
  });
  const opened = new PulsarSocket(client);
  await new Promise<void>((resolve, reject) => {
    client.once('open', () => resolve());
    client.once('error', reject);
    client.once('unexpected-response', (_, response) => {
      const hints: Readonly<Record<number, string>> = {
        401: 'The token is missing or wrong.',
        403: 'The token may not use this topic.',
        404: 'There is no such topic, or the WebSocket API is off (webSocketServiceEnabled).',
        409: 'Another consumer or producer has this topic or subscription exclusively.',
      };
      const status = response.statusCode ?? 0;
      response.resume();
      reject(new Error(`status ${status}. ${hints[status] ?? ''}`.trim()));
    });
  });
  return opened;
}
