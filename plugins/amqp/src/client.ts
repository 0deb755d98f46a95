import {
  deprecated,
  importModule,
  messageOf,
  openRelay,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as Amqp from 'amqplib';

export const connectionProperties = () => ({
  url: deprecated(text().optional(), 'use `host`, `port`, `username`, `password` and `virtualHost`.'),
  host: text().optional().describe('The host of the broker.'),
  port: text().default('5672').describe('The port of the broker.'),
  username: text().optional().describe('The user; `guest` when absent.'),
  password: text().optional().describe('The password; `guest` when absent.'),
  virtualHost: text().default('/').describe('The virtual host.'),
});

export interface AmqpInput {
  readonly url?: string | undefined;
  readonly host?: string | undefined;
  readonly port: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly virtualHost: string;
}

const connectTimeoutMs = 10_000;
const heartbeatSeconds = 30;

/** Connects, runs the work, and always closes the connection. */
export async function withAmqp<T>(
  context: TaskContext,
  input: AmqpInput,
  work: (connection: Amqp.ChannelModel) => Promise<T>,
): Promise<T> {
  const address = readAddress(input);
  context.masker.add(address.password);
  const { connect } = await importModule<typeof Amqp>('amqplib');
  // The client opens its own socket, so it gets a relay port to the broker under the outbound policy.
  const relay = await openRelay(context, { ...address, timeoutMs: connectTimeoutMs });
  let connection: Amqp.ChannelModel | undefined;
  let failure: Error | undefined;
  const stop = () => void connection?.close().catch(() => {});
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    context.signal.throwIfAborted();
    connection = await connect(
      {
        protocol: address.isSecure ? 'amqps' : 'amqp',
        hostname: relay.host,
        port: relay.port,
        username: address.username,
        password: address.password,
        vhost: encodeURIComponent(address.virtualHost),
        heartbeat: heartbeatSeconds,
      },
      {
        timeout: connectTimeoutMs,
        noDelay: true,
        servername: address.host,
        clientProperties: { connection_name: 'millrace' },
      },
    );
    connection.on('error', (error) => {
      failure ??= error;
    });
    return await work(connection);
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(relay.failure() ?? failure ?? error, address);
  } finally {
    context.signal.removeEventListener('abort', stop);
    await connection?.close().catch(() => {});
    await relay.close();
  }
}

/** A channel whose failure ends the work, because the client library only emits it. */
export async function withChannel<T>(
  connection: Amqp.ChannelModel,
  work: (channel: Amqp.ConfirmChannel, onFailure: (listener: (error: Error) => void) => void) => Promise<T>,
): Promise<T> {
  const channel = await connection.createConfirmChannel();
  let failure: Error | undefined;
  const listeners: ((error: Error) => void)[] = [];
  const fail = (error: Error) => {
    failure ??= error;
    for (const listener of listeners.splice(0)) listener(failure);
  };
  channel.on('error', fail);
  channel.on('close', () => fail(new Error('The channel was closed.')));
  connection.on('close', (error) => fail(error ?? new Error('The connection was closed.')));
  try {
    return await work(channel, (listener) => {
      if (failure) listener(failure);
      else listeners.push(listener);
    });
  } catch (error) {
    throw failure ?? error;
  } finally {
    listeners.length = 0;
    await channel.close().catch(() => {});
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly virtualHost: string;
  readonly isSecure: boolean;
}

function readAddress(input: AmqpInput): Address {
  if (input.url === undefined) {
    if (!input.host) throw new TaskFailed('"host" must be given.', { retry: false });
    return {
      host: input.host,
      port: Number(input.port),
      username: input.username ?? 'guest',
      password: input.password ?? 'guest',
      virtualHost: input.virtualHost,
      isSecure: false,
    };
  }
  const url = URL.canParse(input.url) ? new URL(input.url) : undefined;
  if (!url || !/^amqps?:$/.test(url.protocol) || url.hostname === '')
    throw new TaskFailed('"url" must be an address such as amqp://user:password@host:5672/my_vhost.', {
      retry: false,
    });
  const isSecure = url.protocol === 'amqps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isSecure ? 5671 : 5672)),
    username: decodeURIComponent(url.username) || (input.username ?? 'guest'),
    password: decodeURIComponent(url.password) || (input.password ?? 'guest'),
    virtualHost: decodeURIComponent(url.pathname.slice(1)) || input.virtualHost,
    isSecure,
  };
}

function explain(error: unknown, { host, port }: Address): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const isFinal = /ACCESS[-_ ]REFUSED|NOT[-_ ]FOUND|PRECONDITION[-_ ]FAILED|NOT_ALLOWED/i.test(message);
  return new TaskFailed(`AMQP broker on ${host}:${port}: ${message}`, { retry: !isFinal, cause: error });
}
