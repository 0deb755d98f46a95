import { PassThrough, Readable } from 'node:stream';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import {
  choice,
  duration,
  flag,
  importModule,
  messageOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as BasicFtp from 'basic-ftp';
import { z } from 'zod';
import type { Connection, Protocol } from './remote/protocol.ts';
import { readProxy } from './remote/proxy.ts';
import { joinPath, nameOf, parentOf, type RemoteFile, type RemoteFiles } from './remote/remoteFiles.ts';
import { enableSshRsa1, readPort } from './sshConnection.ts';

const timeout = () => duration().prefault('PT30S');

const ftpProperties = (port: string) => ({
  host: text().describe('The server.'),
  port: text().default(port).describe('Its port.'),
  username: text().optional().describe('The user; `anonymous` when absent.'),
  password: text().optional().describe('The password.'),
  proxyHost: text().optional().describe('The host of a proxy to go through.'),
  proxyPort: text().optional().describe('The port of the proxy.'),
  proxyType: choice(['DIRECT', 'HTTP', 'SOCKS']).optional().describe('The kind of proxy.'),
  rootDir: flag()
    .default(true)
    .describe('Paths begin at the folder of the user instead of the root of the server.'),
  passiveMode: flag().default(true).describe('Must be true: active mode is not supported.'),
  remoteIpVerification: flag()
    .default(true)
    .describe('Refuse data connections to another host than that of the control connection.'),
  options: part({
    connectionTimeout: timeout().describe('How long to wait for the connection.'),
    dataTimeout: timeout().describe('How long a transfer may stand still.'),
    socketTimeout: timeout().describe('How long to wait for a response.'),
    controlKeepAliveTimeout: timeout().describe('Accepted for compatibility.'),
    controlKeepAliveReplyTimeout: timeout().describe('Accepted for compatibility.'),
  })
    .prefault({})
    .describe('How long to wait.'),
  enableSshRsa1: enableSshRsa1().describe('Accepted for compatibility.'),
});

const ftpsProperties = {
  ...ftpProperties('990'),
  mode: choice(['EXPLICIT', 'IMPLICIT'])
    .default('EXPLICIT')
    .describe('Whether TLS begins with a command or with the connection.'),
  dataChannelProtectionLevel: choice(['C', 'S', 'E', 'P'])
    .default('P')
    .describe('Whether data connections are encrypted (`P`) or plain (`C`).'),
  insecureTrustAllCertificates: flag().default(false).describe('Do not check the certificate.'),
};
const Ftps = z.object(ftpsProperties);
type FtpsInput = z.infer<typeof Ftps>;

const example = (name: string) => [
  `host: ${name}.example.com`,
  'username: alice',
  `password: "{{ secret('FTP_PASSWORD') }}"`,
];

/** Files on a server with FTP. */
export const ftp: Protocol = {
  name: 'ftp',
  title: 'FTP server',
  properties: ftpProperties('21'),
  overwrites: true,
  example: example('ftp'),
  exampleFolder: '/upload',
  open: (context, input) => openFtp(context, Ftps.parse(input), false),
};

/** Files on a server with FTP over TLS. */
export const ftps: Protocol = {
  name: 'ftps',
  title: 'FTPS server',
  properties: ftpsProperties,
  overwrites: true,
  example: example('ftps'),
  exampleFolder: '/upload',
  open: (context: TaskContext, input: Connection) => openFtp(context, Ftps.parse(input), true),
};

async function openFtp(context: TaskContext, input: FtpsInput, isSecure: boolean): Promise<RemoteFiles> {
  if (!input.passiveMode)
    throw new TaskFailed(
      'Active FTP is not supported: the server would have to connect to the worker. Set "passiveMode: true".',
      {
        retry: false,
      },
    );
  const { Client } = await importModule<typeof BasicFtp>('basic-ftp');
  const client = new Client(input.options.socketTimeout);
  const stop = () => client.close();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await logIn(context, client, input, isSecure);
    client.prepareTransfer = (ftp) => openData(context, ftp, input, isSecure);
    const home = input.rootDir ? await client.pwd() : '/';
    return new FtpFiles(client, home === '/' ? '' : home.replace(/\/$/, ''));
  } catch (error) {
    client.close();
    context.signal.throwIfAborted();
    throw explain(error, input);
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}

/** `Client` opens its own sockets; these go through the outbound policy instead. */
interface OpenClient {
  _handleConnectResponse(): Promise<unknown>;
}

async function logIn(
  context: TaskContext,
  client: BasicFtp.Client,
  input: FtpsInput,
  isSecure: boolean,
): Promise<void> {
  const socket = await reach(context, input, readPort(input.port));
  const tls = { rejectUnauthorized: !input.insecureTrustAllCertificates, host: input.host };
  const isImplicit = isSecure && input.mode === 'IMPLICIT';
  client.ftp.socket = isImplicit ? await secure(socket, tls) : socket;
  if (isImplicit) client.ftp.tlsOptions = tls;
  // `as`: the method is protected, but a socket that was opened elsewhere needs it.
  await (client as unknown as OpenClient)._handleConnectResponse();
  if (isSecure && !isImplicit) await client.useTLS(tls);
  await client.login(input.username ?? 'anonymous', input.password ?? 'guest');
  await client.sendIgnoringError('OPTS UTF8 ON');
  await client.send('TYPE I');
  await client.sendIgnoringError('STRU F');
  if (!isSecure) return;
  await client.sendIgnoringError('PBSZ 0');
  await client.send(`PROT ${input.dataChannelProtectionLevel === 'C' ? 'C' : 'P'}`);
}

function secure(
  socket: Awaited<ReturnType<TaskContext['connect']>>,
  options: ConnectionOptions,
): Promise<ReturnType<typeof connectTls>> {
  return new Promise((resolve, reject) => {
    const opened = connectTls({ ...options, socket });
    opened.once('secureConnect', () => resolve(opened)).once('error', reject);
  });
}

function reach(context: TaskContext, input: FtpsInput, port: number, host = input.host) {
  const proxy = readProxy({ type: input.proxyType, host: input.proxyHost, port: input.proxyPort });
  return context.connect({ host, port, timeoutMs: input.options.connectionTimeout, ...(proxy && { proxy }) });
}

/** Opens the data connection of a transfer, at the port that the server names. */
async function openData(
  context: TaskContext,
  ftp: BasicFtp.FTPContext,
  input: FtpsInput,
  isSecure: boolean,
): Promise<BasicFtp.FTPResponse> {
  const epsv = await ftp.request('EPSV').catch(() => undefined);
  const extended = /\|\|\|(\d+)\|/.exec(epsv?.message ?? '')?.[1];
  const response = epsv && extended !== undefined ? epsv : await ftp.request('PASV');
  const plain = /(\d+),(\d+),(\d+),(\d+),(\d+),(\d+)/.exec(response.message)?.slice(1).map(Number) ?? [];
  const port = extended === undefined ? (plain[4] ?? 0) * 256 + (plain[5] ?? 0) : Number(extended);
  // The server may name an address behind a router, so its own address is used unless the flow trusts the server.
  const other =
    input.remoteIpVerification || extended !== undefined ? undefined : plain.slice(0, 4).join('.');
  const socket = await reach(context, input, port, other);
  const isEncrypted = isSecure && input.dataChannelProtectionLevel !== 'C';
  // Servers want the session of the control connection to be used again.
  const session = isEncrypted && 'getSession' in ftp.socket ? ftp.socket.getSession() : undefined;
  ftp.dataSocket = isEncrypted
    ? connectTls({ ...ftp.tlsOptions, socket, ...(session && { session }) })
    : socket;
  return response;
}

function explain(error: unknown, { host, port, username }: FtpsInput): Error {
  const message = messageOf(error);
  if (error instanceof TaskFailed) return error;
  if (error instanceof Error && 'code' in error && error.code === 530)
    return new TaskFailed(
      `${host}:${port} does not let "${username ?? 'anonymous'}" in with this password.`,
      {
        retry: false,
      },
    );
  return new TaskFailed(`No FTP connection to ${host}:${port}: ${message}`, { cause: error });
}

const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 550 || error.code === 450);

