import { createHash } from 'node:crypto';
import { aTaskContext, realNetwork } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anAwsContext, pollAws, runAws } from '../testing/runAws.ts';
import { startS3 } from '../testing/startS3.ts';

let service: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  service = await startS3();
});
afterAll(() => service.stop());

const aContext = anAwsContext;
const connectionOf = (name: string) => service[name.startsWith('minio.') ? 'minio' : 'aws'];
const run = (name: string, properties: object, context = aContext()) =>
  runAws(name, { ...connectionOf(name), ...properties }, context);
const poll = (name: string, properties: object, context = aContext()) =>
  pollAws(name, { ...connectionOf(name), ...properties }, context);

async function put(key: string, text: string, context = aContext(), bucket = 'files') {
  const from = await context.files.put('file.txt', text);
  return run('aws.s3.Upload', { bucket, key, from }, context);
}

const keysOf = (outputs: Readonly<Record<string, unknown>>) =>
  (outputs.objects as { key: string }[]).map(({ key }) => key);
const listed = async (bucket = 'files', prefix?: string) =>
  keysOf(await run('aws.s3.List', { bucket, maxFiles: 5000, ...(prefix && { prefix }) }));

beforeEach(async () => {
  for (const bucket of ['files', 'archive']) await run('aws.s3.DeleteList', { bucket });
});

