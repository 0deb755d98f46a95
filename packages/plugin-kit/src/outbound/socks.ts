import { connect, isIPv4, isIPv6, type LookupFunction, type Socket } from 'node:net';
import type { OutboundProxy } from '../context.ts';

interface Target {
  /** An address, not a host name: the proxy connects to exactly the checked address. */
  readonly address: string;
  readonly port: number;
}

const version = 5;
const noLogin = 0;
const withLogin = 2;
const refusals = [
  '',
  'the proxy has failed',
  'not allowed by its rules',
  'the network cannot be reached',
  'the host cannot be reached',
  'the connection was refused',
  'it took too long',
  'it does not know the command',
  'it does not know this kind of address',
];

/** A connection through a SOCKS 5 proxy (RFC 1928, with the login of RFC 1929). */
export async function connectSocks(
  target: Target,
  proxy: OutboundProxy,
  { lookup, signal }: { readonly lookup: LookupFunction; readonly signal?: AbortSignal | undefined },
): Promise<Socket> {
  const socket = connect({ host: proxy.host, port: proxy.port, lookup });
  const stop = () => socket.destroy(new Error('The request was stopped.'));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    await logIn(socket, proxy);
    await ask(socket, target, proxy);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function logIn(socket: Socket, { host, port, username, password = '' }: OutboundProxy): Promise<void> {
  const method = username === undefined ? noLogin : withLogin;
  socket.write(Uint8Array.of(version, 1, method));
  const [spoken, chosen] = await take(socket, 2);
  if (spoken !== version || chosen !== method) {
    throw new Error(`The proxy ${host}:${port} wants another login than it was given.`);
  }
  if (username === undefined) return;
  const [user, secret] = [Buffer.from(username), Buffer.from(password)];
  if (user.length > 255 || secret.length > 255) throw new Error('The login for the proxy is too long.');
  socket.write(Buffer.concat([Uint8Array.of(1, user.length), user, Uint8Array.of(secret.length), secret]));
  const [, status] = await take(socket, 2);
  if (status !== 0) throw new Error(`The proxy ${host}:${port} refused the login.`);
}

async function ask(socket: Socket, { address, port }: Target, proxy: OutboundProxy): Promise<void> {
  const kind = isIPv4(address) ? 1 : 4;
  socket.write(Uint8Array.of(version, 1, 0, kind, ...toBytes(address), port >> 8, port & 255));
  const [, status = 1, , bound] = await take(socket, 4);
  if (status !== 0) {
    const why = refusals[status] ?? `code ${status}`;
    throw new Error(`The proxy ${proxy.host}:${proxy.port} did not connect to ${address}:${port}: ${why}.`);
  }
  const [length = 0] = bound === 3 ? await take(socket, 1) : [bound === 1 ? 4 : 16];
  await take(socket, length + 2);
}

function toBytes(address: string): number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  if (!isIPv6(address)) throw new Error(`"${address}" is no address.`);
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [start, end] = [read(before), read(after ?? '')];
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => 0);
  return [...start, ...zeros, ...end].flatMap((group) => [group >> 8, group & 255]);
}

/** Reads exactly `count` bytes; the bytes after them stay for the next reader. */
async function take(socket: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: Buffer | null = socket.read(count);
    if (bytes?.length === count) return bytes;
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error) => {
        socket.off('readable', ready).off('error', done).off('end', ended);
        if (error) reject(error);
        else resolve();
      };
      const ready = () => done();
      const ended = () => done(new Error('The proxy ended the connection.'));
      socket.once('readable', ready).once('error', done).once('end', ended);
    });
  }
}
