import { describe, expect, test } from 'vitest';
import { startGoogle } from '../testing/fakeGoogle.ts';
import { FakeStorage } from '../testing/fakeStorage.ts';
import { createBucket, createIamPolicy, deleteBucket, updateBucket } from './buckets.ts';
import { compose, list, remove, removeList } from './lists.ts';
import { copy, download, downloads, upload } from './transfer.ts';
import { trigger } from './trigger.ts';

async function aStorage() {
  const storage = new FakeStorage();
  const google = await startGoogle(storage.handle);
  return { storage, ...google };
}

describe('Upload', () => {
  test('sends a file in parts and returns its checksums', async () => {
    const { storage, run, context, received } = await aStorage();
    const content = Buffer.alloc(17 * 1024 * 1024, 'abcdefg');
    const from = await context.files.put('a.csv', content);
    const outputs = await run(upload, {
      from,
      to: 'gs://b/in/ä b.csv',
      contentType: 'text/csv',
      cacheControl: 'no-cache',
    });
    const stored = storage.objects.get('b/in/ä b.csv');
    expect(stored?.content.equals(content)).toBe(true);
    expect(outputs).toEqual({
      uri: 'gs://b/in/ä b.csv',
      md5: stored?.resource.md5Hash,
      crc32c: stored?.resource.crc32c,
    });
    expect(stored?.resource).toMatchObject({ contentType: 'text/csv', cacheControl: 'no-cache' });
    expect(
      received.filter(({ method }) => method === 'PUT').map(({ headers }) => headers['content-range']),
    ).toEqual(['bytes 0-8388607/*', 'bytes 8388608-16777215/*', 'bytes 16777216-17825791/17825792']);
    expect(context.metrics).toContainEqual({ name: 'file.size', type: 'counter', value: content.length });
  });

  test('continues where a lost part ended', async () => {
    const { storage, run, context, received } = await aStorage();
    storage.failingParts = 2;
    const from = await context.files.put('a', Buffer.alloc(9 * 1024 * 1024, 'xyz'));
    // A failed part needs no delay: the task first queries how much has arrived.
    await run(upload, { from, to: 'gs://b/a' });
    expect(storage.objects.get('b/a')?.content.length).toBe(9 * 1024 * 1024);
    expect(received.map(({ headers }) => headers['content-range'])).toContain('bytes */*');
  });

  test('an empty file is an empty object', async () => {
    const { storage, run, context } = await aStorage();
    await run(upload, { from: await context.files.put('a', ''), to: 'gs://b/empty' });
    expect(storage.text('b', 'empty')).toBe('');
  });

  test('a wrong checksum deletes the object', async () => {
    const { storage, run, context } = await aStorage();
    const from = await context.files.put('a', 'hello');
    const wrong = run(upload, { from, to: 'gs://b/a', expectedMd5: '00000000000000000000000000000000' });
    await expect(wrong).rejects.toThrow(
      'but AAAAAAAAAAAAAAAAAAAAAA== was expected. The object gs://b/a was deleted.',
    );
    expect(storage.objects.size).toBe(0);
    await run(upload, {
      from,
      to: 'gs://b/a',
      expectedMd5: '5d41402abc4b2a76b9719d911017c592',
      expectedCrc32c: 'mnG7TA==',
    });
  });

  test('an address that is none is named', async () => {
    const { run, context } = await aStorage();
    const from = await context.files.put('a', 'hello');
    await expect(run(upload, { from, to: 's3://b/a' })).rejects.toThrow(
      '"to" must be an address such as gs://bucket/path, got "s3://b/a".',
    );
    await expect(run(upload, { from, to: 'gs://b' })).rejects.toThrow(
      '"to" must name an object of the bucket',
    );
  });
});

describe('Download', () => {
  test('stores the content and checks it', async () => {
    const { storage, run, context } = await aStorage();
    storage.put('b', 'dir/a.txt', 'hello');
    const outputs = await run(download, { from: 'gs://b/dir/a.txt', validateChecksum: true });
    expect(outputs).toMatchObject({ bucket: 'b', path: 'dir/a.txt' });
    expect(await context.files.text(String(outputs.uri))).toBe('hello');
    expect(context.metrics).toContainEqual({ name: 'checksum.validated', type: 'counter', value: 1 });
  });

  test('names a missing object and damaged content', async () => {
    const { storage, run } = await aStorage();
    await expect(run(download, { from: 'gs://b/none' })).rejects.toThrow(
      'GET storage.googleapis.com/storage/v1/b/b/o/none failed with HTTP 404 (notFound): No such object: b/none.',
    );
    storage.put('b', 'a', 'hello', { md5Hash: 'AAAA', crc32c: 'AAAA' });
    await expect(run(download, { from: 'gs://b/a', validateChecksum: true })).rejects.toThrow(
      'The download of gs://b/a is damaged.',
    );
  });
});

