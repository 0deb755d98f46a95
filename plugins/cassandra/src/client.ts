import type { ConnectionOptions as TlsOptions } from 'node:tls';
import {
  importModule,
  messageOf,
  openRelay,
  type Relay,
  type TaskContext,
  TaskFailed,
} from '@millrace/plugin-kit';
import type * as Cassandra from 'cassandra-driver';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsOptions;
}

/** Where a cluster is and who connects to it. */
export interface Cluster {
  readonly title: string;
  readonly endpoints: readonly Endpoint[];
  readonly localDatacenter?: string | undefined;
  readonly keyspace?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly applicationName?: string | undefined;
}

const connectTimeoutMs = 10_000;
/** Longer than the limits of the servers, which report a timeout themselves. */
const readTimeoutMs = 60_000;
/** How many rows are asked for at once. */
const fetchSize = 1000;

interface Opened {
  readonly client: Cassandra.Client;
  readonly cassandra: typeof Cassandra;
  /** How many bytes the cluster has sent. */
  receivedBytes(): number;
}

/** Connects, runs the work, and always closes the connection. */
export async function withClient<T>(
  context: TaskContext,
  cluster: Cluster,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  if (cluster.password) context.masker.add(cluster.password);
  const loaded = await importModule<{ readonly default: typeof Cassandra }>('cassandra-driver');
  const cassandra = loaded.default;
  const relays: Awaited<ReturnType<typeof openRelay>>[] = [];
  let client: Cassandra.Client | undefined;
  const { aborted, stop } = whenAborted(context.signal);
  const { unreachable, onFailure } = whenUnreachable(cluster.endpoints.length);
  try {
    // The driver opens its own sockets, so it gets relay ports to the servers under the outbound policy.
    for (const endpoint of cluster.endpoints)
      relays.push(
        await openRelay(context, {
          ...endpoint,
          timeoutMs: connectTimeoutMs,
          onFailure: (error) => onFailure(endpoint, error),
        }),
      );
    client = new cassandra.Client(optionsOf(cassandra, cluster, relays));
    const opened = {
      client,
      cassandra,
      receivedBytes: () => relays.reduce((sum, relay) => sum + relay.receivedBytes(), 0),
    };
    const running = client.connect().then(() => work(opened));
    // The race may end without it.
    running.catch(() => {});
    const result = await Promise.race([running, aborted, unreachable]);
    context.signal.throwIfAborted();
    return result;
  } catch (error) {
    context.signal.throwIfAborted();
    throw explain(error, cluster, relays);
  } finally {
    stop();
    // A cluster cannot cancel a statement: closing the connections is all a client can do.
    if (context.signal.aborted) await closeAll(relays);
    await client?.shutdown().catch(() => {});
    await closeAll(relays);
  }
}

const closeAll = (relays: readonly Relay[]) => Promise.all(relays.map((relay) => relay.close()));

function whenAborted(signal: AbortSignal) {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    stop = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  aborted.catch(() => {});
  return { aborted, stop };
}

/** Rejects when every endpoint has failed; the driver would wait for responses until its timeout. */
function whenUnreachable(endpoints: number) {
  const failed = new Set<Endpoint>();
  let reject: (error: Error) => void = () => {};
  const unreachable = new Promise<never>((_, onReject) => {
    reject = onReject;
  });
  unreachable.catch(() => {});
  const onFailure = (endpoint: Endpoint, error: Error) => {
    failed.add(endpoint);
    if (failed.size === endpoints) reject(error);
  };
  return { unreachable, onFailure };
}

function optionsOf(
  cassandra: typeof Cassandra,
  { localDatacenter, keyspace, username, password, applicationName }: Cluster,
  relays: readonly Relay[],
): Cassandra.DseClientOptions {
  const { AllowListPolicy, DCAwareRoundRobinPolicy, RoundRobinPolicy } = cassandra.policies.loadBalancing;
  const contactPoints = relays.map(({ host, port }) => `${host}:${port}`);
  const balancing =
    localDatacenter === undefined ? new RoundRobinPolicy() : new DCAwareRoundRobinPolicy(localDatacenter);
  return {
    contactPoints,
    ...(keyspace !== undefined && { keyspace }),
    ...(applicationName !== undefined && { applicationName }),
    ...(username !== undefined && {
      authProvider: new cassandra.auth.PlainTextAuthProvider(username, password ?? ''),
    }),
    // Any server coordinates a statement, so servers that the cluster names besides the endpoints are not contacted.
    policies: { loadBalancing: new AllowListPolicy(balancing, contactPoints) },
    pooling: {
      coreConnectionsPerHost: { [cassandra.types.distance.local]: 1, [cassandra.types.distance.remote]: 1 },
    },
    socketOptions: { connectTimeout: connectTimeoutMs, readTimeout: readTimeoutMs },
    queryOptions: { fetchSize },
    encoding: { useBigIntAsLong: true, useBigIntAsVarint: true },
    isMetadataSyncEnabled: false,
    monitorReporting: { enabled: false },
  };
}

/** Codes of errors that another attempt cannot change: credentials, rights, syntax, names, settings. */
const finalCodes = new Set([0x0100, 0x2000, 0x2100, 0x2200, 0x2300, 0x2400]);

function explain(error: unknown, { title, endpoints }: Cluster, relays: readonly Relay[]): Error {
  if (error instanceof TaskFailed) return error;
  const reply = innerError(error);
  const isDenied = reply instanceof Error && reply.name === 'AuthenticationError';
  const code = typeof reply === 'object' && reply !== null && 'code' in reply ? reply.code : undefined;
  // A server that has replied says more than a connection to another one that failed.
  const isReply = isDenied || typeof code === 'number';
  const refusal = relays.map((relay) => relay.failure()).find((failure) => failure !== undefined);
  if (!isReply && refusal instanceof TaskFailed) return refusal;
  const cause = isReply ? reply : (refusal ?? reply);
  const where = endpoints.map(({ host, port }) => `${host}:${port}`).join(', ');
  return new TaskFailed(`${title} on ${where}: ${messageOf(cause)}`, {
    retry: !isDenied && !finalCodes.has(Number(code)),
    cause: error,
  });
}

/** The driver hides the reason of the first server behind "All host(s) tried for query failed". */
function innerError(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('innerErrors' in error)) return error;
  const [first] = Object.values(error.innerErrors ?? {});
  return first ?? error;
}
