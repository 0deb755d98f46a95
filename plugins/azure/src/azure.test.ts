import { execFileSync } from 'node:child_process';
import { createPublicKey, createVerify } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTaskContext, realNetwork, realProcesses, storedRows } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getToken } from './client/identity.ts';
import { type AzureDouble, startAzureDouble } from './testing/azureDouble.ts';
import { anAzureContext, pollAzure, runAzure } from './testing/runAzure.ts';

let azure: AzureDouble;
beforeAll(async () => {
  azure = await startAzureDouble();
});
afterAll(() => azure.stop());

/** Containers in memory, with the responses of a storage account. */
function aStorage(blobs = new Map<string, Buffer>()) {
  const parts: Buffer[] = [];
  azure.respond(({ method, path, query, headers, body }) => {
    const key = path.slice('/devstoreaccount1/'.length);
    const content = blobs.get(key);
    const facts = { etag: '"e1"', 'last-modified': 'Tue, 17 Nov 2026 07:00:00 GMT' };
    if (query.comp === 'list') {
      const prefix = `${key}/${query.prefix ?? ''}`;
      const found = [...blobs]
        .filter(([name]) => name.startsWith(prefix))
        .map(
          ([name, bytes]) =>
            `<Blob><Name>${name.slice(key.length + 1)}</Name><Properties><Last-Modified>Tue, 17 Nov 2026 07:00:00 GMT</Last-Modified><Etag>e1</Etag><Content-Length>${bytes.length}</Content-Length></Properties></Blob>`,
        );
      return {
        body: `<EnumerationResults><Blobs>${found.join('')}</Blobs><NextMarker/></EnumerationResults>`,
      };
    }
    if (query.comp === 'block') parts.push(body);
    else if (query.comp === 'blocklist') blobs.set(key, Buffer.concat(parts));
    else if (method === 'PUT') {
      const source = headers['x-ms-copy-source'];
      const from =
        typeof source === 'string'
          ? decodeURIComponent(new URL(source).pathname).slice('/devstoreaccount1/'.length)
          : undefined;
      blobs.set(key, from === undefined ? body : (blobs.get(from) ?? Buffer.alloc(0)));
    }
    if (method === 'PUT') return { status: 201, headers: facts };
    if (!content)
      return {
        status: 404,
        headers: { 'x-ms-error-code': 'BlobNotFound' },
        body: '<Error><Code>BlobNotFound</Code><Message>not there</Message></Error>',
      };
    if (method === 'DELETE') blobs.delete(key);
    return {
      headers: { ...facts, 'content-length': String(method === 'DELETE' ? 0 : content.length) },
      body: method === 'GET' ? content : '',
    };
  });
  return blobs;
}

const run = (name: string, properties: object, context = anAzureContext()) =>
  runAzure(`azure.storage.${name}`, { ...azure.connection, ...properties }, context);

test('blobs are stored, listed, copied, downloaded and deleted', async () => {
  const blobs = aStorage();
  const context = anAzureContext();
  const a = await context.files.put('a.txt', 'text');
  const b = await context.files.put('b.bin', Buffer.alloc(9 * 1_048_576, 1));
  await run(
    'blob.Upload',
    { container: 'c', name: 'one.txt', from: a, tags: { k: 'v' }, accessTier: 'COOL' },
    context,
  );
  expect(azure.requests[0]?.headers).toMatchObject({
    'x-ms-tags': 'k=v',
    'x-ms-access-tier': 'Cool',
    'x-ms-blob-type': 'BlockBlob',
  });
  const two = await run('blob.Upload', { container: 'c', name: 'two', from: [a, b] }, context);
  expect(two.blobs).toMatchObject([
    { name: 'two/a.txt', size: 4 },
    { name: 'two/b.bin', size: 9 * 1_048_576 },
  ]);
  expect([...blobs.keys()]).toEqual(['c/one.txt', 'c/two/a.txt', 'c/two/b.bin']);
  expect((await run('blob.List', { container: 'c', regexp: '.*\\.txt' })).blobs).toHaveLength(2);
  await run('blob.Copy', {
    from: { container: 'c', name: 'one.txt' },
    to: { container: 'd', name: 'x' },
    delete: true,
  });
  const { blob } = await run('blob.Download', { container: 'd', name: 'x' }, context);
  expect(await context.files.text((blob as { uri: string }).uri)).toBe('text');
  await expect(run('blob.Download', { container: 'd', name: 'x', expectedChecksum: 'ff' })).rejects.toThrow(
    'md5 checksum of "x"',
  );
  const { uri } = await run('blob.SharedAccess', {
    ...{ container: 'd', name: 'x', permissions: ['READ'] },
    expirationDate: '2030-01-31T00:00:00Z',
  });
  expect(String(uri)).toContain('/d/x?');
  expect(Object.fromEntries(new URL(String(uri)).searchParams)).toMatchObject({
    ...{ sp: 'r', sr: 'b', se: '2030-01-31T00:00:00Z' },
    sig: expect.stringMatching(/.{40}/),
  });
  const all = await run('blob.Downloads', { container: 'd', action: 'NONE' }, context);
  const [stored] = Object.values(all.outputFiles as Record<string, string>);
  expect(await context.files.text(String(stored))).toBe('text');
  await run('blob.Delete', { container: 'd', name: 'x' });
  expect(await run('blob.DeleteList', { container: 'c', concurrent: 2 })).toMatchObject({ count: 2 });
  await expect(run('blob.Delete', { container: 'd', name: 'x' })).rejects.toThrow(
    'Blob Storage refused the properties of "d/x": BlobNotFound',
  );
  await expect(
    runAzure('azure.storage.blob.List', { ...azure.wrongConnection, container: 'c' }),
  ).rejects.toThrow('Blob Storage refused the list of "c": AuthenticationFailed: wrong signature');
  await expect(runAzure('azure.storage.blob.List', { container: 'c' })).rejects.toThrow(
    '"endpoint" or "connectionString"',
  );
});