class FtpFiles implements RemoteFiles {
  readonly #client: BasicFtp.Client;
  readonly #home: string;

  constructor(client: BasicFtp.Client, home: string) {
    this.#client = client;
    this.#home = home;
  }

  #full(path: string): string {
    return this.#home + path;
  }

  /** Some servers list nothing for a folder that does not exist, so the folder is entered first. */
  async list(path: string): Promise<RemoteFile[] | undefined> {
    try {
      await this.#client.cd(this.#full(path));
    } catch (error) {
      if (isRefused(error)) return undefined;
      throw error;
    }
    const entries = await this.#client.list();
    return entries.map((entry) => ({
      path: joinPath(path, entry.name),
      name: entry.name,
      isFolder: entry.isDirectory,
      isLink: entry.isSymbolicLink,
      size: entry.size,
      modifiedAt: entry.modifiedAt ?? (entry.rawModifiedAt ? readDate(entry.rawModifiedAt) : undefined),
      ...(entry.permissions && {
        permissions: entry.permissions.user * 64 + entry.permissions.group * 8 + entry.permissions.world,
      }),
    }));
  }

  async stat(path: string): Promise<RemoteFile | undefined> {
    if (path === '/') return { path, name: '', isFolder: true, isLink: false, size: 0 };
    return (await this.list(parentOf(path)))?.find(({ name }) => name === nameOf(path));
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    const content = new PassThrough();
    const done = this.#client.downloadTo(content, this.#full(path)).then(
      () => content.end(),
      (error: unknown) => content.destroy(error instanceof Error ? error : new Error(String(error))),
    );
    yield* content;
    await done;
  }

  async write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#client.uploadFrom(Readable.from(content), this.#full(path));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#client.rename(this.#full(from), this.#full(to));
  }

  async removeFile(path: string): Promise<void> {
    await this.#client.remove(this.#full(path));
  }

  async removeFolder(path: string): Promise<void> {
    await this.#client.cd(this.#home === '' ? '/' : this.#home);
    await this.#client.send(`RMD ${this.#full(path)}`);
  }

  async makeFolder(path: string): Promise<void> {
    await this.#client.send(`MKD ${this.#full(path)}`);
  }

  async close(): Promise<void> {
    this.#client.close();
  }
}

/** Servers without MLSD write dates as `Nov 17 03:12`, without a year. */
function readDate(raw: string): Date | undefined {
  const now = new Date();
  const read = new Date(
    /\d{2}:\d{2}/.test(raw) && !/\d{4}/.test(raw) ? `${raw} ${now.getFullYear()} UTC` : `${raw} UTC`,
  );
  if (Number.isNaN(read.getTime())) return undefined;
  if (read.getTime() > now.getTime() + 86_400_000) read.setUTCFullYear(read.getUTCFullYear() - 1);
  return read;
}
