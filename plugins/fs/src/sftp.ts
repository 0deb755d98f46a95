import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { deprecated, flag, type TaskContext, text } from '@millrace/plugin-kit';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { z } from 'zod';
import type { Connection, Protocol } from './remote/protocol.ts';
import { readProxy } from './remote/proxy.ts';
import { joinPath, nameOf, type RemoteFile, type RemoteFiles } from './remote/remoteFiles.ts';
import { connectSsh, enableSshRsa1 } from './sshConnection.ts';

const properties = {
  host: text().describe('The server.'),
  port: text().default('22').describe('Its port.'),
  username: text().optional().describe('The user.'),
  password: text().optional().describe('The password.'),
  keyfile: text().optional().describe('The private key itself, as PEM text; used instead of the password.'),
  passphrase: text().optional().describe('The passphrase of the private key.'),
  proxyHost: deprecated(text().optional(), 'use `proxyAddress`.'),
  proxyAddress: text().optional().describe('The host of a proxy to go through.'),
  proxyPort: text().optional().describe('The port of the proxy.'),
  proxyUser: deprecated(text().optional(), 'use `proxyUsername`.'),
  proxyUsername: text().optional().describe('The user of the proxy.'),
  proxyPassword: text().optional().describe('The password of the proxy.'),
  proxyType: text().optional().describe('The kind of proxy: `SOCKS5` or `HTTP`.'),
  rootDir: flag()
    .default(true)
    .describe('Paths begin at the folder of the user instead of the root of the server.'),
  keyExchangeAlgorithm: text()
    .optional()
    .describe('The key exchange algorithms to offer, separated by commas.'),
  enableSshRsa1: enableSshRsa1(),
};
const Properties = z.object(properties);

/** Files on a server with SFTP. */
export const sftp: Protocol = {
  name: 'sftp',
  title: 'SFTP server',
  properties,
  overwrites: true,
  example: ['host: sftp.example.com', 'username: alice', `password: "{{ secret('SFTP_PASSWORD') }}"`],
  exampleFolder: '/upload',
  open: openSftp,
};

async function openSftp(context: TaskContext, connection: Connection): Promise<RemoteFiles> {
  const input = Properties.parse(connection);
  const client = await connectSsh(context, {
    ...input,
    privateKey: input.keyfile,
    proxy: readProxy({
      type: input.proxyType,
      host: input.proxyAddress ?? input.proxyHost,
      port: input.proxyPort,
      username: input.proxyUsername ?? input.proxyUser,
      password: input.proxyPassword,
    }),
  });
  try {
    const wrapper = await call<SFTPWrapper>((done) => client.sftp(done));
    const home = input.rootDir ? await call<string>((done) => wrapper.realpath('.', done)) : '/';
    return new SftpFiles(wrapper, home, () => client.end());
  } catch (error) {
    client.destroy();
    throw error;
  }
}

type Done<T> = (error: Error | null | undefined, value: T) => void;

/** A call with a callback as a promise; a connection that ends settles it as well. */
const call = <T>(start: (done: Done<T>) => unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });

const noSuchFile = 2;
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === noSuchFile;

class SftpFiles implements RemoteFiles {
  readonly #sftp: SFTPWrapper;
  readonly #home: string;
  readonly #end: () => void;

  constructor(sftp: SFTPWrapper, home: string, end: () => void) {
    this.#sftp = sftp;
    this.#home = home === '/' ? '' : home;
    this.#end = end;
  }

  #full(path: string): string {
    return this.#home + path;
  }

  async list(path: string): Promise<RemoteFile[] | undefined> {
    try {
      const entries = await call<FileEntryWithStats[]>((done) => this.#sftp.readdir(this.#full(path), done));
      return await Promise.all(
        entries
          .filter(({ filename }) => filename !== '.' && filename !== '..')
          .map(({ filename, attrs }) => this.#toFile(joinPath(path, filename), attrs)),
      );
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw named(error, path);
    }
  }

  async stat(path: string): Promise<RemoteFile | undefined> {
    try {
      return await this.#toFile(path, await call<Stats>((done) => this.#sftp.lstat(this.#full(path), done)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw named(error, path);
    }
  }

  /** A link is described by its target; a dangling link is an empty file. */
  async #toFile(path: string, attrs: Stats): Promise<RemoteFile> {
    const isLink = attrs.isSymbolicLink();
    const target = isLink
      ? await call<Stats>((done) => this.#sftp.stat(this.#full(path), done)).catch(() => attrs)
      : attrs;
    return {
      path,
      name: nameOf(path),
      isFolder: target.isDirectory(),
      isLink,
      size: target.size,
      userId: target.uid,
      groupId: target.gid,
      permissions: target.mode & 0o7777,
      accessedAt: new Date(target.atime * 1_000),
      modifiedAt: new Date(target.mtime * 1_000),
    };
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    const stream = this.#sftp.createReadStream(this.#full(path));
    const closed = settled(stream);
    yield* stream;
    await closed;
  }

  async write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const stream = this.#sftp.createWriteStream(this.#full(path));
    const closed = settled(stream);
    await pipeline(Readable.from(content), stream).catch((error) => {
      throw named(error, path);
    });
    await closed;
  }

  async rename(from: string, to: string): Promise<void> {
    await call<void>((done) =>
      this.#sftp.rename(this.#full(from), this.#full(to), (error) => done(error, undefined)),
    ).catch((error) => {
      throw named(error, to);
    });
  }

  async removeFile(path: string): Promise<void> {
    await call<void>((done) => this.#sftp.unlink(this.#full(path), (error) => done(error, undefined)));
  }

  async removeFolder(path: string): Promise<void> {
    await call<void>((done) => this.#sftp.rmdir(this.#full(path), (error) => done(error, undefined)));
  }

  async makeFolder(path: string): Promise<void> {
    await call<void>((done) => this.#sftp.mkdir(this.#full(path), (error) => done(error, undefined))).catch(
      (error) => {
        throw named(error, path);
      },
    );
  }

  async close(): Promise<void> {
    this.#end();
  }
}

/** Resolves when the handle of the stream is closed; an error after the last byte must not end the process. */
const settled = (stream: NodeJS.EventEmitter): Promise<void> =>
  new Promise((resolve) => {
    stream.on('error', () => resolve());
    stream.once('close', () => resolve());
  });

const named = (error: unknown, path: string): Error =>
  new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
