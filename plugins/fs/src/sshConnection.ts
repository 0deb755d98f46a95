import {
  deprecated,
  flag,
  importModule,
  messageOf,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as Ssh2 from 'ssh2';

export type SshClient = Ssh2.Client;

export interface SshLogin {
  readonly host: string;
  readonly port: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly privateKey?: string | undefined;
  readonly passphrase?: string | undefined;
  /** Adds signatures with SHA-1, which old servers need. */
  readonly enableSshRsa1: boolean;
  readonly keyExchangeAlgorithm?: string | undefined;
  readonly proxy?: Parameters<TaskContext['connect']>[0]['proxy'] | undefined;
}

const readyTimeoutMs = 10_000;

export const enableSshRsa1 = () =>
  flag().default(false).describe('Also accept the old algorithm `ssh-rsa`, for servers that know no other.');

export const olderProxyHost = () => deprecated(text().optional(), 'use `proxyAddress`.');

/** A logged-in SSH connection through the outbound policy. */
export async function connectSsh(context: TaskContext, login: SshLogin): Promise<SshClient> {
  const { Client, utils } = await loadSsh2();
  const port = readPort(login.port);
  const { privateKey, passphrase } = login;
  if (privateKey !== undefined) {
    const parsed = utils.parseKey(privateKey, passphrase);
    if (parsed instanceof Error)
      throw new TaskFailed(`The private key cannot be read: ${parsed.message}`, { retry: false });
  }
  const sock = await context
    .connect({
      host: login.host,
      port,
      timeoutMs: readyTimeoutMs,
      ...(login.proxy && { proxy: login.proxy }),
    })
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw error instanceof TaskFailed ? error : explain(error, login);
    });
  const client = new Client();
  const stop = () => client.destroy();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve).once('error', reject);
      client.once('close', () => reject(new Error('the server closed the connection')));
      client.connect({
        sock,
        username: login.username ?? 'root',
        readyTimeout: readyTimeoutMs,
        ...(privateKey === undefined
          ? { password: login.password ?? '', tryKeyboard: true }
          : { privateKey, ...(passphrase !== undefined && { passphrase }) }),
        algorithms: algorithmsOf(login),
      });
      client.on('keyboard-interactive', (_name, _words, _language, prompts, finish) =>
        finish(prompts.map(() => login.password ?? '')),
      );
    });
    // An error later closes the connection, which every pending call reports.
    client.on('error', () => {});
    return client;
  } catch (error) {
    client.destroy();
    context.signal.throwIfAborted();
    throw explain(error, login);
  } finally {
    context.signal.removeEventListener('abort', stop);
  }
}

export const loadSsh2 = async (): Promise<typeof Ssh2> => {
  const module = await importModule<typeof Ssh2 & { readonly default?: typeof Ssh2 }>('ssh2');
  await loadCiphers();
  return module.default ?? module;
};

/** A client that is destroyed before the library has loaded its ciphers throws where no caller can catch it. */
async function loadCiphers(): Promise<void> {
  type Ciphers = { readonly init?: Promise<void> };
  const path = 'ssh2/lib/protocol/crypto.js';
  const module = await importModule<Ciphers & { readonly default?: Ciphers }>(path).catch(() => undefined);
  await (module?.default ?? module)?.init;
}

export function readPort(port: string): number {
  const number = Number(port);
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number;
  throw new TaskFailed(`"${port}" is not a port.`, { retry: false });
}

function algorithmsOf({ enableSshRsa1: isOld, keyExchangeAlgorithm }: SshLogin): Ssh2.Algorithms {
  const kex = keyExchangeAlgorithm?.split(',').map((name) => name.trim());
  return {
    ...(isOld && { serverHostKey: { append: ['ssh-rsa'], prepend: [], remove: [] } }),
    // `as`: the names come from the flow; the library rejects unknown ones.
    ...(kex && { kex: kex as Ssh2.KexAlgorithm[] }),
  };
}

function explain(error: unknown, { host, port, username, privateKey }: SshLogin): Error {
  const message = messageOf(error);
  if (/authentication methods failed/i.test(message)) {
    const how = privateKey === undefined ? 'this password' : 'this key';
    return new TaskFailed(`${host}:${port} does not let "${username ?? 'root'}" in with ${how}.`, {
      retry: false,
    });
  }
  return new TaskFailed(`No SSH connection to ${host}:${port}: ${message}`, { cause: error });
}
