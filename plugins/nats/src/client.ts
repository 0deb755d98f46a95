import { importModule, messageOf, openRelay, type TaskContext, TaskFailed, text } from '@millrace/plugin-kit';
import type * as Transport from '@nats-io/transport-node';

export const connectionProperties = () => ({
  url: text().describe(
    'The server, as `nats://host:4222`, or `tls://…` with TLS; several servers are separated by commas.',
  ),
  username: text().optional().describe('The user.'),
  password: text().optional().describe('The password.'),
  token: text().optional().describe('A token instead of user and password.'),
  creds: text().optional().describe('The text of a credentials file, with a JWT and a seed.'),
});

export interface NatsConnectionInput {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
  readonly creds?: string | undefined;
}

export type Nats = Transport.NatsConnection;

export const loadTransport = () => importModule<typeof Transport>('@nats-io/transport-node');

const connectTimeoutMs = 10_000;

/** Connects, runs the work, and always closes the connection. */
export async function withNats<T>(
  context: TaskContext,
  input: NatsConnectionInput,
  work: (nats: Nats) => Promise<T>,
): Promise<T> {
  const { url, username, password, token, creds } = input;
  for (const secret of [password, token, creds]) if (secret !== undefined) context.masker.add(secret);
  const addresses = readAddresses(url);
  const { connect, credsAuthenticator } = await loadTransport();
  // The client opens its own sockets, so it gets relay ports to the servers under the outbound policy.
  const relays = await Promise.all(
    addresses.map((address) => openRelay(context, { ...address, timeoutMs: connectTimeoutMs })),
  );
  let nats: Nats | undefined;
  const stop = () => void nats?.close();
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    context.signal.throwIfAborted();
    nats = await connect({
      servers: relays.map(({ host, port }) => `${host}:${port}`),
      name: 'millrace',
      timeout: connectTimeoutMs,
      // A broken connection fails the task, so that no message is silently sent twice.
      reconnect: false,
      ignoreClusterUpdates: true,
      noRandomize: true,
      ...(username !== undefined && { user: username }),
      ...(password !== undefined && { pass: password }),
      ...(token !== undefined && { token }),
      ...(creds !== undefined && { authenticator: credsAuthenticator(Buffer.from(creds)) }),
      ...(addresses[0]?.isSecure && { tls: tlsOptions(addresses[0]) }),
    });
    return await work(nats);
  } catch (error) {
    context.signal.throwIfAborted();
    const refused = relays.map((relay) => relay.failure()).find((failure) => failure !== undefined);
    throw explain(refused ?? error, addresses);
  } finally {
    context.signal.removeEventListener('abort', stop);
    await nats?.close().catch(() => {});
    await Promise.all(relays.map((relay) => relay.close()));
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** The certificate must name the server, not the local relay port. */
const tlsOptions = ({ host }: Address) => ({ servername: host, handshakeFirst: false });

function readAddresses(urls: string): readonly Address[] {
  return urls.split(',').map((each) => {
    const written = each.trim().includes('://') ? each.trim() : `nats://${each.trim()}`;
    const url = URL.canParse(written) ? new URL(written) : undefined;
    if (!url || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '')
      throw new TaskFailed('"url" must be an address such as nats://host:4222.', { retry: false });
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || 4222),
      isSecure: url.protocol === 'tls:',
    };
  });
}

function explain(error: unknown, addresses: readonly Address[]): Error {
  if (error instanceof TaskFailed) return error;
  const message = messageOf(error);
  const isDenied = /authorization|authentication|permission/i.test(message);
  const place = addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
  return new TaskFailed(`NATS on ${place}: ${message}`, { retry: !isDenied, cause: error });
}
