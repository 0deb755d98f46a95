import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { TaskFailed } from '@millrace/plugin-kit';
import type { SASLOptions } from 'kafkajs';

export type Properties = Readonly<Record<string, string>>;

export type Compression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd';

export interface ClientOptions {
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly requestTimeoutMs?: number;
  readonly tls?: TlsOptions;
  readonly sasl?: SASLOptions;
  /** Values that logs must not show. */
  readonly secrets: readonly string[];
}

const wrong = (name: string, expected: string, got: string | undefined) =>
  new TaskFailed(`The property "${name}" must be ${expected}, got "${got ?? ''}".`, { retry: false });

/** The properties of Kafka's own clients as the options of the client library. */
export function readClientOptions(properties: Properties): ClientOptions {
  const servers = (properties['bootstrap.servers'] ?? '').split(',').map((server) => server.trim());
  const brokers = servers.filter((server) => server !== '').map((server) => server.replace(/^.*:\/\//, ''));
  if (brokers.length === 0 || !brokers.every((broker) => /:\d+$/.test(broker)))
    throw wrong(
      'bootstrap.servers',
      'a list such as "host1:9092,host2:9092"',
      properties['bootstrap.servers'],
    );
  const protocol = (properties['security.protocol'] ?? 'PLAINTEXT').toUpperCase();
  if (!['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'].includes(protocol))
    throw wrong('security.protocol', 'PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL', protocol);
  const timeout = Number(properties['request.timeout.ms']);
  const login = protocol.startsWith('SASL') ? readSasl(properties) : undefined;
  return {
    brokers,
    clientId: properties['client.id'] ?? 'millrace',
    ...(timeout > 0 && { requestTimeoutMs: timeout }),
    ...(protocol.endsWith('SSL') && { tls: readTls(properties) }),
    ...(login && { sasl: login.sasl }),
    secrets: login?.secrets ?? [],
  };
}

const mechanisms = {
  PLAIN: 'plain',
  'SCRAM-SHA-256': 'scram-sha-256',
  'SCRAM-SHA-512': 'scram-sha-512',
} as const;
const isMechanism = (text: string): text is keyof typeof mechanisms => text in mechanisms;

function readSasl(properties: Properties): {
  readonly sasl: SASLOptions;
  readonly secrets: readonly string[];
} {
  const mechanism = properties['sasl.mechanism'] ?? 'GSSAPI';
  const jaas = properties['sasl.jaas.config'] ?? '';
  if (mechanism === 'OAUTHBEARER') {
    const token = jaasOption(jaas, 'token');
    if (token === undefined)
      throw new TaskFailed('The property "sasl.jaas.config" must have token="…".', { retry: false });
    return {
      sasl: { mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value: token }) },
      secrets: [token],
    };
  }
  if (!isMechanism(mechanism))
    throw wrong('sasl.mechanism', `${Object.keys(mechanisms).join(', ')} or OAUTHBEARER`, mechanism);
  const [username, password] = [jaasOption(jaas, 'username'), jaasOption(jaas, 'password')];
  if (username === undefined || password === undefined)
    throw new TaskFailed('The property "sasl.jaas.config" must have username="…" and password="…".', {
      retry: false,
    });
  return { sasl: { mechanism: mechanisms[mechanism], username, password }, secrets: [password] };
}

const jaasOption = (jaas: string, name: string): string | undefined => {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)')`).exec(jaas);
  return found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2];
};

function readTls(properties: Properties): TlsOptions {
  const ca = properties['ssl.truststore.certificates'] ?? pemOf(properties['ssl.truststore.location']);
  if (ca === undefined && properties['ssl.truststore.location'] !== undefined)
    throw new TaskFailed(
      'Trust stores in JKS or PKCS 12 cannot be read: give "ssl.truststore.certificates" as PEM text instead.',
      { retry: false },
    );
  const identification = properties['ssl.endpoint.identification.algorithm'];
  return {
    ...(ca !== undefined && { ca }),
    ...readKeyStore(properties),
    ...(identification?.trim() === '' && { checkServerIdentity: () => undefined }),
  };
}

function readKeyStore(properties: Properties): TlsOptions {
  const passphrase = properties['ssl.key.password'] ?? properties['ssl.keystore.password'];
  const secret = passphrase === undefined ? {} : { passphrase };
  const [cert, key] = [properties['ssl.keystore.certificate.chain'], properties['ssl.keystore.key']];
  if (cert !== undefined && key !== undefined) return { cert, key, ...secret };
  const store = properties['ssl.keystore.location'];
  if (store === undefined) return {};
  const pem = pemOf(store);
  if (pem !== undefined) return { cert: pem, key: pem, ...secret };
  const pfx = Buffer.from(store, 'base64');
  // A PKCS 12 file is a DER sequence; a JKS file begins with FEEDFEED.
  if (pfx[0] === 0x30) return { pfx, ...secret };
  throw new TaskFailed(
    'The property "ssl.keystore.location" must be the base64 text of a PKCS 12 or PEM file; JKS cannot be read.',
    { retry: false },
  );
}

/** PEM text, written as it is or as base64. */
function pemOf(value: string | undefined): string | undefined {
  if (value === undefined || value.includes('-----BEGIN')) return value;
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  return decoded.includes('-----BEGIN') ? decoded : undefined;
}

const compressions: readonly string[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
const isCompression = (text: string): text is Compression => compressions.includes(text);

export function readCompression(properties: Properties): Compression {
  const type = properties['compression.type'] ?? 'none';
  if (!isCompression(type)) throw wrong('compression.type', compressions.join(', '), type);
  return type;
}

/** -1 waits for all replicas. */
export function readAcks(properties: Properties): number {
  const acks = properties.acks ?? 'all';
  const number = acks === 'all' ? -1 : Number(acks);
  if (![-1, 0, 1].includes(number)) throw wrong('acks', 'all, 0 or 1', acks);
  return number;
}

/** Where a group without committed offsets starts. */
export function readOffsetReset(properties: Properties): 'earliest' | 'latest' | 'none' {
  const reset = properties['auto.offset.reset'] ?? 'latest';
  if (reset !== 'earliest' && reset !== 'latest' && reset !== 'none')
    throw wrong('auto.offset.reset', 'earliest, latest or none', reset);
  return reset;
}

/** Whether messages of transactions that are open or were aborted are read. */
export const readsUncommitted = (properties: Properties): boolean =>
  properties['isolation.level'] === 'read_uncommitted';
