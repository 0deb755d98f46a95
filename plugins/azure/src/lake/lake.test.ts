import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AzureDouble, account, key, startAzureDouble } from '../testing/azureDouble.ts';
import { aDataLake } from '../testing/dataLakeDouble.ts';
import { anAzureContext, pollAzure, runAzure } from '../testing/runAzure.ts';

let azure: AzureDouble;
beforeAll(async () => {
  azure = await startAzureDouble();
});
afterAll(() => azure.stop());

const run = (name: string, properties: object, context = anAzureContext()) =>
  runAzure(`azure.storage.adls.${name}`, { ...azure.connection, fileSystem: 'raw', ...properties }, context);

test('files are uploaded in blocks, read, listed and deleted', async () => {
  const lake = aDataLake(azure);
  const context = anAzureContext();
  const large = Buffer.alloc(9 * 1_048_576, 7);
  const from = await context.files.put('large.bin', large);
  const read = context.files.read;
  // In pieces, as real storage returns them.
  context.files.read = async () =>
    (async function* () {
      for (let count = 0; count < 9; count++) yield large.subarray(0, 1_048_576);
    })();
  const { file } = await run(
    'Upload',
    { filePath: '/in/a b.bin', from, useLease: true, leaseDurationSeconds: 15, validateChecksum: true },
    context,
  );
  context.files.read = read;
  expect(file).toMatchObject({
    uri: expect.stringMatching(/^abfss:\/\/raw@127\.0\.0\.1:\d+\/in\/a b\.bin$/),
    fileSystem: 'raw',
    name: 'in/a b.bin',
    fileName: 'a b.bin',
    size: large.length,
    isDirectory: false,
    lastModified: '2026-01-01T00:00:00.000Z',
    lastModifed: '2026-01-01T00:00:00.000Z',
    permissions: 'rw-r-----',
    leaseState: 'available',
    accessControlList: ['user::rw-', 'group::r--'],
    contentMd5: createHash('md5').update(large).digest('base64'),
  });
  expect(context.metrics).toEqual([{ name: 'file.size', type: 'counter', value: large.length }]);
  const steps = azure.requests.map(({ method, query, headers }) =>
    [method, query.action ?? query.resource ?? headers['x-ms-lease-action'], query.position]
      .filter(Boolean)
      .join(' '),
  );
  expect(steps.slice(0, 2)).toEqual(['PUT file', 'POST acquire']);
  expect(steps.slice(-3)).toEqual([`PATCH flush ${large.length}`, 'POST release', 'HEAD']);
  expect(steps.slice(2, 4)).toEqual(['PATCH append 0', `PATCH append ${8 * 1_048_576}`]);

  const got = await run(
    'Read',
    { filePath: 'in/a b.bin', validateChecksum: true, failOnMissingChecksum: true },
    context,
  );
  expect(await context.files.sizeOf((got.file as { uri: string }).uri)).toBe(large.length);
  await expect(run('Read', { filePath: 'in/a b.bin', expectedChecksum: 'ff' })).rejects.toThrow(
    'md5 checksum of "a b.bin"',
  );

  for (const name of ['raw/in/1.csv', 'raw/in/2.csv', 'raw/in/sub/3.csv']) lake.put(name, 'x');
  lake.put('raw/in/sub', '', true);
  const names = ({ files }: Readonly<Record<string, unknown>>) =>
    (files as { name: string }[]).map(({ name }) => name);
  expect(names(await run('List', { directoryPath: '/in/' }))).toEqual([
    'in/1.csv',
    'in/2.csv',
    'in/a b.bin',
    'in/sub',
  ]);
  expect(names(await run('List', { directoryPath: 'in', maxFiles: 1 }))).toEqual(['in/1.csv']);
  const fetched = await run('Reads', { directoryPath: 'in', maxFiles: 2 }, context);
  expect(Object.keys(fetched.outputFiles as object)).toEqual(['in/1.csv', 'in/2.csv']);

  expect(await run('Delete', { filePath: 'in/a b.bin' })).toMatchObject({ file: { size: large.length } });
  expect(await run('DeleteFiles', { directoryPath: 'in', concurrent: 2 })).toEqual({ count: 2, size: 2 });
  expect([...lake.files.keys()]).toEqual(['raw/in/sub/3.csv', 'raw/in/sub']);
  await expect(run('DeleteFiles', { directoryPath: 'in', errorOnEmpty: true })).rejects.toThrow(
    'no files to delete in "raw/in"',
  );
  await expect(run('Delete', { filePath: 'in/a b.bin' })).rejects.toThrow(
    'Data Lake Storage refused the properties of "raw/in/a b.bin": PathNotFound',
  );
  await expect(
    runAzure('azure.storage.adls.List', { ...azure.wrongConnection, fileSystem: 'raw', directoryPath: '/' }),
  ).rejects.toThrow('AuthenticationFailed');
});

