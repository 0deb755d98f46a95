import { checkServerIdentity, type ConnectionOptions as TlsOptions } from 'node:tls';
import {
  integer,
  listOf,
  mapIn,
  messageOf,
  part,
  readJsonMap,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import type { z } from 'zod';
import { readBundle } from './bundle.ts';
import type { Cluster, Endpoint } from './client.ts';

export const standardSession = () =>
  part({
    endpoints: listOf(
      part({
        hostname: text().describe('The host name or address.'),
        port: integer({ min: 1, max: 65_535 }).default(9042).describe('The port.'),
        serverName: text()
          .optional()
          .describe('The name to ask for with TLS (SNI) when it is not the host name.'),
      }),
    )
      .optional()
      .describe('The servers to connect to; `localhost:9042` when absent.'),
    localDatacenter: text()
      .optional()
      .describe('The data center whose servers are used; the servers of all data centers when absent.'),
    username: text().optional().describe('The user.'),
    password: text().optional().describe('The password of the user.'),
    applicationName: text().optional().describe('The name that the cluster shows for this client.'),
    secureConnection: part({
      truststorePath: text()
        .optional()
        .describe(
          'The certificate authority that signed the certificates of the servers: a PEM text, or its base64. JKS and PKCS 12 trust stores cannot be read.',
        ),
      truststorePassword: text().optional().describe('Accepted; a PEM text needs no password.'),
      keystorePath: text()
        .optional()
        .describe(
          'The certificate and key of the client: the base64 of a PKCS 12 file, or a PEM text with both.',
        ),
      keystorePassword: text().optional().describe('The password of the certificate and key of the client.'),
    })
      .optional()
      .describe('Connect with TLS; without a trust store the authorities of the system are trusted.'),
  });

type StandardSession = z.output<ReturnType<typeof standardSession>>;

export function standardCluster(session: StandardSession, context: TaskContext): Cluster {
  const { endpoints = [], secureConnection, ...others } = session;
  if (secureConnection?.keystorePassword) context.masker.add(secureConnection.keystorePassword);
  const tls = secureConnection && readStores(secureConnection);
  const targets = endpoints.length > 0 ? endpoints : [{ hostname: 'localhost', port: 9042 }];
  return {
    title: 'Cassandra',
    ...others,
    endpoints: targets.map(({ hostname, port, serverName }): Endpoint => {
      const name = serverName ?? hostname;
      return {
        host: hostname,
        port,
        ...(tls && {
          tls: { ...tls, ...(/[a-z]/i.test(name) && !name.includes(':') && { servername: name }) },
        }),
      };
    }),
  };
}

function readStores({
  truststorePath,
  keystorePath,
  keystorePassword,
}: NonNullable<StandardSession['secureConnection']>): TlsOptions {
  const ca = pemOf(truststorePath);
  if (truststorePath !== undefined && ca === undefined)
    throw new TaskFailed(
      '"truststorePath" must be a PEM text or its base64: JKS and PKCS 12 trust stores cannot be read.',
      { retry: false },
    );
  const secret = keystorePassword === undefined ? {} : { passphrase: keystorePassword };
  const pem = pemOf(keystorePath);
  if (pem !== undefined) return { ...(ca && { ca }), cert: pem, key: pem, ...secret };
  if (keystorePath === undefined) return { ...(ca && { ca }) };
  const pfx = Buffer.from(keystorePath, 'base64');
  // A PKCS 12 file is a DER sequence; a JKS file begins with FEEDFEED.
  if (pfx[0] === 0x30) return { ...(ca && { ca }), pfx, ...secret };
  throw new TaskFailed('"keystorePath" must be the base64 of a PKCS 12 or PEM file; JKS cannot be read.', {
    retry: false,
  });
}

/** PEM text, written as it is or as base64. */
function pemOf(value: string | undefined): string | undefined {
  if (value === undefined || value.includes('-----BEGIN')) return value;
  const decoded = Buffer.from(value, 'base64').toString('utf8');
  return decoded.includes('-----BEGIN') ? decoded : undefined;
}

export const astraSession = () =>
  part({
    secureBundle: text()
      .optional()
      .describe('The secure connect bundle of the database, as the base64 of the ZIP file.'),
    proxyAddress: part({
      hostname: text().describe('The host name or address.'),
      port: integer({ min: 1, max: 65_535 }).default(9042).describe('The port.'),
    })
      .optional()
      .describe(
        'A proxy to connect to, instead of the one that the bundle leads to. Without a bundle the connection has no TLS.',
      ),
    keyspace: text().describe('The keyspace.'),
    clientId: text().describe('The client id of the token, or `token`.'),
    clientSecret: text().describe('The secret of the client id, or the token.'),
  });

type AstraSession = z.output<ReturnType<typeof astraSession>>;

export async function astraCluster(session: AstraSession, context: TaskContext): Promise<Cluster> {
  const { secureBundle, proxyAddress, keyspace, clientId, clientSecret } = session;
  context.masker.add(clientSecret);
  const common = { title: 'Astra DB', keyspace, username: clientId, password: clientSecret };
  const proxy = proxyAddress && { host: proxyAddress.hostname, port: proxyAddress.port };
  if (secureBundle === undefined) {
    if (!proxy)
      throw new TaskFailed('"secureBundle" or "proxyAddress" must be given in "session".', { retry: false });
    return { ...common, endpoints: [proxy] };
  }
  const bundle = await readBundle(secureBundle);
  const found = await findServers(context, bundle);
  const { host, port } = proxy ?? found.proxy;
  return {
    ...common,
    localDatacenter: found.localDatacenter,
    endpoints: found.servers.map((server) => ({
      host,
      port,
      tls: {
        ca: bundle.ca,
        cert: bundle.cert,
        key: bundle.key,
        // The proxy forwards to the server that the handshake names, and shows its own certificate.
        servername: server,
        checkServerIdentity: (_: string, certificate) => checkServerIdentity(found.proxy.host, certificate),
      },
    })),
  };
}

/** Asks the metadata service of the bundle for the proxy and the servers behind it. */
async function findServers(context: TaskContext, bundle: Awaited<ReturnType<typeof readBundle>>) {
  const url = `https://${bundle.host}:${bundle.port}/metadata`;
  const { ca, cert, key } = bundle;
  const failed = (reason: string, retry: boolean) =>
    new TaskFailed(`Astra DB: ${bundle.host}:${bundle.port} ${reason}`, { retry });
  const response = await context
    .fetch({ url, certificates: { ca, cert, key }, signal: context.signal, connectTimeoutMs: 10_000 })
    .catch((error: unknown) => {
      context.signal.throwIfAborted();
      throw error instanceof TaskFailed ? error : failed(`cannot be reached: ${messageOf(error)}`, true);
    });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  if (response.status !== 200) throw failed(`responded with the status ${response.status}.`, true);
  const metadata = readJsonMap(Buffer.concat(chunks).toString('utf8'), 'metadata');
  const contact = mapIn(metadata.contact_info);
  const [, host, port] = /^(.+):(\d+)$/.exec(String(contact.sni_proxy_address)) ?? [];
  const servers = Array.isArray(contact.contact_points) ? contact.contact_points : [];
  if (host === undefined || servers.length === 0) throw failed('named no servers.', true);
  return {
    proxy: { host, port: Number(port) },
    servers: servers.map(String),
    localDatacenter: typeof contact.local_dc === 'string' ? contact.local_dc : undefined,
  };
}
