import type { Socket } from 'node:net';
import { importModule, messageOf, openRelay, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import type { Protocol } from './remote/protocol.ts';
import { joinPath, nameOf, type RemoteFile, type RemoteFiles } from './remote/remoteFiles.ts';
import { dropInterimResponses } from './smbInterim.ts';
import { readPort } from './sshConnection.ts';

const smbProperties = {
  host: text().describe('The server.'),
  port: text().default('445').describe('Its port.'),
  username: text().optional().describe('The user, or `DOMAIN\\user`; `guest` when absent.'),
  password: text().optional().describe('The password.'),
};
const Smb = z.object(smbProperties);
type SmbInput = z.infer<typeof Smb>;

/** Files on Windows shares and Samba servers. Paths begin with the name of the share. */
export const smb: Protocol = {
  name: 'smb',
  title: 'SMB server',
  properties: smbProperties,
  overwrites: false,
  example: ['host: smb.example.com', 'username: alice', `password: "{{ secret('SMB_PASSWORD') }}"`],
  exampleFolder: '/share/upload',
  open: (context, input) => openSmb(context, Smb.parse(input)),
};

interface SmbStats {
  readonly size: number;
  readonly atime: Date;
  readonly mtime: Date;
  isDirectory(): boolean;
}

interface SmbFailure extends Error {
  readonly code?: string;
}

/** The part of the library's client that is used. */
interface SmbClient {
  readonly socket: Socket;
  stat(path: string): Promise<SmbStats>;
  rename(from: string, to: string, options: { replace: boolean }): Promise<void>;
  unlink(path: string): Promise<void>;
  rmdir(path: string): Promise<void>;
  mkdir(path: string, mode: number): Promise<void>;
  disconnect(): void;
}

type SmbClass = new (options: {
  share: string;
  domain: string;
  username: string;
  password: string;
  port: number;
  autoCloseTimeout: number;
}) => SmbClient;

type Handle = Readonly<Record<string, unknown>>;
type Request = <T>(
  name: string,
  parameters: Handle,
  client: SmbClient,
  done: (error: SmbFailure | null, result: T) => void,
) => void;

/** An open file: its handle, and its size as eight bytes. */
type OpenFile = Handle & { readonly FileId: Uint8Array; readonly EndofFile: Uint8Array };

/** The maximum payload of one message. */
const chunkBytes = 0xff00;
/** Replaces the content of a file that exists. */
const overwriteOrCreate = 5;

function offsetOf(position: number): Buffer {
  const offset = Buffer.alloc(8);
  offset.writeBigUInt64LE(BigInt(position));
  return offset;
}

type Entry = Readonly<Record<string, unknown>> & { readonly Filename: string };

interface Library {
  readonly Client: SmbClass;
  readonly request: Request;
  readonly toStats: (entry: Entry) => SmbStats;
}

async function loadLibrary(): Promise<Library> {
  const { default: Client } = await importModule<{ default: SmbClass }>('@tryjsky/v9u-smb2');
  const { default: forge } = await importModule<{ default: { request: Request } }>(
    '@tryjsky/v9u-smb2/lib/tools/smb2-forge.js',
  );
  const { default: toStats } = await importModule<{ default: Library['toStats'] }>(
    '@tryjsky/v9u-smb2/lib/tools/stats.js',
  );
  return { Client, request: forge.request, toStats };
}

async function openSmb(context: TaskContext, input: SmbInput): Promise<RemoteFiles> {
  const target = { host: input.host, port: readPort(input.port), timeoutMs: 30_000 };
  // The library opens its own socket, so the connection goes through a relay that obeys the outbound policy.
  const relay = await openRelay(context, target);
  return new SmbFiles(await loadLibrary(), input, relay);
}

type Relay = Awaited<ReturnType<typeof openRelay>>;

/** A share and the path inside it, as SMB writes it. */
interface Place {
  readonly share: string;
  readonly inner: string;
}

function placeOf(path: string): Place {
  const [share = '', ...steps] = path.split('/').slice(1);
  return { share, inner: steps.join('\\') };
}

const missingCodes = new Set([
  'STATUS_OBJECT_NAME_NOT_FOUND',
  'STATUS_OBJECT_PATH_NOT_FOUND',
  'STATUS_NO_SUCH_FILE',
  'STATUS_NOT_A_DIRECTORY',
]);
const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && missingCodes.has(String(error.code));

class SmbFiles implements RemoteFiles {
  readonly #library: Library;
  readonly #input: SmbInput;
  readonly #relay: Relay;
  /** One connection for each share that a path names. */
  readonly #clients = new Map<string, { client: SmbClient; lost: Promise<never> }>();

  constructor(library: Library, input: SmbInput, relay: Relay) {
    this.#library = library;
    this.#input = input;
    this.#relay = relay;
  }

  #open(share: string): { client: SmbClient; lost: Promise<never> } {
    const known = this.#clients.get(share);
    if (known) return known;
    if (share === '')
      throw new TaskFailed('The path must begin with the name of a share, such as "/share/folder/file".', {
        retry: false,
      });
    const [domain, username] = splitUser(this.#input.username ?? 'guest');
    const client = new this.#library.Client({
      share: `\\\\${this.#relay.host}\\${share}`,
      port: this.#relay.port,
      domain,
      username,
      password: this.#input.password ?? '',
      autoCloseTimeout: 0,
    });
    dropInterimResponses(client.socket);
    // The library does not end requests whose connection is lost.
    const lost = new Promise<never>((_, reject) => {
      const fail = () => reject(this.#relay.failure() ?? new Error('the server closed the connection'));
      client.socket.on('end', fail);
      client.socket.on('close', fail);
    });
    lost.catch(() => {});
    const opened = { client, lost };
    this.#clients.set(share, opened);
    return opened;
  }

  /** Sends one message of the protocol. */
  #ask<T>(client: SmbClient, name: string, parameters: Handle): Promise<T> {
    return new Promise((resolve, reject) =>
      this.#library.request<T>(name, parameters, client, (error, result) =>
        error ? reject(error) : resolve(result),
      ),
    );
  }

  async #run<T>(path: string, work: (client: SmbClient, inner: string) => Promise<T>): Promise<T> {
    const { share, inner } = placeOf(path);
    const { client, lost } = this.#open(share);
    try {
      return await Promise.race([work(client, inner), lost]);
    } catch (error) {
      throw isMissing(error) ? error : explain(this.#relay.failure() ?? error, this.#input, share);
    }
  }

  async list(path: string): Promise<RemoteFile[] | undefined> {
    const folder = await this.stat(path);
    if (!folder?.isFolder) return undefined;
    const entries = await this.#run(path, (client, inner) => this.#readFolder(client, inner));
    return entries.map((entry) => toFile(joinPath(path, entry.Filename), this.#library.toStats(entry)));
  }

  /** `readdir` of the library leaves the folder open, which keeps it from being deleted. */
  async #readFolder(client: SmbClient, inner: string): Promise<Entry[]> {
    const ask = <T>(name: string, parameters: Handle) => this.#ask<T>(client, name, parameters);
    const folder = await ask<Handle>('open', { path: inner });
    const found: Entry[] = [];
    try {
      for (;;) {
        const page = await ask<Entry[]>('query_directory', folder);
        found.push(...page.filter(({ Filename }) => Filename !== '.' && Filename !== '..'));
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'STATUS_NO_MORE_FILES')) throw error;
    } finally {
      await ask('close', folder).catch(() => {});
    }
    return found;
  }

  async stat(path: string): Promise<RemoteFile | undefined> {
    if (path === '/') return { path, name: '', isFolder: true, isLink: false, size: 0 };
    try {
      return toFile(path, await this.#run(path, (client, inner) => client.stat(inner)));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** The streams of the library close their file twice, which fails, so files are read and written chunk by chunk. */
  async *read(path: string): AsyncIterable<Uint8Array> {
    const file = await this.#run(path, (client, inner) =>
      this.#ask<OpenFile>(client, 'open', { path: inner }),
    );
    const size = Number(Buffer.from(file.EndofFile).readBigUInt64LE());
    try {
      for (let offset = 0; offset < size; ) {
        const request = {
          FileId: file.FileId,
          Length: Math.min(chunkBytes, size - offset),
          Offset: offsetOf(offset),
        };
        const chunk = await this.#run(path, (client) => this.#ask<Buffer>(client, 'read', request));
        if (chunk.length === 0) throw new TaskFailed(`The file "${path}" became shorter while it was read.`);
        offset += chunk.length;
        yield chunk;
      }
    } finally {
      await this.#run(path, (client) => this.#ask(client, 'close', file)).catch(() => {});
    }
  }

  async write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await this.#run(path, (client, inner) =>
      this.#ask<OpenFile>(client, 'create', { path: inner, createDisposition: overwriteOrCreate }),
    );
    try {
      let offset = 0;
      for await (const part of content)
        for (let at = 0; at < part.length; at += chunkBytes) {
          const chunk = Buffer.from(part.subarray(at, at + chunkBytes));
          const request = { FileId: file.FileId, Buffer: chunk, Offset: offsetOf(offset) };
          await this.#run(path, (client) => this.#ask(client, 'write', request));
          offset += chunk.length;
        }
    } finally {
      await this.#run(path, (client) => this.#ask(client, 'close', file));
    }
  }

  rename(from: string, to: string): Promise<void> {
    const target = placeOf(to);
    if (target.share !== placeOf(from).share)
      throw new TaskFailed('A file cannot be moved to another share; download and upload it instead.', {
        retry: false,
      });
    return this.#run(from, (client, inner) => client.rename(inner, target.inner, { replace: false }));
  }

  removeFile(path: string): Promise<void> {
    return this.#run(path, (client, inner) => client.unlink(inner));
  }

  removeFolder(path: string): Promise<void> {
    return this.#run(path, (client, inner) => client.rmdir(inner));
  }

  makeFolder(path: string): Promise<void> {
    return this.#run(path, (client, inner) => client.mkdir(inner, 0o777));
  }

  async close(): Promise<void> {
    for (const { client } of this.#clients.values()) {
      client.disconnect();
      client.socket.destroy();
    }
    await this.#relay.close();
  }
}