describe('S3', () => {
  test('uploads a file with its headers and downloads it again', async () => {
    const context = aContext();
    const from = await context.files.put('ada.csv', 'name\nAda\n');
    const key = 'reports/über den+Tag (1).csv';
    const uploaded = await run(
      'aws.s3.Upload',
      { bucket: 'files', key, from, contentType: 'text/csv', metadata: { Author: 'Ada' } },
      context,
    );
    const etag = createHash('md5').update('name\nAda\n').digest('hex');
    expect(uploaded).toEqual({ bucket: 'files', key, eTag: etag });
    const { uri, ...facts } = await run('aws.s3.Download', { bucket: 'files', key }, context);
    expect(facts).toEqual({
      contentLength: 9,
      contentType: 'text/csv',
      metadata: { author: 'Ada' },
      eTag: etag,
    });
    expect(await context.files.text(String(uri))).toBe('name\nAda\n');
    expect(context.metrics).toContainEqual({ name: 'file.size', type: 'counter', value: 9 });
  });

  test('uploads several files below the key', async () => {
    const context = aContext();
    const a = await context.files.put('a.txt', 'a');
    const b = await context.files.put('b.txt', 'bb');
    const outputs = await run('aws.s3.Upload', { bucket: 'files', key: 'two/', from: [a, b] }, context);
    expect(outputs).toMatchObject({
      files: { 'a.txt': { contentLength: 1 }, 'b.txt': { contentLength: 2 } },
    });
    await run('aws.s3.Upload', { bucket: 'files', key: 'map', from: { 'x/one.txt': a, two: b } }, context);
    expect(await listed()).toEqual(['map/two', 'map/x/one.txt', 'two/a.txt', 'two/b.txt']);
    const fetched = await run('aws.s3.Download', { bucket: 'files', prefix: 'two/' }, context);
    expect(Object.keys(fetched.files as object)).toEqual(['two/a.txt', 'two/b.txt']);
  });

  test('sends a large file in parts', async () => {
    const context = aContext();
    const block = Buffer.alloc(1_048_576, 7);
    const size = 20 * block.length + 5;
    const from = await context.files.put(
      'large.bin',
      (async function* () {
        for (let at = 0; at < 20; at++) yield block;
        yield Buffer.from('final');
      })(),
    );
    await run(
      'aws.s3.Upload',
      { bucket: 'files', key: 'large.bin', from, checksumAlgorithm: 'CRC32' },
      context,
    );
    const { uri, contentLength } = await run(
      'aws.s3.Download',
      { bucket: 'files', key: 'large.bin' },
      context,
    );
    expect(contentLength).toBe(size);
    expect(await context.files.sizeOf(String(uri))).toBe(size);
  });

  test('lists page by page, with filters', async () => {
    for (const key of ['a/1.csv', 'a/2.txt', 'a/b/3.csv', 'c.csv', 'd/']) await put(key, key);
    expect(await listed()).toEqual(['a/1.csv', 'a/2.txt', 'a/b/3.csv', 'c.csv', 'd/']);
    const list = async (more: object) => keysOf(await run('aws.s3.List', { bucket: 'files', ...more }));
    expect(await list({ maxKeys: 2 })).toHaveLength(5);
    expect(await list({ maxFiles: 2 })).toEqual(['a/1.csv', 'a/2.txt']);
    expect(await list({ regexp: '.*\\.csv' })).toEqual(['a/1.csv', 'a/b/3.csv', 'c.csv']);
    expect(await list({ filter: 'DIRECTORY' })).toEqual(['d/']);
    expect(await list({ delimiter: '/' })).toEqual(['a/', 'c.csv', 'd/']);
    expect(await list({ marker: 'a/b/3.csv', filter: 'FILES' })).toEqual(['c.csv']);
    const { objects } = await run('aws.s3.List', { bucket: 'files', prefix: 'c' });
    expect(objects).toMatchObject([{ uri: 's3://files/c.csv', size: 5, etag: expect.any(String) }]);
  });

  test('copies, moves and deletes', async () => {
    await put('from.txt', 'text');
    const copied = await run('aws.s3.Copy', {
      from: { bucket: 'files', key: 'from.txt' },
      to: { bucket: 'archive', key: 'x/to.txt' },
      delete: true,
    });
    expect(copied).toMatchObject({ bucket: 'archive', key: 'x/to.txt', eTag: expect.any(String) });
    expect([await listed('files'), await listed('archive')]).toEqual([[], ['x/to.txt']]);
    await run('aws.s3.Delete', { bucket: 'archive', key: 'x/to.txt' });
    expect(await listed('archive')).toEqual([]);
    await put('a', '12');
    await put('b', '345');
    const context = aContext();
    expect(await run('aws.s3.DeleteList', { bucket: 'files', concurrent: 2 }, context)).toEqual({
      count: 2,
      size: 5,
    });
    await expect(run('aws.s3.DeleteList', { bucket: 'files', errorOnEmpty: true })).rejects.toThrow(
      'There are no objects to delete.',
    );
  });

  test('downloads a folder and moves what it has stored', async () => {
    await put('inbox/1.txt', 'one');
    await put('inbox/2.txt', 'two');
    const context = aContext();
    const outputs = await run(
      'aws.s3.Downloads',
      { bucket: 'files', prefix: 'inbox/', action: 'MOVE', moveTo: { bucket: 'archive', key: 'done/' } },
      context,
    );
    const files = outputs.outputFiles as Record<string, string>;
    expect(await context.files.text(files['inbox/2.txt'] ?? '')).toBe('two');
    expect([await listed('files'), await listed('archive')]).toEqual([[], ['done/1.txt', 'done/2.txt']]);
  });

  test('creates buckets', async () => {
    expect(await run('aws.s3.CreateBucket', { bucket: 'new-bucket', region: 'eu-west-1' })).toEqual({
      bucket: 'new-bucket',
      region: 'eu-west-1',
    });
    await expect(run('aws.s3.CreateBucket', { bucket: 'new-bucket' })).rejects.toThrow(
      'S3 refused CreateBucket',
    );
  });

  test('says what is wrong', async () => {
    await expect(run('aws.s3.Download', { bucket: 'files', key: 'missing' })).rejects.toThrow(
      'S3 refused GetObject of "files/missing": NoSuchKey',
    );
    await expect(run('aws.s3.List', { bucket: 'nowhere' })).rejects.toThrow('NoSuchBucket');
    await expect(run('aws.s3.List', { bucket: 'files', secretKeyId: 'wrong' })).rejects.toThrow(
      'SignatureDoesNotMatch',
    );
    await expect(run('aws.s3.Download', { bucket: 'files', key: '../archive/x' })).rejects.toThrow('".."');
    await expect(run('aws.s3.Download', { bucket: 'files' })).rejects.toThrow('One of "key", "prefix"');
    const strict = aTaskContext(realNetwork({ denyPrivate: true }));
    await expect(run('aws.s3.List', { bucket: 'files' }, strict)).rejects.toThrow('outbound policy');
  });

  test('a killed upload ends at once and leaves no parts', async () => {
    const context = aContext();
    const from = await context.files.put('file', 'x');
    context.files.read = async () =>
      (async function* () {
        yield Buffer.alloc(9 * 1_048_576);
        yield Buffer.alloc(9 * 1_048_576);
        context.kill();
        context.signal.throwIfAborted();
      })();
    await expect(run('aws.s3.Upload', { bucket: 'files', key: 'dead', from }, context)).rejects.toThrow();
    expect(await listed()).toEqual([]);
  });
});

