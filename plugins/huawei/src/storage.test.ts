import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { AwsClient, services } from '@millrace/plugin-aws/compatible';
import { storedRows } from '@millrace/plugin-kit/testing';
import dynalite from 'dynalite';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { keys, startObs } from './testing/obsDouble.ts';
import { aContext, poll, run } from './testing/runHuawei.ts';
import { startService } from './testing/serviceDouble.ts';

let obs: Awaited<ReturnType<typeof startObs>>;
beforeAll(async () => {
  obs = await startObs();
});
afterAll(() => obs.stop());
const put = (key: string, text: string, bucket = 'files') =>
  obs.buckets.get(bucket)?.set(key, { content: Buffer.from(text), headers: {} });
const keysIn = (bucket: string) => [...(obs.buckets.get(bucket)?.keys() ?? [])].sort();

describe('OBS', () => {
  afterEach(() => {
    for (const bucket of obs.buckets.values()) bucket.clear();
  });

  test.each([
    ['OBS', 'x-obs-', 'WARM'],
    ['V2', 'x-amz-', 'STANDARD_IA'],
  ])('keeps files with the signature %s', async (authType, prefix, storageClass) => {
    const context = aContext();
    const place = { ...obs.connection, authType, bucket: 'files', key: 'a b/ü.txt' };
    const from = await context.files.put('a.txt', 'hello');
    const properties = { from, contentType: 'text/plain', metadata: { day: '1' }, storageClass: 'WARM' };
    expect(await run('huawei.obs.Upload', { ...place, ...properties }, context)).toEqual({
      bucket: 'files',
      key: 'a b/ü.txt',
      eTag: '5d41402abc4b2a76b9719d911017c592',
      versionId: 'v1',
    });
    expect(obs.buckets.get('files')?.get('a b/ü.txt')?.headers).toEqual({
      'content-type': 'text/plain',
      [`${prefix}meta-day`]: '1',
      [`${prefix}storage-class`]: storageClass,
    });
    const { uri, ...info } = await run('huawei.obs.Download', place, context);
    expect(info).toEqual({ contentLength: 5, contentType: 'text/plain', metadata: { day: '1' } });
    expect(await context.files.text(String(uri))).toBe('hello');
    expect(await run('huawei.obs.Delete', { ...place, versionId: 'v1' })).toEqual({
      deleteMarker: true,
      versionId: 'v2',
    });
    await expect(run('huawei.obs.Download', place)).rejects.toThrow(
      'OBS refused GetObject of "files/a b/ü.txt": NoSuchKey',
    );
  });

  test('refuses a wrong secret', async () => {
    const place = { ...obs.connection, secretAccessKey: 'wrong', bucket: 'files' };
    await expect(run('huawei.obs.List', place)).rejects.toThrow('SignatureDoesNotMatch');
  });

  test('lists page after page, and deletes what matches', async () => {
    for (const key of ['a/1', 'a/2', 'a/3', 'a/4', 'b/1']) put(key, 'x');
    const place = { ...obs.connection, bucket: 'files' };
    const { objects } = await run('huawei.obs.List', { ...place, prefix: 'a/' });
    expect(objects).toHaveLength(4);
    expect(z.array(z.unknown()).parse(objects)[0]).toEqual({
      key: 'a/1',
      etag: '9dd4e461268c8034f5c8564e155c67a6',
      size: 1,
      lastModified: '2026-01-31T08:00:00.000Z',
      owner: 'owner1',
      uri: 'obs://files/a/1',
    });
    expect((await run('huawei.obs.List', { ...place, maxResults: 3 })).objects).toHaveLength(3);
    obs.locked.add('a/2');
    const choice = { ...place, regexp: 'a/.*' };
    await expect(run('huawei.obs.DeleteList', choice)).rejects.toThrow(
      '1 objects could not be deleted, such as "a/2": locked',
    );
    expect(keysIn('files')).toEqual(['a/2', 'b/1']);
    expect(await run('huawei.obs.DeleteList', { ...choice, errorOnFailure: false })).toEqual({
      count: 0,
      size: 0,
      errors: 1,
    });
    obs.locked.clear();
    await expect(run('huawei.obs.DeleteList', { ...place, prefix: 'z', errorOnEmpty: true })).rejects.toThrow(
      'no objects',
    );
  });

  test('copies and moves', async () => {
    put('in/a', '1');
    put('in/b', '2');
    const from = { bucket: 'files', key: 'in/a' };
    const to = { bucket: 'archive', key: 'a' };
    expect(await run('huawei.obs.Copy', { ...obs.connection, from, to, delete: true })).toEqual({
      ...to,
      eTag: 'copy',
    });
    expect([keysIn('files'), keysIn('archive')]).toEqual([['in/b'], ['a']]);
    const move = { action: 'MOVE', moveTo: { bucket: 'archive', keyPrefix: 'done' } };
    const context = aContext();
    const done = await run('huawei.obs.Downloads', { ...obs.connection, bucket: 'files', ...move }, context);
    expect(done).toMatchObject({
      objects: [{ key: 'in/b', size: 1 }],
      outputFiles: { 'in/b': expect.any(String) },
    });
    expect([keysIn('files'), keysIn('archive')]).toEqual([[], ['a', 'done/b']]);
    expect(context.metrics).toContainEqual({ name: 'size', type: 'counter', value: 1 });
  });

  test('makes and removes buckets', async () => {
    const place = { ...obs.connection, bucket: 'fresh' };
    expect(await run('huawei.obs.CreateBucket', place)).toEqual({ bucket: 'fresh', created: true });
    expect(await run('huawei.obs.CreateBucket', place)).toEqual({ bucket: 'fresh', created: false });
    expect(await run('huawei.obs.DeleteBucket', place)).toEqual({ bucket: 'fresh', deleted: true });
    expect(await run('huawei.obs.DeleteBucket', place)).toEqual({ bucket: 'fresh', deleted: false });
    await expect(run('huawei.obs.DeleteBucket', { ...place, errorOnMissing: true })).rejects.toThrow(
      'NoSuchBucket',
    );
  });

  test('starts an execution for new files, and deletes them after it is stored', async () => {
    put('in/a', '1');
    const context = aContext();
    const place = { ...obs.connection, bucket: 'files', prefix: 'in/' };
    expect(await poll('huawei.obs.Trigger', place, context)).toBeUndefined();
    expect(context.emitted).toMatchObject([
      { objects: [{ key: 'in/a' }], outputFiles: { 'in/a': expect.any(String) } },
    ]);
    expect(keysIn('files')).toEqual([]);
    put('in/b', '2');
    const kept = { ...place, action: 'NONE' };
    expect(await poll('huawei.obs.Trigger', kept, context)).toMatchObject({ objects: [{ key: 'in/b' }] });
    expect(await poll('huawei.obs.Trigger', kept, context)).toBeUndefined();
  });
});

