import { isIP } from 'node:net';
import {
  importModule,
  messageOf,
  openRelay,
  type Relay,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type * as Neo4j from 'neo4j-driver-lite';

export const connectionProperties = () => ({
  url: text().describe(
    'The server, as `bolt://host:7687` or `neo4j://host:7687`; `bolt+s://` and `neo4j+s://` use TLS, `bolt+ssc://` and `neo4j+ssc://` TLS without a check of the certificate.',
  ),
  username: text().optional().describe('The user.'),
  password: text().optional().describe('The password of the user.'),
  bearerToken: text().optional().describe('A token of single sign-on, instead of user and password.'),
});

interface Connection {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly bearerToken?: string | undefined;
}

const connectTimeoutMs = 10_000;
/** How many records the server sends before it waits for the task. */
const fetchSize = 1000;

interface Opened {
  readonly session: Neo4j.Session;
  readonly neo4j: typeof Neo4j;
}

/** Connects, runs the work in a session, and always closes the connection. */
export async function withSession<T>(
  context: TaskContext,
  connection: Connection,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const address = readUrl(connection.url);
  for (const secret of [connection.password, connection.bearerToken]) if (secret) context.masker.add(secret);
  const loaded = await importModule<{ readonly default: typeof Neo4j }>('neo4j-driver-lite');
  const server = new Server(context, loaded.default, connection);
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(context.signal.reason);
  });
  aborted.catch(() => {});
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    context.signal.throwIfAborted();
    const running = server.openFor(address).then((session) => work({ session, neo4j: loaded.default }));
    // The race may end with the signal.
    running.catch(() => {});
    const result = await Promise.race([running, aborted]);
    context.signal.throwIfAborted();
    return result;
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(server.failure() ?? error, address);
  } finally {
    context.signal.removeEventListener('abort', stop);
    await server.close();
  }
}

/** The driver opens its own sockets, so it gets a relay port to the server under the outbound policy. */
class Server {
  readonly #context: TaskContext;
  readonly #neo4j: typeof Neo4j;
  readonly #connection: Connection;
  #relay: Relay | undefined;
  #driver: Neo4j.Driver | undefined;

  constructor(context: TaskContext, neo4j: typeof Neo4j, connection: Connection) {
    this.#context = context;
    this.#neo4j = neo4j;
    this.#connection = connection;
  }

  /** A session with the server that accepts writes. */
  async openFor(address: Address): Promise<Neo4j.Session> {
    const session = await this.#open(address);
    const writer = address.isRouted ? await findWriter(session, address) : undefined;
    if (!writer) return session;
    await this.close();
    return this.#open(writer);
  }

  async #open({ host, port, tls }: Address): Promise<Neo4j.Session> {
    const servername = isIP(host) ? undefined : host;
    this.#relay = await openRelay(this.#context, {
      host,
      port,
      timeoutMs: connectTimeoutMs,
      ...(tls !== 'off' && {
        tls: { rejectUnauthorized: tls === 'checked', host, ...(servername && { servername }) },
      }),
    });
    this.#driver = this.#neo4j.driver(`bolt://${this.#relay.host}:${this.#relay.port}`, this.#login(), {
      encrypted: false,
      useBigInt: true,
      maxConnectionPoolSize: 1,
      connectionAcquisitionTimeout: connectTimeoutMs + 5_000,
      fetchSize,
      userAgent: 'millrace',
      telemetryDisabled: true,
    });
    await this.#driver.getServerInfo();
    return this.#driver.session();
  }

  /** Why the relay could not reach the server, for example the outbound policy. */
  failure(): Error | undefined {
    return this.#relay?.failure();
  }

  /**
   * A server ends the transaction of a connection that is closed, so a killed task leaves nothing behind. It does not
   * wait for the driver, which would wait for the server.
   */
  async close(): Promise<void> {
    const closing = this.#driver?.close().catch(() => {});
    if (!this.#context.signal.aborted) await closing;
    await this.#relay?.close();
  }

  #login(): Neo4j.AuthToken {
    const { bearerToken, username, password } = this.#connection;
    if (bearerToken) return { scheme: 'bearer', credentials: bearerToken };
    if (username === undefined) return { scheme: 'none', credentials: '' };
    return { scheme: 'basic', principal: username, credentials: password ?? '' };
  }
}

interface Address {
  readonly host: string;
  readonly port: number;
  readonly tls: 'off' | 'checked' | 'unchecked';
  /** The scheme `neo4j` asks the cluster which of its servers accepts writes. */
  readonly isRouted: boolean;
}

const schemes: Readonly<Record<string, Pick<Address, 'tls' | 'isRouted'>>> = {
  'bolt:': { tls: 'off', isRouted: false },
  'bolt+s:': { tls: 'checked', isRouted: false },
  'bolt+ssc:': { tls: 'unchecked', isRouted: false },
  'neo4j:': { tls: 'off', isRouted: true },
  'neo4j+s:': { tls: 'checked', isRouted: true },
  'neo4j+ssc:': { tls: 'unchecked', isRouted: true },
};

const defaultPort = 7687;

function readUrl(text: string): Address {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = schemes[url?.protocol ?? ''];
  if (!url || !scheme || url.hostname === '')
    throw new TaskFailed(`"url" must be an address such as bolt://host:7687, got "${text}".`, {
      retry: false,
    });
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || defaultPort),
    ...scheme,
  };
}

/** The server of a cluster that accepts writes; undefined when it is the one that was asked. */
async function findWriter(session: Neo4j.Session, address: Address): Promise<Address | undefined> {
  const { host, port } = address;
  const asked = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { records } = await session.run('CALL dbms.routing.getRoutingTable({ address: $asked }, null)', {
    asked,
  });
  const servers: unknown = records[0]?.get('servers');
  const writer = (Array.isArray(servers) ? servers : []).find((server) => server?.role === 'WRITE');
  const found: unknown = writer?.addresses?.[0];
  if (typeof found !== 'string' || found === asked) return undefined;
  const [, foundHost = '', foundPort] = /^\[?(.*?)\]?:(\d+)$/.exec(found) ?? [];
  return foundHost === '' ? undefined : { ...address, host: foundHost, port: Number(foundPort) };
}

function explain(error: unknown, { host, port }: Address): Error {
  if (error instanceof TaskFailed) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return new TaskFailed(`Neo4j on ${host}:${port}: ${messageOf(error)}`, {
    retry: !code.startsWith('Neo.ClientError.'),
    cause: error,
  });
}