test('a file is appended to, locked, and its permissions are changed', async () => {
  const lake = aDataLake(azure);
  lake.put('raw/log.txt', 'one\n');
  const context = anAzureContext();
  await run('update.Append', { filePath: 'log.txt', data: 'zwölf\n' }, context);
  expect(lake.files.get('raw/log.txt')?.content.toString()).toBe('one\nzwölf\n');
  expect(context.metrics.map(({ name, value }) => [name, value])).toEqual([
    ['file.size', 11],
    ['data.size', 7],
  ]);
  await expect(run('update.Append', { filePath: 'none.txt', data: 'x' })).rejects.toThrow('PathNotFound');

  const { id } = await run('update.Lease', { filePath: 'log.txt', leaseDuration: 30 });
  expect(azure.requests.at(-1)?.headers['x-ms-lease-duration']).toBe('30');
  await expect(run('update.Append', { filePath: 'log.txt', data: 'x' })).rejects.toThrow('LeaseIdMissing');
  await expect(run('update.Lease', { filePath: 'log.txt' })).rejects.toThrow('LeaseAlreadyPresent');
  expect(await run('update.Lease', { filePath: 'log.txt', action: 'RENEW', leaseId: id })).toEqual({ id });
  await expect(run('update.Lease', { filePath: 'log.txt', action: 'RENEW' })).rejects.toThrow(
    '"leaseId" must be given',
  );
  await run('update.Lease', { filePath: 'log.txt', action: 'RELEASE', leaseId: id });
  await run('update.Lease', { filePath: 'log.txt' });
  expect(await run('update.Lease', { filePath: 'log.txt', action: 'BREAK' })).toEqual({});

  await run('update.SetAccessControl', {
    filePath: 'log.txt',
    groupPermissions: { readPermission: true, writePermission: true },
  });
  expect(lake.files.get('raw/log.txt')?.permissions).toBe('rw-rw----');
  await expect(run('update.SetAccessControl', { filePath: 'log.txt' })).rejects.toThrow('must be given');
});

test('a killed upload releases its lease', async () => {
  const lake = aDataLake(azure);
  const context = anAzureContext();
  const from = await context.files.put('a.bin', 'data');
  const read = context.files.read.bind(context.files);
  context.files.read = async (uri) => {
    const content = await read(uri);
    return (async function* () {
      yield* content;
      context.kill();
      yield Buffer.from('more');
    })();
  };
  const upload = { filePath: 'a.bin', from, useLease: true, leaseDurationSeconds: -1 };
  await expect(run('Upload', upload, context)).rejects.toThrow();
  expect(lake.files.get('raw/a.bin')?.leaseId).toBeUndefined();
  expect(azure.requests.map(({ headers }) => headers['x-ms-lease-action']).filter(Boolean)).toEqual([
    'acquire',
    'release',
  ]);
});

test('the signature of a shared address covers path, permissions and date', async () => {
  const { uri } = await run('SharedAccess', {
    filePath: '/in/a.csv',
    expirationDate: '2030-01-01T00:00:00Z',
    permissions: ['MANAGE_OWNERSHIP', 'READ', 'LIST'],
  });
  const { pathname, searchParams } = new URL(String(uri));
  expect(pathname).toBe(`/${account}/raw/in/a.csv`);
  const text = `rlo\n\n2030-01-01T00:00:00Z\n/blob/${account}/raw/in/a.csv\n\n\n\n2020-12-06\nb\n\n\n\n\n\n\n`;
  expect(searchParams.get('sig')).toBe(
    createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64'),
  );
});

test('the trigger moves or deletes files after the execution is stored, or remembers them', async () => {
  const lake = aDataLake(azure);
  lake.put('raw/in', '', true);
  lake.put('raw/in/a.csv', 'a');
  const input = { ...azure.connection, fileSystem: 'raw', directoryPath: 'in' };
  const context = anAzureContext();
  expect(await pollAzure('azure.storage.adls.Trigger', input, context)).toMatchObject({
    files: [{ name: 'in/a.csv', changeType: 'CREATE', file: { fileSystem: 'raw' } }],
  });
  expect(await pollAzure('azure.storage.adls.Trigger', input, context)).toBeUndefined();
  const moveTo = { fileSystem: 'done', directoryPath: '/2026/x' };
  const move = { ...input, action: 'MOVE', moveTo };
  const emit = async () => void expect(lake.files.has('raw/in/a.csv')).toBe(true);
  await pollAzure('azure.storage.adls.Trigger', move, { ...context, emit });
  expect(lake.files.has('done/2026/x/a.csv')).toBe(true);
  lake.put('raw/in/b.csv', 'b');
  await pollAzure('azure.storage.adls.Trigger', move, context);
  await pollAzure(
    'azure.storage.adls.Trigger',
    { ...input, directoryPath: undefined, action: 'DELETE' },
    context,
  );
  expect([...lake.files.keys()].filter((name) => name.endsWith('.csv'))).toEqual([
    'done/2026/x/a.csv',
    'done/2026/x/b.csv',
  ]);
  expect(context.emitted).toHaveLength(1);
});
