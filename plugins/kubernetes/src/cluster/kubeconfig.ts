import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { TaskFailed } from '@millrace/plugin-kit';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Cluster } from './clusterAccess.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The worker's own cluster: the cluster whose pod it is, or the cluster of its kubeconfig file. */
export async function findOwnCluster(env: Environment = process.env): Promise<Cluster> {
  const named = env.KUBECONFIG?.split(':').find((path) => path !== '');
  if (named !== undefined) return readKubeconfig(await readFile(named, 'utf8'), dirname(named));
  const inCluster = await findInCluster(env);
  if (inCluster) return inCluster;
  const path = join(env.HOME ?? homedir(), '.kube/config');
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) {
    throw new TaskFailed(
      'The worker is not in a Kubernetes cluster and has no kubeconfig file; set "connection" in the task.',
      { retry: false },
    );
  }
  return readKubeconfig(content, dirname(path));
}

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

async function findInCluster(env: Environment): Promise<Cluster | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (host === undefined) return undefined;
  const read = (name: string) => readFile(join(accountFolder, name), 'utf8').catch(() => undefined);
  const [token, ca, namespace] = await Promise.all([read('token'), read('ca.crt'), read('namespace')]);
  if (token === undefined) return undefined;
  return {
    url: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    tls: { ...(ca !== undefined && { ca }) },
    authorization: `Bearer ${token.trim()}`,
    ...(namespace !== undefined && { namespace: namespace.trim() }),
  };
}

const word = z.string().optional();
const Kubeconfig = z.object({
  'current-context': word,
  contexts: z
    .array(
      z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: word, namespace: word }) }),
    )
    .default([]),
  clusters: z
    .array(
      z.object({
        name: z.string(),
        cluster: z.object({
          server: z.string(),
          'certificate-authority': word,
          'certificate-authority-data': word,
          'insecure-skip-tls-verify': z.boolean().optional(),
          'tls-server-name': word,
        }),
      }),
    )
    .default([]),
  users: z
    .array(
      z.object({
        name: z.string(),
        user: z
          .object({
            'client-certificate': word,
            'client-certificate-data': word,
            'client-key': word,
            'client-key-data': word,
            token: word,
            tokenFile: word,
            username: word,
            password: word,
            exec: z.unknown().optional(),
            'auth-provider': z.unknown().optional(),
          })
          .nullish(),
      }),
    )
    .default([]),
});

/** The current context of a kubeconfig file; its paths are relative to its folder. */
export async function readKubeconfig(content: string, folder: string): Promise<Cluster> {
  const { data: config } = Kubeconfig.safeParse(parse(content));
  const name = config?.['current-context'];
  const context = config?.contexts.find((each) => each.name === name)?.context;
  const cluster = config?.clusters.find((each) => each.name === context?.cluster)?.cluster;
  if (!config || !context || !cluster) {
    throw new TaskFailed('The kubeconfig file of the worker has no current context with a cluster.', {
      retry: false,
    });
  }
  const user = config.users.find((each) => each.name === context.user)?.user ?? {};
  if (user.exec !== undefined || user['auth-provider'] !== undefined) {
    throw new TaskFailed(
      'The kubeconfig file of the worker logs in with another program; set "connection.oauthToken" or "connection.oauthTokenProvider" in the task.',
      { retry: false },
    );
  }
  const pem = async (data: string | undefined, path: string | undefined) =>
    data !== undefined
      ? Buffer.from(data, 'base64').toString('utf8')
      : path && readFile(resolve(folder, path), 'utf8');
  const ca = await pem(cluster['certificate-authority-data'], cluster['certificate-authority']);
  const cert = await pem(user['client-certificate-data'], user['client-certificate']);
  const key = await pem(user['client-key-data'], user['client-key']);
  const token =
    user.token ?? (user.tokenFile && (await readFile(resolve(folder, user.tokenFile), 'utf8')).trim());
  const authorization = token ? `Bearer ${token}` : basicOf(user.username, user.password);
  return {
    url: new URL(cluster.server),
    tls: {
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
      ...(cluster['tls-server-name'] && { servername: cluster['tls-server-name'] }),
      ...(cluster['insecure-skip-tls-verify'] && { rejectUnauthorized: false }),
    },
    ...(authorization && { authorization }),
    ...(context.namespace && { namespace: context.namespace }),
  };
}

export const basicOf = (username: string | undefined, password = ''): string | undefined =>
  username === undefined
    ? undefined
    : `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
