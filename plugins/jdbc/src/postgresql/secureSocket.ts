import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { TaskFailed } from '@millrace/plugin-kit';

export const sslModes = ['DISABLE', 'ALLOW', 'PREFER', 'REQUIRE', 'VERIFY_CA', 'VERIFY_FULL'] as const;
export type SslMode = (typeof sslModes)[number];

export interface SslChoice {
  readonly mode: SslMode;
  readonly rootCert?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly keyPassword?: string | undefined;
}

/** As written in a property (`VERIFY_FULL`) or a URL (`verify-full`). */
export function readSslMode(text: string): SslMode {
  const mode = sslModes.find((each) => each === text.toUpperCase().replaceAll('-', '_'));
  if (mode) return mode;
  throw new TaskFailed(`"sslmode" must be one of ${sslModes.join(', ')}, got "${text}".`, { retry: false });
}

const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/**
 * Encrypts the connection according to the mode, before the client starts its protocol. PREFER and ALLOW use
 * encryption when the server offers it and continue without it otherwise.
 */
export async function secureSocket(socket: Socket, host: string, ssl: SslChoice): Promise<Socket> {
  if (ssl.mode === 'DISABLE') return socket;
  socket.write(sslRequest);
  const answer = await firstByte(socket);
  if (answer === 'S') return encrypt(socket, host, ssl);
  if (ssl.mode === 'PREFER' || ssl.mode === 'ALLOW') return socket;
  socket.destroy();
  throw new TaskFailed(
    `The server at ${host} does not support SSL, and "sslMode" is ${ssl.mode}. Use PREFER or DISABLE to connect without it.`,
    { retry: false },
  );
}

function firstByte(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (error?: Error) =>
      reject(error ?? new Error('The server closed the connection before it was set up.'));
    const ended = () => fail();
    socket.once('error', fail);
    socket.once('close', ended);
    socket.once('readable', () => {
      const byte: unknown = socket.read(1);
      socket.off('error', fail);
      socket.off('close', ended);
      if (Buffer.isBuffer(byte)) resolve(byte.toString('latin1'));
      else fail();
    });
  });
}

function encrypt(socket: Socket, host: string, ssl: SslChoice): Promise<Socket> {
  const isVerified = ssl.mode === 'VERIFY_CA' || ssl.mode === 'VERIFY_FULL';
  const options: ConnectionOptions = {
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: isVerified,
    ...(ssl.mode === 'VERIFY_CA' && { checkServerIdentity: () => undefined }),
    ...(ssl.rootCert !== undefined && { ca: ssl.rootCert }),
    ...(ssl.cert !== undefined && { cert: ssl.cert }),
    ...(ssl.key !== undefined && { key: ssl.key }),
    ...(ssl.keyPassword !== undefined && { passphrase: ssl.keyPassword }),
  };
  return new Promise((resolve, reject) => {
    const secured = connectTls(options);
    secured.once('error', reject);
    secured.once('secureConnect', () => {
      secured.off('error', reject);
      resolve(secured);
    });
  });
}