test('List shows folders and objects, filtered, limited and over all pages', async () => {
  const { storage, run } = await aStorage();
  for (const name of ['in/1.csv', 'in/2.csv', 'in/3.txt', 'in/4.csv', 'in/deep/5.csv'])
    storage.put('b', name, name);
  const names = async (more: Record<string, unknown>) =>
    ((await run(list, { from: 'gs://b/in/', ...more })).blobs as { name: string }[]).map(({ name }) => name);
  expect(await names({})).toEqual(['in/deep/', 'in/1.csv', 'in/2.csv', 'in/3.txt', 'in/4.csv']);
  expect(await names({ filter: 'DIRECTORY' })).toEqual(['in/deep/']);
  expect(await names({ listingType: 'RECURSIVE', filter: 'FILES', regExp: 'gs://b/.*\\.csv' })).toEqual([
    'in/1.csv',
    'in/2.csv',
    'in/4.csv',
    'in/deep/5.csv',
  ]);
  expect(await names({ maxFiles: 1, filter: 'FILES' })).toEqual(['in/1.csv']);
});

test('Downloads takes a folder and moves its objects when all are stored', async () => {
  const { storage, run, context } = await aStorage();
  for (const name of ['in/1.csv', 'in/2.csv', 'in/3.csv']) storage.put('b', name, name);
  const outputs = await run(downloads, {
    from: 'gs://b/in/',
    action: 'MOVE',
    moveDirectory: 'gs://other/done',
  });
  const files = outputs.outputFiles as Record<string, string>;
  expect(Object.keys(files)).toEqual(['in/1.csv', 'in/2.csv', 'in/3.csv']);
  expect(await context.files.text(files['in/2.csv'] ?? '')).toBe('in/2.csv');
  expect([...storage.objects.keys()].sort()).toEqual([
    'other/done/1.csv',
    'other/done/2.csv',
    'other/done/3.csv',
  ]);
});

test('Copy follows the token of a long copy, and moves with delete', async () => {
  const { storage, run } = await aStorage();
  storage.put('b', 'a/1', 'one');
  expect(await run(copy, { from: 'gs://b/a/1', to: 'gs://c/x/1', delete: true })).toEqual({
    uri: 'gs://c/x/1',
  });
  expect([...storage.objects.keys()]).toEqual(['c/x/1']);
  await expect(run(copy, { from: 'gs://b/a', to: 'gs://b/a' })).rejects.toThrow('are the same object');
});

test('Compose joins more than 32 objects in steps', async () => {
  const { storage, run } = await aStorage();
  const names = Array.from({ length: 70 }, (_, index) => `p/${String(index).padStart(3, '0')}`);
  for (const name of names) storage.put('b', name, `${name};`);
  await run(compose, { list: { from: 'gs://b/p/' }, to: 'gs://b/all' });
  expect(storage.text('b', 'all')).toBe(names.map((name) => `${name};`).join(''));
  await expect(run(compose, { list: { from: 'gs://b/none/' }, to: 'gs://b/x' })).rejects.toThrow(
    'nothing to join',
  );
  expect(await run(compose, { list: { from: 'gs://b/none/' }, to: 'gs://b/x', allowEmpty: true })).toEqual(
    {},
  );
});

test('Delete and DeleteList count what was there', async () => {
  const { storage, run } = await aStorage();
  for (const name of ['t/1', 't/2', 't/3', 't/4', 'keep']) storage.put('b', name, 'abc');
  expect(await run(removeList, { from: 'gs://b/t/', concurrent: 3 })).toEqual({ count: 4, size: 12 });
  expect([...storage.objects.keys()]).toEqual(['b/keep']);
  await expect(run(removeList, { from: 'gs://b/t/', errorOnEmpty: true })).rejects.toThrow(
    'nothing to delete below gs://b/t/',
  );
  expect(await run(remove, { uri: 'gs://b/keep' })).toEqual({ uri: 'gs://b/keep', deleted: true });
  expect(await run(remove, { uri: 'gs://b/keep' })).toMatchObject({ deleted: false });
  await expect(run(remove, { uri: 'gs://b/keep', errorOnMissing: true })).rejects.toThrow(
    'gs://b/keep does not exist',
  );
});

