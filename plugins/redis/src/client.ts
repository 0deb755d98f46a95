import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { choice, importModule, messageOf, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type { Redis, RedisOptions } from 'ioredis';

export const urlProperty = () =>
  text().describe('The server, as `redis://[user:password@]host:port/database`, or `rediss://…` with TLS.');

export const serdeTypeProperty = () =>
  choice(['STRING', 'JSON']).default('STRING').describe('How a value is stored: as text, or as JSON.');

export type SerdeType = 'STRING' | 'JSON';

/** The stored form of a flow's value. */
export const serialize = (value: unknown, serde: SerdeType): string => {
  if (serde === 'STRING') return typeof value === 'string' ? value : JSON.stringify(value);
  return JSON.stringify(typeof value === 'string' ? readJson(value) : value);
};

/** A text that is JSON already is not written as a text again. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function deserialize(value: string, serde: SerdeType): unknown {
  if (serde === 'STRING') return value;
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new TaskFailed(`The value is not JSON: ${messageOf(error)}`, { retry: false });
  }
}

const connectTimeoutMs = 10_000;

interface IoRedis {
  readonly default: new (options: Omit<RedisOptions, 'Connector'> & { readonly Connector: unknown }) => Redis;
}

/** Connects, runs the work, and always closes the connection. */
export async function withRedis<T>(
  context: TaskContext,
  url: string,
  work: (redis: Redis) => Promise<T>,
): Promise<T> {
  const address = readUrl(url);
  if (address.password !== undefined) context.masker.add(address.password);
  const { default: Client } = await importModule<IoRedis>('ioredis');
  let failure: unknown;
  const redis = new Client({
    ...(address.username && { username: address.username }),
    ...(address.password !== undefined && { password: address.password }),
    db: address.database,
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    // A connection that breaks fails the task: commands must not be sent twice.
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    Connector: connectorFor(context, address),
  });
  redis.on('error', (error) => {
    failure ??= error;
  });
  const stop = () => redis.disconnect();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await redis.connect();
    const result = await work(redis);
    context.signal.throwIfAborted();
    return result;
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(failure ?? error, address);
  } finally {
    context.signal.removeEventListener('abort', stop);
    redis.disconnect();
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly database: number;
}

function readUrl(url: string): Address {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^rediss?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new TaskFailed('"url" must be an address such as redis://:password@host:6379/0.', { retry: false });
  const password = decodeURIComponent(parsed.password);
  const username = decodeURIComponent(parsed.username);
  return {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: Number(parsed.port || 6379),
    isSecure: parsed.protocol === 'rediss:',
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    database: Number(parsed.pathname.slice(1) || 0) || 0,
  };
}

/** Opens the connections of the client through the outbound policy. */
function connectorFor(context: TaskContext, { host, port, isSecure }: Address) {
  return class {
    #socket: Socket | undefined;

    async connect(): Promise<Socket> {
      const plain = await context.connect({ host, port, timeoutMs: connectTimeoutMs });
      this.#socket = isSecure ? connectTls({ socket: plain, servername: host }) : plain;
      return this.#socket;
    }

    disconnect(): void {
      this.#socket?.end();
    }

    check(): boolean {
      return true;
    }
  };
}

function explain(error: unknown, { host, port }: Address): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const isDenied = /WRONGPASS|NOAUTH|invalid password|NOPERM/i.test(message);
  return new TaskFailed(`Redis on ${host}:${port}: ${message}`, { retry: !isDenied, cause: error });
}
