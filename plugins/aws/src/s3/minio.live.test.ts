import { createHash } from 'node:crypto';
import { type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAwsContext, pollAws, runAws } from '../testing/runAws.ts';

/** The program of MinIO; `npm run test:connectors` sets it. */
const program = process.env.MILLRACE_TEST_MINIO ?? '';
const keys = { accessKeyId: 'millrace', secretKeyId: 'millrace-secret' };
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

describe.skipIf(program === '')('MinIO', { timeout: 60_000 }, () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startRealServer({
      program,
      args: ({ host, port, folder }) => ['server', '--quiet', '--address', `${host}:${port}`, folder],
      env: {
        MINIO_ROOT_USER: keys.accessKeyId,
        MINIO_ROOT_PASSWORD: keys.secretKeyId,
        MINIO_BROWSER: 'off',
        MINIO_UPDATE: 'off',
      },
      isReady: async ({ host, port }) => {
        const { status } = await fetch(`http://${host}:${port}/minio/health/ready`);
        if (status !== 200) throw new Error(`It responds with status ${status}.`);
      },
    });
  }, 90_000);
  afterAll(() => server?.stop());

  const connection = (type: string) => {
    const endpoint = `http://${server.host}:${server.port}`;
    return { ...keys, ...(type.startsWith('minio.') ? { endpoint } : { endpointOverride: endpoint }) };
  };
  const run = (type: string, properties: object, context = anAwsContext()) =>
    runAws(type, { ...connection(type), ...properties }, context);
  const poll = (type: string, properties: object, context = anAwsContext()) =>
    pollAws(type, { ...connection(type), ...properties }, context);
  const keysOf = (outputs: Readonly<Record<string, unknown>> | undefined) =>
    ((outputs?.objects ?? []) as { key: string }[]).map(({ key }) => key);
  const put = async (type: 'aws.s3' | 'minio', bucket: string, key: string, text: string) => {
    const context = anAwsContext();
    const from = await context.files.put('file.txt', text);
    return run(`${type}.Upload`, { bucket, key, from }, context);
  };

  test.each(['aws.s3', 'minio'] as const)('%s: every task of objects', async (family) => {
    const bucket = `${family.replace('.', '-')}-objects`;
    const listed = async (more: object = {}) => keysOf(await run(`${family}.List`, { bucket, ...more }));
    await run(`${family}.CreateBucket`, { bucket });
    await expect(run(`${family}.CreateBucket`, { bucket })).rejects.toThrow('BucketAlreadyOwnedByYou');

    const context = anAwsContext();
    const key = 'reports/über den+Tag (1).csv';
    const from = await context.files.put('ada.csv', 'name\nAda\n');
    const properties = { bucket, key, from, contentType: 'text/csv', metadata: { author: 'Ada' } };
    expect(await run(`${family}.Upload`, properties, context)).toMatchObject({
      key,
      eTag: expect.stringContaining(md5('name\nAda\n')),
    });
    const { uri, contentLength } = await run(`${family}.Download`, { bucket, key }, context);
    expect([await context.files.text(String(uri)), contentLength]).toEqual(['name\nAda\n', 9]);

    const large = await context.files.put('large.bin', Buffer.alloc(20 * 1_048_576, 7));
    await run(`${family}.Upload`, { bucket, key: 'large.bin', from: large }, context);
    const fetched = await run(`${family}.Download`, { bucket, key: 'large.bin' }, context);
    expect(await context.files.sizeOf(String(fetched.uri))).toBe(20 * 1_048_576);

    await put(family, bucket, 'inbox/a.txt', 'a');
    await put(family, bucket, 'inbox/deep/b.txt', 'bb');
    expect(await listed()).toEqual(['inbox/a.txt', 'inbox/deep/b.txt', 'large.bin', key]);
    expect(await listed({ maxKeys: 1 })).toHaveLength(4);
    expect(await listed({ prefix: 'inbox/', regexp: '.*b\\.txt' })).toEqual(['inbox/deep/b.txt']);
    expect(await listed({ prefix: 'inbox/', delimiter: '/' })).toEqual(['inbox/a.txt', 'inbox/deep/']);

    const to = { bucket, key: 'copies/ümlaut +.csv' };
    await run(`${family}.Copy`, { from: { bucket, key }, to, delete: true });
    expect(await listed({ prefix: 'reports/' })).toEqual([]);
    await run(`${family}.Delete`, { bucket, key: to.key });
    const moved = await run(
      `${family}.Downloads`,
      { bucket, prefix: 'inbox/', action: 'MOVE', moveTo: { bucket, key: 'done/' } },
      context,
    );
    const files = moved.outputFiles as Record<string, string>;
    expect(await context.files.text(files['inbox/deep/b.txt'] ?? '')).toBe('bb');
    expect(await listed()).toHaveLength(3);
    expect(await run(`${family}.DeleteList`, { bucket, prefix: 'done/' })).toMatchObject({
      count: 2,
      size: 3,
    });
    await run(`${family}.DeleteList`, { bucket });
    expect(await listed()).toEqual([]);
  });

  test.each(['aws.s3', 'minio'] as const)('%s: the trigger finds, remembers and moves', async (family) => {
    const bucket = `${family.replace('.', '-')}-arrivals`;
    await run(`${family}.CreateBucket`, { bucket });
    const context = anAwsContext();
    const inbox = { bucket, prefix: 'inbox/', interval: 'PT10S' };
    const find = () => poll(`${family}.Trigger`, { ...inbox, action: 'NONE' }, context);
    expect(await find()).toBeUndefined();
    await put(family, bucket, 'inbox/a.txt', 'one');
    expect(await find()).toMatchObject({ objects: [{ key: 'inbox/a.txt', changeType: 'CREATE' }] });
    expect(await find()).toBeUndefined();
    await put(family, bucket, 'inbox/a.txt', 'another');
    expect(await find()).toMatchObject({ objects: [{ key: 'inbox/a.txt', changeType: 'UPDATE' }] });

    const move = { ...inbox, action: 'MOVE', moveTo: { bucket, key: 'done' } };
    await poll(`${family}.Trigger`, move, context);
    expect(context.emitted).toMatchObject([{ objects: [{ key: 'inbox/a.txt' }] }]);
    expect(keysOf(await run(`${family}.List`, { bucket }))).toEqual(['done/a.txt']);
    expect(await poll(`${family}.Trigger`, move, context)).toBeUndefined();
  });

  test('wrong credentials, buckets and keys are named', async () => {
    await run('minio.CreateBucket', { bucket: 'refusals' });
    const list = (more: object) => run('minio.List', { bucket: 'refusals', ...more });
    await expect(list({ secretKeyId: 'wrong' })).rejects.toThrow('SignatureDoesNotMatch');
    await expect(list({ accessKeyId: 'unknown' })).rejects.toThrow('InvalidAccessKeyId');
    await expect(list({ bucket: 'no-such-bucket' })).rejects.toThrow('NoSuchBucket');
    await expect(run('minio.Download', { bucket: 'refusals', key: 'missing' })).rejects.toThrow('NoSuchKey');
  });

  test('a bucket with object lock keeps versions, and an old one can be downloaded', async () => {
    const bucket = 'locked';
    await run('minio.CreateBucket', { bucket, objectLockEnabledForBucket: true });
    const { versionId } = await put('minio', bucket, 'a.txt', 'first');
    await put('minio', bucket, 'a.txt', 'second');
    expect(versionId).toEqual(expect.any(String));
    const context = anAwsContext();
    const { uri } = await run('minio.Download', { bucket, key: 'a.txt', versionId }, context);
    expect(await context.files.text(String(uri))).toBe('first');
    expect(keysOf(await run('minio.List', { bucket }))).toEqual(['a.txt', 'a.txt']);
    expect(keysOf(await run('minio.List', { bucket, includeVersions: false }))).toEqual(['a.txt']);
  });
});
