import { connect as connectTcp, isIP, type LookupFunction } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import {
  importModule,
  mapOf,
  messageOf,
  type TaskContext,
  TaskFailed,
  text,
  unlessKilled,
} from '@millrace/plugin-kit';
import type * as KafkaJs from 'kafkajs';
import type { ISocketFactory, Kafka } from 'kafkajs';
import { type Properties, readClientOptions } from './clientOptions.ts';
import { registerCodecs } from './codecs.ts';

export const connectionProperties = () => ({
  properties: mapOf(text()).describe(
    'Properties of the Kafka client, such as `bootstrap.servers` (required), `security.protocol`, `sasl.mechanism`, `sasl.jaas.config` and `auto.offset.reset`.',
  ),
  serdeProperties: mapOf(text())
    .default({})
    .describe('Properties of serializers, such as `schema.registry.url` and `basic.auth.user.info`.'),
});

const connectTimeoutMs = 10_000;
const defaultRequestTimeoutMs = 30_000;

export interface Opened {
  readonly kafka: Kafka;
  readonly library: typeof KafkaJs;
}

/** Loads the library, runs `work` with it, and explains failures. */
export async function withKafka<T>(
  context: TaskContext,
  properties: Properties,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const options = readClientOptions(properties);
  for (const secret of options.secrets) context.masker.add(secret);
  const loaded = await importModule<typeof KafkaJs & { readonly default?: typeof KafkaJs }>('kafkajs');
  const library = loaded.default ?? loaded;
  registerCodecs(library);
  let refusal: Error | undefined;
  const kafka = new library.Kafka({
    clientId: options.clientId,
    brokers: [...options.brokers],
    ...(options.tls && { ssl: options.tls }),
    ...(options.sasl && { sasl: options.sasl }),
    connectionTimeout: connectTimeoutMs,
    authenticationTimeout: connectTimeoutMs,
    requestTimeout: options.requestTimeoutMs ?? defaultRequestTimeoutMs,
    // A topic or coordinator that was just created has no leader for a while.
    retry: { retries: 8, initialRetryTime: 300, maxRetryTime: 4_000 },
    logLevel: library.logLevel.NOTHING,
    socketFactory: socketsOf(context, (error) => {
      refusal ??= error;
    }),
  });
  try {
    await reachAny(context, options.brokers);
    context.signal.throwIfAborted();
    // The library cannot be interrupted while it logs in or tries again.
    return await unlessKilled(context, work({ kafka, library }));
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(refusal ?? error, options.brokers);
  }
}

/** How long the library may take to close a connection when the task is killed. */
const graceMs = 1_000;

/** Fails at once when no broker can be reached; the library would try for a long time. */
async function reachAny(context: TaskContext, brokers: readonly string[]): Promise<void> {
  let failure: unknown;
  for (const broker of brokers) {
    const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(broker) ?? [];
    try {
      const target = { host, port: Number(port), timeoutMs: connectTimeoutMs, signal: context.signal };
      (await context.connect(target)).destroy();
      return;
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** Disconnects a client at the end, and at once when the task is killed. */
export async function connected<C extends { connect(): Promise<void>; disconnect(): Promise<void> }, T>(
  context: TaskContext,
  client: C,
  work: (client: C) => Promise<T>,
): Promise<T> {
  const stop = () => void client.disconnect().catch(() => {});
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    context.signal.throwIfAborted();
    return await work(client);
  } finally {
    context.signal.removeEventListener('abort', stop);
    await client.disconnect().catch(() => {});
  }
}

/** Opens sockets only to addresses that the outbound policy allows, also to brokers that the cluster names itself. */
function socketsOf(context: TaskContext, onRefusal: (error: Error) => void): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const lookup: LookupFunction = (_, options, callback) => {
      const shown = isIP(host) === 6 ? `[${host}]` : host;
      context.mayReach(`http://${shown}:${port}/`).then(
        () => {
          if (!isIP(host)) return context.lookup(host, options, callback);
          const found = { address: host, family: isIP(host) };
          return options.all ? callback(null, [found]) : callback(null, found.address, found.family);
        },
        (error: unknown) => {
          const refused = error instanceof Error ? error : new Error(messageOf(error));
          onRefusal(refused);
          callback(refused, '', 0);
        },
      );
    };
    // An IP address is replaced with a host name, because sockets skip the lookup for IP addresses.
    const target = { host: isIP(host) ? 'broker' : host, port, lookup };
    const socket = ssl
      ? connectTls(
          {
            ...target,
            ...(isIP(host)
              ? { checkServerIdentity: (_: string, certificate) => checkServerIdentity(host, certificate) }
              : { servername: host }),
            ...ssl,
          },
          onConnect,
        )
      : connectTcp(target, onConnect);
    const close = () => setTimeout(() => socket.destroy(), graceMs);
    if (context.signal.aborted) socket.destroy();
    else context.signal.addEventListener('abort', close, { once: true });
    socket.once('close', () => context.signal.removeEventListener('abort', close));
    return socket;
  };
}

function explain(error: unknown, brokers: readonly string[]): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const isFinal = /SASL|authenticat|authoriz|does not host this topic-partition|invalid topic/i.test(message);
  return new TaskFailed(`Kafka on ${brokers.join(', ')}: ${message}`, { retry: !isFinal, cause: error });
}
