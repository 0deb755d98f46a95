import { readFile } from 'node:fs/promises';
import type { TaskContext } from '@millrace/plugin-kit';
import { flag, TaskFailed, toAllowedPath } from '@millrace/plugin-kit';
import type { Cluster } from './clusterAccess.ts';
import type { Connection, ConnectionInput } from './connectionProperties.ts';
import { basicOf, findOwnCluster } from './kubeconfig.ts';

/** The cluster that a task names, or the worker's cluster. */
export async function findCluster(
  context: TaskContext,
  { connection, inheritClusterConfig }: ConnectionInput,
): Promise<Cluster> {
  const cluster = connection
    ? await fromConnection(context, connection, inheritClusterConfig)
    : await findOwnCluster();
  const token = cluster.authorization?.split(' ')[1];
  if (token) context.masker.add(token);
  return cluster;
}

async function fromConnection(
  context: TaskContext,
  written: Connection,
  inherits: boolean,
): Promise<Cluster> {
  const connection = await renderConnection(context, written);
  if (!URL.canParse(connection.masterUrl)) {
    throw new TaskFailed(`"${connection.masterUrl}" is not a valid address of a Kubernetes API server.`, {
      retry: false,
    });
  }
  for (const secret of [connection.password, connection.clientKeyPassphrase, connection.keyStorePassphrase])
    if (secret) context.masker.add(secret);
  const own = inherits ? await findOwnCluster() : undefined;
  const token = connection.oauthToken ?? (await provideToken(context, connection));
  const authorization =
    (token ? `Bearer ${token}` : basicOf(connection.username, connection.password)) ?? own?.authorization;
  const namespace = connection.namespace ?? own?.namespace;
  return {
    url: new URL(connection.masterUrl),
    tls: { ...own?.tls, ...(await tlsOf(context, connection)) },
    ...(authorization && { authorization }),
    ...(namespace && { namespace }),
  };
}

/** Renders all properties except the token provider, whose expression needs the outputs of its task. */
async function renderConnection(context: TaskContext, written: Connection): Promise<Connection> {
  const { oauthTokenProvider, ...rest } = written;
  const rendered = (await context.render(rest)) as typeof rest; // texts stay texts
  return { ...rendered, ...(oauthTokenProvider && { oauthTokenProvider }) };
}

const isOn = (value: boolean | string): boolean => flag().parse(value);

async function tlsOf(context: TaskContext, connection: Connection): Promise<Cluster['tls']> {
  const pem = (data: string | undefined, path: string | undefined) =>
    data === undefined ? path && readAllowed(context, path).then(String) : toPem(data);
  const ca = await pem(connection.caCertData, connection.caCertFile);
  const cert = await pem(connection.clientCertData, connection.clientCertFile);
  const key = await pem(connection.clientKeyData, connection.clientKeyFile);
  const pfx = [
    await storeOf(context, connection.keyStoreFile, connection.keyStorePassphrase),
    await storeOf(context, connection.trustStoreFile, connection.trustStorePassphrase),
  ].flat();
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(connection.clientKeyPassphrase && { passphrase: connection.clientKeyPassphrase }),
    ...(pfx.length > 0 && { pfx }),
    ...(isOn(connection.trustCerts) && { rejectUnauthorized: false }),
    ...(isOn(connection.disableHostnameVerification) && { checkServerIdentity: () => undefined }),
  };
}

/** PEM text, or base64 of it as a kubeconfig file has it. */
const toPem = (data: string): string =>
  data.includes('-----BEGIN') ? data : Buffer.from(data, 'base64').toString('utf8');

const readAllowed = async (context: TaskContext, path: string): Promise<Buffer> =>
  readFile(await toAllowedPath(context, path, 'kubernetes.connection'));

async function storeOf(context: TaskContext, path: string | undefined, passphrase: string | undefined) {
  if (path === undefined) return [];
  const buf = await readAllowed(context, path);
  // The stores that Java made before version 9 begin so.
  if (buf.readUInt32BE(0) === 0xfeedfeed) {
    throw new TaskFailed(`The store "${path}" has the format JKS; expected PKCS #12.`, { retry: false });
  }
  return [{ buf, ...(passphrase !== undefined && { passphrase }) }];
}

/** Tokens by the task that fetched them; a server has few of these tasks. */
const tokens = new Map<string, { readonly token: string; readonly until: number }>();

async function provideToken(context: TaskContext, connection: Connection): Promise<string | undefined> {
  const provider = connection.oauthTokenProvider;
  if (!provider) return undefined;
  const key = JSON.stringify([context.run.tenantId, context.run.namespace, provider]);
  const known = tokens.get(key);
  if (known && known.until > Date.now()) return known.token;
  const outputs = await context.runNested(provider.task);
  const token = String(await context.render(provider.output, { ...outputs, outputs }));
  context.masker.add(token);
  for (const [each, { until }] of tokens) if (until <= Date.now()) tokens.delete(each);
  tokens.set(key, { token, until: Date.now() + provider.cache });
  return token;
}