describe('the trigger of S3', () => {
  const inbox = { bucket: 'files', prefix: 'inbox/', interval: 'PT10S' };

  test('remembers what it has seen, and finds changes', async () => {
    const context = aContext();
    const look = () => poll('aws.s3.Trigger', { ...inbox, action: 'NONE' }, context);
    expect(await look()).toBeUndefined();
    await put('inbox/a.txt', 'one');
    const first = await look();
    expect(first).toMatchObject({
      objects: [{ key: 'inbox/a.txt', size: 3, changeType: 'CREATE', object: { key: 'inbox/a.txt' } }],
    });
    expect(await look()).toBeUndefined();
    await put('inbox/a.txt', 'another');
    expect(await look()).toMatchObject({ objects: [{ key: 'inbox/a.txt', changeType: 'UPDATE' }] });
    const [object] = (first?.objects ?? []) as { uri: string }[];
    expect(await context.files.text(object?.uri ?? '')).toBe('one');
  });

  test.each(['aws.s3.Trigger', 'minio.Trigger'])(
    '%s moves objects after the execution is stored',
    async (type) => {
      await put('inbox/a.txt', 'one');
      await put('inbox/b.txt', 'two');
      const context = aContext();
      const move = { ...inbox, action: 'MOVE', moveTo: { bucket: 'archive', key: 'done' } };
      const refusing = Object.assign(aContext(), { emit: () => Promise.reject(new Error('no disk')) });
      await expect(poll(type, move, refusing)).rejects.toThrow('no disk');
      expect(await listed('files')).toHaveLength(2);
      await poll(type, move, context);
      expect(context.emitted).toMatchObject([{ objects: [{ key: 'inbox/a.txt' }, { key: 'inbox/b.txt' }] }]);
      expect([await listed('files'), await listed('archive')]).toEqual([[], ['done/a.txt', 'done/b.txt']]);
      expect(await poll(type, move, context)).toBeUndefined();
      expect(context.emitted).toHaveLength(1);
    },
  );

  test('takes a limited number at once', async () => {
    for (const name of ['a', 'b', 'c']) await put(`inbox/${name}`, name);
    const context = aContext();
    const look = () => poll('aws.s3.Trigger', { ...inbox, action: 'NONE', maxFiles: 2 }, context);
    expect(keysOf((await look()) ?? {})).toEqual(['inbox/a', 'inbox/b']);
    expect(keysOf((await look()) ?? {})).toEqual(['inbox/c']);
  });
});

test('MinIO: every task', async () => {
  const context = aContext();
  const from = await context.files.put('a.txt', 'text');
  await run('minio.CreateBucket', { bucket: 'mine' });
  expect(
    await run('minio.Upload', { bucket: 'mine', key: 'in/a.txt', from, contentType: 'text/plain' }, context),
  ).toMatchObject({
    key: 'in/a.txt',
  });
  expect(await run('minio.Upload', { bucket: 'mine', from }, context)).toMatchObject({ key: 'a.txt' });
  const { uri, contentLength } = await run('minio.Download', { bucket: 'mine', key: 'a.txt' }, context);
  expect([await context.files.text(String(uri)), contentLength]).toEqual(['text', 4]);
  const list = async (more: object) => keysOf(await run('minio.List', { bucket: 'mine', ...more }));
  expect(await list({ includeVersions: false })).toEqual(['a.txt', 'in/a.txt']);
  expect(await list({ includeVersions: false, recursive: false })).toEqual(['a.txt', 'in/']);
  await run('minio.Copy', { from: { bucket: 'mine', key: 'a.txt' }, to: { key: 'b.txt' } });
  await run('minio.Delete', { bucket: 'mine', key: 'a.txt' });
  const done = await run('minio.Downloads', { bucket: 'mine', prefix: 'in/', action: 'DELETE' }, context);
  expect(Object.keys(done.outputFiles as object)).toEqual(['in/a.txt']);
  expect(await run('minio.DeleteList', { bucket: 'mine' })).toEqual({ count: 1, size: 4 });
});
