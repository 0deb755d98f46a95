import type { Socket } from 'node:net';
import { importModule, type TaskContext } from '@millrace/plugin-kit';
import type { Client } from 'pg';
import { connectToFirst } from '../base/connectToFirst.ts';
import { secureSocket } from './secureSocket.ts';
import type { PostgresSettings } from './settings.ts';

/** The namespace of a CommonJS module. */
interface PgModule {
  readonly default: typeof import('pg');
}

export interface OpenClient {
  readonly client: Client;
  /** Cancels the running statement through a second connection. */
  cancel(): Promise<void>;
  close(): Promise<void>;
  setIdle(isIdle: boolean): void;
  /** Closes the connection after this idle time. */
  setTimeout(timeoutMs: number): void;
}

/** The cancellation key that the client keeps from the handshake; the library's types omit it. */
interface BackendKey {
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/** Opens a connected client. The socket is opened under the outbound policy and passed to the library. */
export async function openClient(
  context: Pick<TaskContext, 'connect'>,
  settings: PostgresSettings,
): Promise<OpenClient> {
  const { default: pg } = await importModule<PgModule>('pg');
  const { hosts, connectTimeoutMs } = settings;
  const opened = await connectToFirst(context, hosts, connectTimeoutMs);
  const stream = await secureSocket(opened.socket, opened.host, settings.ssl);
  stream.setKeepAlive(true, 60_000);
  const client = new pg.Client({
    host: opened.host,
    port: opened.port,
    user: settings.user,
    password: settings.password,
    database: settings.database,
    application_name: settings.applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    stream: () => alreadyConnected(stream),
    // Values are read by their column type, see `cells.ts`.
    types: { getTypeParser: () => (text: string) => text },
  });
  // A connection that breaks between two statements is noticed by the next one.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return {
    client,
    cancel: () => sendCancel(context, opened, client),
    close: () => closeClient(client, stream),
    setIdle: (isIdle) => (isIdle ? opened.socket.unref() : opened.socket.ref()),
    setTimeout: (timeoutMs) =>
      void opened.socket.setTimeout(timeoutMs, () =>
        stream.destroy(new Error(`No data was sent or received for ${timeoutMs / 1000} s.`)),
      ),
  };
}

/** The library calls `connect` itself and waits for the event. */
function alreadyConnected(socket: Socket): Socket {
  socket.connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return socket;
}

const cancelRequestCode = 80_877_102;

async function sendCancel(
  context: Pick<TaskContext, 'connect'>,
  { host, port }: { readonly host: string; readonly port: number },
  client: Client,
): Promise<void> {
  // `as`: the library sets both when the server has sent them.
  const { processID, secretKey } = client as unknown as BackendKey;
  if (processID === null || secretKey === null) return;
  // The task is being killed, so its own signal must not stop this connection.
  const socket = await context.connect({
    host,
    port,
    timeoutMs: 1_000,
    signal: new AbortController().signal,
  });
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(cancelRequestCode, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  socket.on('error', () => {});
  socket.end(request);
}

/** Closes the session, and destroys the socket when the server does not respond. */
async function closeClient(client: Client, stream: Socket): Promise<void> {
  const timer = setTimeout(() => stream.destroy(), 500).unref();
  await client.end().catch(() => {});
  clearTimeout(timer);
  stream.destroy();
}
