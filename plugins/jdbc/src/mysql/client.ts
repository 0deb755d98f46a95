import type { Socket } from 'node:net';
import { importModule, type TaskContext } from '@millrace/plugin-kit';
import type { Connection, ConnectionOptions } from 'mysql2';
import { connectToFirst } from '../base/connectToFirst.ts';
import type { MysqlSettings, TlsChoice } from './settings.ts';

interface MysqlModule {
  createConnection(options: ConnectionOptions): Connection;
}

export interface OpenConnection {
  readonly connection: Connection;
  readonly socket: Socket;
}

/** Opens an authenticated connection. The library uses a socket that is opened under the outbound policy. */
export async function openConnection(
  context: Pick<TaskContext, 'connect'>,
  settings: MysqlSettings,
  signal?: AbortSignal,
): Promise<OpenConnection> {
  const isPreferred = settings.tls === 'preferred';
  try {
    return await logIn(context, settings, isPreferred ? 'required' : settings.tls, signal);
  } catch (error) {
    if (!isPreferred || !hasNoTls(error)) throw error;
    return logIn(context, settings, 'off', signal);
  }
}

const hasNoTls = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'HANDSHAKE_NO_SSL_SUPPORT';

async function logIn(
  context: Pick<TaskContext, 'connect'>,
  settings: MysqlSettings,
  tls: TlsChoice,
  signal: AbortSignal | undefined,
): Promise<OpenConnection> {
  const { createConnection } = await importModule<MysqlModule>('mysql2');
  const { host, port, socket } = await connectToFirst(
    context,
    settings.hosts,
    settings.connectTimeoutMs,
    signal,
  );
  socket.setKeepAlive(true, 60_000);
  const connection = createConnection({
    host,
    port,
    stream: socket,
    user: settings.user,
    password: settings.password,
    connectTimeout: settings.connectTimeoutMs,
    ...(settings.database !== '' && { database: settings.database }),
    ...(tls !== 'off' && {
      ssl: { rejectUnauthorized: tls !== 'required', verifyIdentity: tls === 'verifyIdentity' },
    }),
    charset: 'utf8mb4',
    multipleStatements: settings.allowsScripts,
    // Values are read by their column type, see `cells.ts`.
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
  });
  // A connection that breaks between two statements is noticed by the next one.
  connection.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => {
      if (!error) return resolve();
      socket.destroy();
      reject(error);
    });
  });
  return { connection, socket };
}
