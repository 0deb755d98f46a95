import { storedRows } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAzurite } from './testing/azurite.ts';
import { anAzureContext, pollAzure, runAzure } from './testing/runAzure.ts';

/** The folder in which Azurite is installed; `npm run test:connectors` sets it. */
const folder = process.env.MILLRACE_AZURITE ?? '';

describe.skipIf(folder === '')('Azurite', () => {
  let azurite: Awaited<ReturnType<typeof startAzurite>>;
  beforeAll(async () => {
    azurite = await startAzurite(folder);
  });
  afterAll(() => azurite.stop());
  const connection = () => ({ connectionString: azurite.connectionString });
  const run = (name: string, properties: object, context = anAzureContext()) =>
    runAzure(`azure.storage.${name}`, { ...connection(), ...properties }, context);
  const names = (outputs: Readonly<Record<string, unknown>>) =>
    (outputs.blobs as { name: string }[]).map(({ name }) => name);

  test('blobs: upload in one and in many requests, list, copy, share, move, delete', async () => {
    const context = anAzureContext();
    for (const container of ['files', 'archive']) await azurite.createContainer(container);
    const small = await context.files.put('a.txt', 'text');
    const name = 'in/über den+Tag (1).txt';
    const uploaded = await run(
      'blob.Upload',
      { container: 'files', name, from: small, metadata: { author: 'Ada' }, validateChecksum: true },
      context,
    );
    expect(uploaded).toMatchObject({
      blob: { container: 'files', name, size: 4, uri: `az://files/${name}` },
    });
    const large = await context.files.put('b.bin', Buffer.alloc(20 * 1_048_576, 7));
    await run(
      'blob.Upload',
      { container: 'files', name: 'large.bin', from: large, validateChecksum: true },
      context,
    );
    const fetched = await run(
      'blob.Download',
      { container: 'files', name: 'large.bin', validateChecksum: true, failOnMissingChecksum: true },
      context,
    );
    const { uri, size } = fetched.blob as { uri: string; size: number };
    expect([size, await context.files.sizeOf(uri)]).toEqual([20 * 1_048_576, 20 * 1_048_576]);
    expect(names(await run('blob.List', { container: 'files' }))).toEqual([name, 'large.bin']);
    expect(names(await run('blob.List', { container: 'files', delimiter: '/', filter: 'BOTH' }))).toEqual([
      'large.bin',
      'in/',
    ]);
    await run('blob.Copy', {
      from: { container: 'files', name },
      to: { container: 'archive', name: 'copy.txt' },
    });
    const shared = await run('blob.SharedAccess', {
      container: 'archive',
      name: 'copy.txt',
      permissions: ['READ'],
      expirationDate: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect(await (await fetch(String(shared.uri))).text()).toBe('text');
    const moved = {
      container: 'files',
      prefix: 'in/',
      interval: 'PT1M',
      action: 'MOVE',
      moveTo: { container: 'archive', name: 'done' },
    };
    await pollAzure('azure.storage.blob.Trigger', { ...connection(), ...moved }, context);
    expect(context.emitted).toMatchObject([{ blobs: [{ name, changeType: 'CREATE' }] }]);
    expect(names(await run('blob.List', { container: 'archive' }))).toEqual([
      'copy.txt',
      'done/über den+Tag (1).txt',
    ]);
    const all = await run('blob.Downloads', { container: 'archive', action: 'DELETE' }, context);
    expect(Object.keys(all.outputFiles as object)).toHaveLength(2);
    expect(await run('blob.Delete', { container: 'files', name: 'large.bin' })).toMatchObject({
      blob: { name: 'large.bin' },
    });
    expect(await run('blob.DeleteList', { container: 'files' })).toEqual({ count: 0, size: 0 });
    await expect(run('blob.Download', { container: 'files', name: 'missing' })).rejects.toThrow(
      'BlobNotFound',
    );
  });

  test('tables: bulk, get, list, delete', async () => {
    const context = anAzureContext();
    await azurite.createTable('orders');
    const entities = Array.from({ length: 230 }, (_, index) => ({
      partitionKey: index < 220 ? 'DE' : 'FR',
      rowKey: String(index).padStart(4, '0'),
      properties: { amount: index, name: "O'Neil" },
    }));
    expect(await run('table.Bulk', { table: 'orders', from: entities })).toEqual({ count: 230 });
    const got = await run('table.Get', { table: 'orders', partitionKey: 'DE', rowKey: '0007' });
    expect(got).toMatchObject({ row: { partitionKey: 'DE', properties: { amount: 7, name: "O'Neil" } } });
    const listed = await run('table.List', { table: 'orders', top: 100 }, context);
    expect([listed.count, (await storedRows(context, listed.uri)).length]).toEqual([230, 230]);
    expect(await run('table.List', { table: 'orders', filter: "PartitionKey eq 'FR'" })).toMatchObject({
      count: 10,
    });
    await run('table.Delete', { table: 'orders', partitionKey: 'FR', rowKey: '0220' });
    expect(await run('table.Get', { table: 'orders', partitionKey: 'FR', rowKey: '0220' })).toEqual({});
    await expect(
      run('table.Bulk', { table: 'orders', from: { partitionKey: 'DE', rowKey: '0000', type: 'CREATE' } }),
    ).rejects.toThrow('Table Storage refused the change of "orders"');
  });
});