test('buckets are created, changed, skipped and deleted', async () => {
  const { storage, run } = await aStorage();
  const properties = {
    name: 'b',
    location: 'EU',
    versioningEnabled: true,
    lifecycleRules: [{ condition: { age: 30 }, action: { type: 'SET_STORAGE_CLASS', value: 'NEARLINE' } }],
    iamConfiguration: { uniformBucketLevelAccessEnabled: true, publicAccessPrevention: 'ENFORCED' },
  };
  expect(await run(createBucket, properties)).toEqual({
    bucket: { name: 'b', uri: 'gs://b', location: 'EU' },
    created: true,
    updated: false,
  });
  expect(storage.buckets.get('b')).toEqual({
    name: 'b',
    location: 'EU',
    versioning: { enabled: true },
    lifecycle: {
      rule: [{ condition: { age: 30 }, action: { type: 'SetStorageClass', storageClass: 'NEARLINE' } }],
    },
    iamConfiguration: { uniformBucketLevelAccess: { enabled: true }, publicAccessPrevention: 'enforced' },
  });
  await expect(run(createBucket, properties)).rejects.toThrow('HTTP 409 (conflict)');
  expect(await run(createBucket, { ...properties, ifExists: 'SKIP' })).toMatchObject({
    created: false,
    updated: false,
  });
  expect(await run(createBucket, { ...properties, ifExists: 'UPDATE', labels: { a: '1' } })).toMatchObject({
    updated: true,
  });
  await run(updateBucket, { name: 'b', indexPage: 'index.html' });
  expect(storage.buckets.get('b')).toMatchObject({
    labels: { a: '1' },
    website: { mainPageSuffix: 'index.html' },
  });
  storage.put('b', 'x', 'y');
  await expect(run(deleteBucket, { name: 'b' })).rejects.toThrow('is not empty');
  expect(await run(deleteBucket, { name: 'b', force: true })).toEqual({ bucket: 'b', bucketUri: 'gs://b' });
});

test('CreateBucketIamPolicy keeps other members and survives a change in between', async () => {
  const { storage, run } = await aStorage();
  storage.policy = { etag: 'v1', bindings: [{ role: 'r', members: ['user:a'] }] };
  expect(await run(createIamPolicy, { name: 'b', member: 'user:b', role: 'r' })).toMatchObject({
    created: true,
  });
  expect(storage.policy.bindings).toEqual([{ role: 'r', members: ['user:a', 'user:b'] }]);
  expect(await run(createIamPolicy, { name: 'b', member: 'user:b', role: 'r' })).toMatchObject({
    created: false,
  });
  await expect(
    run(createIamPolicy, { name: 'b', member: 'user:b', role: 'r', ifExists: 'ERROR' }),
  ).rejects.toThrow('already');
});

describe('Trigger', () => {
  const names = (found: unknown) =>
    (found as { blobs: { name: string; changeType: string }[] } | undefined)?.blobs.map(
      ({ name, changeType }) => `${changeType} ${name}`,
    );

  test('takes each object once, and again when it changes', async () => {
    const { storage, poll, context } = await aStorage();
    storage.put('b', 'in/1', 'one');
    storage.put('b', 'in/2', 'two');
    storage.put('b', 'in/3', 'three');
    const first = await poll(trigger, { from: 'gs://b/in/', maxFiles: 2 });
    expect(names(first)).toEqual(['CREATE in/1', 'CREATE in/2']);
    const [blob] = (first as { blobs: { uri: string; blob: { uri: string } }[] }).blobs;
    expect(await context.files.text(blob?.uri ?? '')).toBe('one');
    expect(blob?.blob.uri).toBe(blob?.uri);
    expect(names(await poll(trigger, { from: 'gs://b/in/', maxFiles: 2 }))).toEqual(['CREATE in/3']);
    expect(await poll(trigger, { from: 'gs://b/in/' })).toBeUndefined();
    storage.put('b', 'in/2', 'changed');
    expect(names(await poll(trigger, { from: 'gs://b/in/' }))).toEqual(['UPDATE in/2']);
  });

  test('with DELETE every object counts', async () => {
    const { storage, poll } = await aStorage();
    storage.put('b', 'in/1', 'one');
    expect(names(await poll(trigger, { from: 'gs://b/in/', action: 'DELETE' }))).toEqual(['CREATE in/1']);
    expect(storage.objects.size).toBe(0);
    storage.put('b', 'in/1', 'again');
    expect(names(await poll(trigger, { from: 'gs://b/in/', action: 'DELETE' }))).toEqual(['CREATE in/1']);
  });
});