describe('Data Lake Insight', () => {
  const states = ['RUNNING', 'FINISHED'];
  const start = () =>
    startService(({ path }) => {
      if (path === 'POST /v1.0/p1/jobs/submit-job')
        return { is_success: true, job_id: 'j1', job_type: 'QUERY' };
      if (path === 'POST /v1.0/p1/jobs/j1/export-result') return { is_success: true, job_id: 'j2' };
      if (path.endsWith('/status')) return { status: states.shift() ?? 'FINISHED' };
      if (path === 'GET /v1.0/p1/jobs/j1/preview')
        return {
          row_count: 2,
          schema: [{ region: 'string' }, { orders: 'bigint' }],
          rows: [
            ['eu', 1],
            ['us', 2],
          ],
        };
      return undefined;
    });

  test('returns the rows of a query', async () => {
    const dli = await start();
    onTestFinished(() => dli.stop());
    const query = {
      ...dli.connection,
      sql: 'select 1',
      queue: 'q',
      tags: { team: 'a' },
      interval: 'PT0.01S',
    };
    expect(await run('huawei.dli.Query', { ...query, fetchType: 'FETCH' })).toEqual({
      jobId: 'j1',
      jobType: 'QUERY',
      status: 'FINISHED',
      rows: [
        { region: 'eu', orders: 1 },
        { region: 'us', orders: 2 },
      ],
      size: 2,
    });
    expect(dli.calls[0]?.body).toEqual({
      sql: 'select 1',
      queue_name: 'q',
      tags: [{ key: 'team', value: 'a' }],
    });
  });

  test('reads a large result from OBS', async () => {
    const dli = await start();
    onTestFinished(() => dli.stop());
    put('results/part-0.json', '{"region":"eu"}\n{"region":"us"}\n');
    put('results/_SUCCESS', '');
    const context = aContext();
    const done = await run(
      'huawei.dli.Query',
      {
        ...dli.connection,
        sql: 'select 1',
        outputLocation: 'obs://files/results',
        obsEndpointOverride: obs.connection.endpointOverride,
        interval: 'PT0.01S',
      },
      context,
    );
    expect(done.size).toBe(2);
    expect(await storedRows(context, done.uri)).toEqual([{ region: 'eu' }, { region: 'us' }]);
    expect(dli.calls.find(({ path }) => path.endsWith('export-result'))?.body).toMatchObject({
      data_path: 'obs://files/results',
      data_type: 'json',
    });
  });
});