function toFile(path: string, stats: SmbStats): RemoteFile {
  return {
    path,
    name: nameOf(path),
    isFolder: stats.isDirectory(),
    isLink: false,
    size: stats.size,
    accessedAt: stats.atime,
    modifiedAt: stats.mtime,
  };
}

function splitUser(written: string): [domain: string, username: string] {
  const at = written.indexOf('\\');
  return at < 0 ? ['', written] : [written.slice(0, at), written.slice(at + 1)];
}

function explain(error: unknown, { host, port, username }: SmbInput, share: string): Error {
  if (error instanceof TaskFailed) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/LOGON_FAILURE|WRONG_PASSWORD|ACCOUNT_/.test(code))
    return new TaskFailed(`${host}:${port} does not let "${username ?? 'guest'}" in with this password.`, {
      retry: false,
    });
  if (code === 'STATUS_BAD_NETWORK_NAME')
    return new TaskFailed(`${host}:${port} has no share "${share}".`, { retry: false });
  if (code === 'STATUS_ACCESS_DENIED')
    return new TaskFailed(`${host}:${port} denies "${username ?? 'guest'}" access to the share "${share}".`, {
      retry: false,
    });
  return new TaskFailed(`SMB on ${host}:${port} failed: ${messageOf(error)}`, { cause: error });
}
