import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runType, type TestContext } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type ApiServer, type StoredResource, startApiServer } from '../testing/apiServer.ts';
import { aClusterContext, connectionTo, said } from '../testing/clusterContext.ts';
import { apply } from './apply.ts';
import { deleteTask, patch, restart } from './change.ts';
import { get } from './get.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

const deployment = (name: string) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  labels: { app: shop }
spec:
  replicas: 2
  template: { spec: { containers: [{ name: main, image: nginx }] } }
`;
const configMap = (name: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
data:
  color: blue
`;
const run = (
  type: Parameters<typeof runType>[0],
  properties: Record<string, unknown>,
  context: TestContext = aClusterContext(),
) => runType(type, { connection: connectionTo(server), ...properties }, context);
const seed = (root: string, namespace: string, plural: string, manifest: string) => {
  const resource: StoredResource = parse(manifest);
  const path = `/${root}/namespaces/${namespace}/${plural}/${resource.metadata.name}`;
  server.resources.set(path, resource);
};
const at = (path: string) => server.resources.get(path);

describe('kubernetes.kubectl.Apply', () => {
  test('applies several manifests on the server and waits until they are ready', async () => {
    const spec = `${configMap('colors')}---\n${deployment('ready')}`;
    const { metadata } = await run(apply, { namespace: 'web', spec, waitUntilReady: 'PT1M' });
    expect(metadata).toMatchObject([
      { name: 'colors', namespace: 'web' },
      { name: 'ready', labels: { app: 'shop' } },
    ]);
    expect(at('/apis/apps/v1/namespaces/web/deployments/ready')?.status).toMatchObject({ readyReplicas: 2 });
    expect(server.calls.find((call) => call.startsWith('PATCH'))).toContain(
      'fieldManager=millrace&force=true',
    );
  });

  test('reads the manifests of a stored file, and a namespace of a manifest wins', async () => {
    const context = aClusterContext();
    const stored = await context.files.put(
      'a.yml',
      configMap('stored').replace('  name', '  namespace: other\n  name'),
    );
    await run(apply, { spec: stored }, context);
    expect(at('/api/v1/namespaces/other/configmaps/stored')).toBeDefined();
  });

  test.each([
    ['no manifest', '# nothing', '"spec" has no manifest'],
    [
      'a manifest without a name',
      'apiVersion: v1\nkind: ConfigMap\n',
      'needs "apiVersion", "kind" and "metadata.name"',
    ],
    [
      'a kind that the cluster does not have',
      'apiVersion: v1\nkind: Nothing\nmetadata: { name: a }\n',
      'no kind "Nothing" in v1',
    ],
    [
      'a manifest that the server refuses',
      configMap('Wrong_Name'),
      'status 422: metadata.name: Invalid value: "Wrong_Name"',
    ],
    ['text that is no YAML', 'a: [', 'is not valid YAML'],
  ])('refuses %s', async (_, spec, message) => {
    await expect(run(apply, { spec })).rejects.toThrow(message);
  });
});

describe('kubernetes.kubectl.Get', () => {
  beforeAll(() => {
    for (const name of ['one', 'two', 'three']) seed('api/v1', 'get', 'configmaps', configMap(name));
  });
  const cm = { namespace: 'get', resourceType: 'configmaps' };

  test('fetches the metadata and the status of all resources', async () => {
    const context = aClusterContext();
    const outputs = await run(get, { ...cm, fetchType: 'FETCH' }, context);
    expect(outputs).toMatchObject({ size: 3, statusItems: [{ status: {} }, { status: {} }, { status: {} }] });
    expect((outputs.metadataItems as { name: string }[]).map(({ name }) => name)).toEqual([
      'one',
      'two',
      'three',
    ]);
    expect(context.metrics).toEqual([{ name: 'fetch.size', type: 'counter', value: 3 }]);
  });

  test('stores rows, fetches one, or only counts', async () => {
    const context = aClusterContext();
    const { uri, size } = await run(get, { ...cm, fetchType: 'STORE' }, context);
    expect(size).toBe(3);
    expect((await context.files.text(String(uri))).trim().split('\n')).toHaveLength(3);
    expect(await run(get, { ...cm, fetchType: 'FETCH_ONE' })).toMatchObject({
      size: 1,
      metadataItem: { name: 'one' },
    });
    expect(await run(get, cm)).toEqual({ size: 3 });
  });

  test('warns of a name that does not exist', async () => {
    const context = aClusterContext();
    const outputs = await run(get, { ...cm, resourcesNames: ['two', 'none'], fetchType: 'FETCH' }, context);
    expect(outputs).toMatchObject({ size: 1, metadataItems: [{ name: 'two' }] });
    expect(said(context)).toEqual(['WARN There is no ConfigMap "none" in the namespace "get".']);
  });

  test.each(['configmap', 'ConfigMap', 'cm', 'deploy', 'Deployments'])(
    'finds the kind "%s" without a group',
    async (resourceType) => {
      expect(await run(get, { namespace: 'empty', resourceType })).toEqual({ size: 0 });
    },
  );

  test.each([
    [{ resourceType: 'things' }, 'no resource type "things"'],
    [{ resourceType: 'pods', apiGroup: 'apps' }, 'no resource type "pods" in apps'],
  ])('refuses %j', async (properties, message) => {
    await expect(run(get, properties)).rejects.toThrow(message);
  });
});