test('the trigger moves blobs after the execution is stored, or remembers them', async () => {
  const blobs = aStorage(new Map([['in/a.csv', Buffer.from('a')]]));
  const input = { ...azure.connection, container: 'in', interval: 'PT1M' };
  const context = anAzureContext();
  expect(await pollAzure('azure.storage.blob.Trigger', { ...input, action: 'NONE' }, context)).toMatchObject({
    blobs: [{ name: 'a.csv', changeType: 'CREATE', blob: { container: 'in' } }],
  });
  expect(
    await pollAzure('azure.storage.blob.Trigger', { ...input, action: 'NONE' }, context),
  ).toBeUndefined();
  const move = { ...input, action: 'MOVE', moveTo: { container: 'done', name: 'x/' } };
  await pollAzure('azure.storage.blob.Trigger', move, context);
  expect(context.emitted).toHaveLength(1);
  expect([...blobs.keys()]).toEqual(['done/x/a.csv']);
});

test('tables: changes are sent by partition, and entities are read page by page', async () => {
  azure.respond(({ method, path, query }) => {
    if (path.endsWith('$batch')) return { status: 202, body: 'HTTP/1.1 204 No Content\r\n' };
    if (method === 'GET' && path.endsWith('orders()'))
      return query.NextPartitionKey
        ? { body: { value: [{ PartitionKey: 'p', RowKey: '2', n: '5', 'n@odata.type': 'Edm.Int64' }] } }
        : {
            headers: { 'x-ms-continuation-nextpartitionkey': 'p', 'x-ms-continuation-nextrowkey': '2' },
            body: { value: [{ PartitionKey: 'p', RowKey: '1', n: 1 }] },
          };
    return { status: 404, body: { 'odata.error': { code: 'ResourceNotFound' } } };
  });
  const context = anAzureContext();
  const from = [
    { partitionKey: 'a', rowKey: '1', properties: { x: 1 } },
    { partitionKey: 'a', rowKey: '2', x: 2, etag: 'e' },
    { partitionKey: 'b', rowKey: '1', type: 'DELETE' },
  ];
  expect(await run('table.Bulk', { table: 'orders', from })).toEqual({ count: 3 });
  for (const x of [1, 2])
    expect(azure.requests[0]?.body.toString()).toContain(`{"x":${x},"PartitionKey":"a","RowKey":"${x}"}`);
  expect(azure.requests.map(({ body }) => /(PUT|DELETE) \S+/.exec(body.toString())?.[0])).toEqual([
    expect.stringContaining('PUT http'),
    expect.stringContaining("orders(PartitionKey='b',RowKey='1')"),
  ]);
  const listed = await run('table.List', { table: 'orders' }, context);
  expect(await storedRows(context, listed.uri)).toEqual([
    { partitionKey: 'p', rowKey: '1', properties: { n: 1 } },
    { partitionKey: 'p', rowKey: '2', properties: { n: 5 } },
  ]);
  expect(await run('table.Get', { table: 'orders', partitionKey: 'p', rowKey: '9' })).toEqual({});
  azure.respond(() => ({ status: 204 }));
  await run('table.Delete', { table: 'orders', partitionKey: "p'q", rowKey: '9' });
  expect(azure.requests.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'if-match': '*' } });
  expect(decodeURIComponent(String(azure.requests.at(-1)?.path))).toContain(
    "orders(PartitionKey='p''q',RowKey='9')",
  );
});

test('a response or a message of another shape is named in a sentence', async () => {
  azure.respond(() => ({ body: { value: 'no list' } }));
  await expect(run('table.List', { table: 'orders' })).rejects.toThrow(/has an unexpected shape: value: /);
  azure.respond(() => ({ body: '<html>a proxy</html>' }));
  await expect(run('table.List', { table: 'orders' })).rejects.toThrow('is not JSON: "<html>a proxy</html>"');
  await expect(run('table.Bulk', { table: 'orders', from: [{ rowKey: '1' }] })).rejects.toThrow(
    /A message of "from" is not valid: partitionKey: /,
  );
});

