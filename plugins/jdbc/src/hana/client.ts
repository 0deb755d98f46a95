import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { importModule, type TaskContext } from '@millrace/plugin-kit';
import type { HanaSettings } from './settings.ts';

export interface HanaColumn {
  readonly columnDisplayName: string;
  readonly dataType: number;
}

export interface HanaResultSet {
  readonly metadata: readonly HanaColumn[];
  setFetchSize(size: number): void;
  createArrayStream(size: number): AsyncIterable<readonly (readonly unknown[])[]>;
  /** Reads a large object by the locator that its cell has. */
  createLob(locator: unknown): { read(done: (error: Error | null, content: Buffer) => void): void };
  close(done: () => void): void;
}

export interface HanaStatement {
  readonly resultSetMetadata?: readonly HanaColumn[];
  execute(values: readonly unknown[], options: object, done: Reply): void;
  exec(values: readonly unknown[], options: object, done: Reply): void;
  drop(done: () => void): void;
}

/** Replies have result sets, counts of changed rows or parameters of a procedure. */
type Reply = (error: Error | null, ...results: readonly unknown[]) => void;

/** The part of the driver that is used here. */
export interface HanaClient {
  connect(done: (error?: Error | null) => void): void;
  execute(sql: string, options: object, done: Reply): void;
  prepare(sql: string, done: (error: Error | null, statement: HanaStatement) => void): void;
  setAutoCommit(isOn: boolean): void;
  commit(done: (error?: Error | null) => void): void;
  rollback(done: (error?: Error | null) => void): void;
  on(event: 'error', listener: () => void): void;
}

type Open = (
  target: { readonly host: string; readonly port: number },
  done: (error: Error | null, socket?: Socket) => void,
) => void;

/** The parts that decide how sockets are opened; the driver has no option for it. */
interface Internals {
  _connection: { _connectFn: Open };
  _createConnection(settings: object): { _connectFn: Open };
}

interface HanaDriver {
  readonly default: { createClient(options: object): HanaClient & Internals };
}

export interface OpenClient {
  readonly client: HanaClient;
  /** Closes the sockets at once; the server rolls back. */
  destroy(): void;
}

const connectTimeoutMs = 10_000;

/** Opens a connected client. All its sockets are opened under the outbound policy, also after a redirection. */
export async function openClient(context: TaskContext, settings: HanaSettings): Promise<OpenClient> {
  const { default: driver } = await importModule<HanaDriver>('hdb');
  const sockets = new Set<Socket>();
  const open: Open = ({ host, port }, done) => {
    openSocket(context, { host, port: Number(port) }, settings).then(
      (socket) => {
        sockets.add(socket);
        done(null, socket);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };
  const client = driver.createClient({
    hosts: settings.hosts,
    user: settings.user,
    password: settings.password,
    ...(settings.database !== undefined && { databaseName: settings.database }),
  });
  client._connection._connectFn = open;
  const create = client._createConnection.bind(client);
  client._createConnection = (options) => Object.assign(create(options), { _connectFn: open });
  // A connection that breaks between two statements is noticed by the next one.
  client.on('error', () => {});
  const destroy = () => {
    for (const socket of sockets) socket.destroy();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      client.connect((error) => (error ? reject(error) : resolve()));
    });
  } catch (error) {
    destroy();
    throw error;
  }
  return { client, destroy };
}

async function openSocket(
  context: TaskContext,
  { host, port }: { readonly host: string; readonly port: number },
  { tls, certificateName }: HanaSettings,
): Promise<Socket> {
  const socket = await context.connect({ host, port, timeoutMs: connectTimeoutMs, signal: context.signal });
  socket.setKeepAlive(true, 60_000);
  if (tls === 'off') return socket;
  const name = certificateName ?? host;
  return new Promise((resolve, reject) => {
    const secure = connectTls({
      socket,
      host: name,
      ...(isIP(name) === 0 && { servername: name }),
      rejectUnauthorized: tls === 'checked',
    });
    secure.once('secureConnect', () => resolve(secure));
    secure.once('error', reject);
  });
}