describe('kubernetes.kubectl.Patch', () => {
  const target = {
    resourceType: 'deployments',
    apiGroup: 'apps',
    resourceName: 'patched',
    namespace: 'patch',
  };
  const path = '/apis/apps/v1/namespaces/patch/deployments/patched';
  beforeAll(() => seed('apis/apps/v1', 'patch', 'deployments', deployment('patched')));

  test.each([
    ['STRATEGIC_MERGE', '{"spec": {"replicas": 3}}', 3],
    ['JSON_MERGE', 'spec:\n  replicas: 4\n', 4],
    ['JSON_PATCH', '[{"op": "replace", "path": "/spec/replicas", "value": 5}]', 5],
  ])('changes fields by %s', async (patchStrategy, change, replicas) => {
    const outputs = await run(patch, { ...target, patch: change, patchStrategy, waitUntilReady: 'PT1M' });
    expect(outputs).toMatchObject({
      metadata: { name: 'patched' },
      status: { status: { readyReplicas: replicas } },
    });
    expect(at(path)?.spec).toMatchObject({ replicas });
  });

  test('refuses a map for JSON_PATCH before it asks the cluster', async () => {
    await expect(run(patch, { ...target, patch: '{"a": 1}', patchStrategy: 'JSON_PATCH' })).rejects.toThrow(
      '"patch" must be a list of operations',
    );
  });
});

test('kubernetes.kubectl.Restart changes the template, so that new pods are made', async () => {
  await run(apply, { spec: deployment('restarted') });
  await run(restart, { resourceType: 'Deployment', resourcesNames: ['restarted'], waitUntilReady: 'PT1M' });
  const text = JSON.stringify(at('/apis/apps/v1/namespaces/default/deployments/restarted')?.spec);
  expect(text).toMatch(/"kubectl.kubernetes.io\/restartedAt":"20/);
});

test('kubernetes.kubectl.Delete deletes, and fails when there is nothing to delete', async () => {
  await run(apply, { spec: configMap('gone') });
  const properties = { resourceType: 'configmaps', resourcesNames: ['gone'] };
  await run(deleteTask, properties);
  expect(at('/api/v1/namespaces/default/configmaps/gone')).toBeUndefined();
  await expect(run(deleteTask, properties)).rejects.toThrow('status 404: configmaps "gone" not found');
});

describe('the connection', () => {
  const count = { resourceType: 'pods', namespace: 'nowhere' };

  test('logs in with a certificate', async () => {
    const { ca, client } = server.certificates;
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const connection = {
      masterUrl: server.url,
      caCertData: base64(ca),
      clientCertData: base64(client.cert),
      clientKeyData: base64(client.key),
    };
    expect(await run(get, { ...count, connection })).toEqual({ size: 0 });
  });

  test('fetches a token with a task and uses it again', async () => {
    let fetched = 0;
    const context = aClusterContext({
      runNested: async () => {
        fetched++;
        return { accessToken: { tokenValue: server.token } };
      },
    });
    const oauthTokenProvider = {
      task: { id: 'auth', type: 'test.Token' },
      output: '{{ accessToken.tokenValue }}',
    };
    const connection = { ...connectionTo(server), oauthToken: undefined, oauthTokenProvider };
    await run(get, { ...count, connection }, context);
    await run(get, { ...count, connection }, context);
    expect(fetched).toBe(1);
    expect(context.masker.mask(server.token)).not.toContain(server.token);
  });

  test('reads the kubeconfig file of the worker', async () => {
    const context = aClusterContext();
    const path = join(await context.workingDirectory(), 'config');
    await writeFile(join(await context.workingDirectory(), 'ca.pem'), server.certificates.ca);
    await writeFile(
      path,
      `current-context: test
contexts: [{ name: test, context: { cluster: c, user: u, namespace: get } }]
clusters: [{ name: c, cluster: { server: "${server.url}", certificate-authority: ca.pem } }]
users: [{ name: u, user: { token: ${server.token} } }]
`,
    );
    const before = process.env.KUBECONFIG;
    process.env.KUBECONFIG = path;
    try {
      expect(await run(get, { ...count, connection: undefined }, context)).toEqual({ size: 0 });
    } finally {
      if (before === undefined) delete process.env.KUBECONFIG;
      else process.env.KUBECONFIG = before;
    }
  });

  test.each([
    ['an address that nothing listens on', { masterUrl: 'https://127.0.0.1:1' }, 'could not be reached'],
    ['a certificate of another authority', { caCertData: undefined }, 'could not be reached'],
    ['a wrong token', { oauthToken: 'wrong' }, 'status 401: Unauthorized Check the credentials.'],
    ['text that is no address', { masterUrl: 'nowhere' }, '"nowhere" is not a valid address'],
    [
      'a file that is not open to tasks',
      { caCertFile: '/etc/passwd', caCertData: undefined },
      'Files of the worker are closed to tasks',
    ],
  ])('refuses %s', async (_, change, message) => {
    await expect(run(get, { ...count, connection: { ...connectionTo(server), ...change } })).rejects.toThrow(
      message,
    );
  });

  test('accepts any certificate only when the task says so', async () => {
    const { caCertData: _, ...connection } = connectionTo(server);
    expect(await run(get, { ...count, connection: { ...connection, trustCerts: true } })).toEqual({
      size: 0,
    });
  });
});