test('GeminiDB keeps items as DynamoDB does', async () => {
  const server = dynalite({ createTableMs: 0 }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  // `as`: a server that listens on a port has such an address.
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = aContext();
  const credentials = async () => ({ accessKeyId: 'AK', secretAccessKey: 'a-secret-key' });
  const client = new AwsClient({ context, service: services.dynamodb, region: 'r', endpoint, credentials });
  const definition = {
    TableName: 'persons',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  };
  await client.json('CreateTable', definition, z.unknown());
  const table = { ...keys, endpoint, tableName: 'persons' };
  await expect
    .poll(() => run('huawei.geminidb.PutItem', { ...table, item: { id: '1', age: 36 } }).catch(String))
    .toEqual({});
  expect(await run('huawei.geminidb.GetItem', { ...table, key: { id: '1' } })).toEqual({
    row: { id: '1', age: 36 },
  });
  const expression = { keyConditionExpression: 'id = :id', expressionAttributeValues: { ':id': '1' } };
  const rows = { rows: [{ id: '1', age: 36 }], size: 1 };
  expect(await run('huawei.geminidb.Query', { ...table, ...expression, fetchType: 'FETCH' })).toEqual(rows);
  expect(await run('huawei.geminidb.Scan', { ...table, fetchType: 'FETCH' })).toEqual(rows);
  await run('huawei.geminidb.DeleteItem', { ...table, key: { id: '1' } });
  expect(await run('huawei.geminidb.GetItem', { ...table, key: { id: '1' } })).toEqual({});
});

test('KooCLI runs commands with a profile, and the script holds no key', async () => {
  const context = aContext();
  const folder = await context.workingDirectory();
  await mkdir(join(folder, 'bin'));
  const program = join(folder, 'bin', 'hcloud');
  await writeFile(program, `#!/bin/sh\necho "$@" >> ${folder}/calls\n`);
  await chmod(program, 0o755);
  const outputs = await run(
    'huawei.koocli.KooCLI',
    {
      ...keys,
      region: 'eu-west-101',
      commands: ['hcloud ECS NovaListServers'],
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
      taskRunner: { type: 'io.kestra.plugin.core.runner.Process' },
    },
    context,
  );
  expect(outputs).toMatchObject({ exitCode: 0 });
  expect((await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')).toEqual([
    'configure set --cli-agree-privacy-statement=true',
    'configure set --cli-profile=default --cli-mode=AKSK --cli-access-key=AK --cli-secret-key=a-secret-key --cli-region=eu-west-101',
    'ECS NovaListServers',
  ]);
});