test('tokens: secret, certificate, environment, and a clear error', async () => {
  azure.respond(({ body }) => {
    const form = Object.fromEntries(new URLSearchParams(body.toString()));
    const isKnown = form.client_secret === 'secret' || form.client_assertion !== undefined;
    return isKnown
      ? { body: { access_token: `token for ${form.scope}`, expires_in: 3600 } }
      : {
          status: 401,
          body: {
            error: 'invalid_client',
            error_description: 'AADSTS7000215: Invalid client secret.\r\nTrace',
          },
        };
  });
  const env = { AZURE_AUTHORITY_HOST: azure.url };
  const context = anAzureContext();
  const who = { tenantId: 't', clientId: 'c' };
  const scope = 'https://x/.default';
  expect((await getToken(context, { ...who, clientSecret: 'secret' }, scope, env)).value).toBe(
    `token for ${scope}`,
  );
  expect(azure.requests[0]?.path).toBe('/t/oauth2/v2.0/token');
  await expect(getToken(context, { ...who, clientSecret: 'wrong' }, scope, env)).rejects.toThrow(
    'AADSTS7000215: Invalid client secret.',
  );
  const server = { ...env, AZURE_TENANT_ID: 't', AZURE_CLIENT_ID: 'c', AZURE_CLIENT_SECRET: 'secret' };
  expect((await getToken(context, {}, scope, server)).value).toBe(`token for ${scope}`);
  const folder = await context.workingDirectory();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=c',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  const pemCertificate = `${await readFile(key, 'utf8')}${await readFile(cert, 'utf8')}`;
  await getToken(context, { ...who, pemCertificate }, scope, env);
  const assertion = new URLSearchParams(azure.requests.at(-1)?.body.toString()).get('client_assertion') ?? '';
  const [head, claims, signature = ''] = assertion.split('.');
  const verified = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(createPublicKey(pemCertificate), signature, 'base64url');
  expect(verified).toBe(true);
});

test('Data Factory: waits for the pipeline and stores its activities', async () => {
  const states = ['InProgress', 'Succeeded'];
  azure.respond(({ path }) => {
    if (path.includes('/oauth2/')) return { body: { access_token: 'a', expires_in: 3600 } };
    if (path.endsWith('/createRun')) return { body: { runId: 'r1' } };
    if (path.endsWith('/queryActivityruns')) return { body: { value: [{ activityName: 'copy' }] } };
    return { body: { status: states.shift() ?? 'Failed', message: 'no rows', durationInMs: 12 } };
  });
  process.env.AZURE_AUTHORITY_HOST = azure.url;
  process.env.AZURE_RESOURCE_MANAGER_URL = azure.url;
  try {
    const input = {
      tenantId: 't',
      clientId: 'c',
      clientSecret: 's',
      subscriptionId: 'sub',
      resourceGroupName: 'g',
      factoryName: 'f',
      pipelineName: 'p',
      parameters: { day: 1 },
      checkFrequency: { interval: 'PT0.01S' },
    };
    const context = anAzureContext();
    const done = await runAzure('azure.datafactory.CreateRun', input, context);
    expect(done.runId).toBe('r1');
    expect(await storedRows(context, done.uri)).toEqual([{ activityName: 'copy' }]);
    expect(azure.requests[1]?.path).toBe(
      '/subscriptions/sub/resourceGroups/g/providers/Microsoft.DataFactory/factories/f/pipelines/p/createRun',
    );
    await expect(runAzure('azure.datafactory.CreateRun', input)).rejects.toThrow('ended as Failed: no rows');
    const token = (await runAzure('azure.auth.OauthAccessToken', {
      tenantId: 't',
      clientId: 'c',
      clientSecret: 's',
    })) as {
      accessToken: { scopes: string[] };
    };
    expect(token.accessToken.scopes).toEqual(['https://management.azure.com/.default']);
  } finally {
    delete process.env.AZURE_AUTHORITY_HOST;
    delete process.env.AZURE_RESOURCE_MANAGER_URL;
  }
});

test('functions are called, and the CLI logs in without a password in the log', async () => {
  azure.respond(({ body }) => ({ body: { got: JSON.parse(body.toString()) } }));
  const called = await runAzure('azure.function.HttpFunction', {
    httpMethod: 'POST',
    url: `${azure.url}/api/f`,
    httpBody: { a: 1 },
  });
  expect(called.responseBody).toEqual({ got: { a: 1 } });
  const context = aTaskContext({ ...realNetwork(), spawn: realProcesses });
  const programs = join(await context.workingDirectory(), 'bin');
  await mkdir(programs);
  await writeFile(join(programs, 'az'), '#!/bin/sh\necho "az $*"\n');
  await chmod(join(programs, 'az'), 0o755);
  const login = { username: 'u', password: 'hidden-word', tenant: 't', servicePrincipal: true };
  await runAzure(
    'azure.cli.AzCLI',
    { ...login, env: { PATH: `${programs}:${process.env.PATH}` }, commands: ['az group list'] },
    context,
  );
  const lines = context.logs.map(({ message }) => message);
  expect(lines).toContain('az group list');
  expect(lines.join('\n')).toMatch(/az login -u u -p \*+masked\*+ --tenant t --service-principal/);
});
