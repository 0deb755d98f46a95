import { expect, test } from 'vitest';
import { type Received, type Reply, refusal, startGoogle } from '../testing/fakeGoogle.ts';
import { createDataset, deleteDataset, updateDataset } from './datasets.ts';
import { createTable, deleteTable, tableMetadata, updateTable } from './tables.ts';
import { runTransferConfig } from './transferConfig.ts';

const base = '/bigquery/v2/projects/my-project/datasets';

test('datasets are created, changed, skipped and deleted', async () => {
  const seen: Received[] = [];
  const exists = {
    datasetReference: { datasetId: 'shop', projectId: 'my-project' },
    location: 'EU',
    friendlyName: 'Shop',
  };
  const { run } = await startGoogle((request): Reply => {
    seen.push(request);
    if (request.method === 'POST')
      return seen.length > 1 ? refusal(409, 'Already Exists: Dataset', 'duplicate') : { body: { ...exists } };
    return { body: exists };
  });
  const acl = [{ entity: { type: 'USER', value: 'ada@example.com' }, role: 'READER' }];
  expect(await run(createDataset, { name: 'shop', location: 'EU', acl, description: 'Orders' })).toEqual({
    dataset: 'shop',
    project: 'my-project',
    location: 'EU',
    friendlyName: 'Shop',
  });
  expect(seen[0]).toMatchObject({
    path: base,
    json: {
      datasetReference: { datasetId: 'shop', projectId: 'my-project' },
      location: 'EU',
      description: 'Orders',
      access: [{ role: 'READER', userByEmail: 'ada@example.com' }],
    },
  });
  await expect(run(createDataset, { name: 'shop' })).rejects.toThrow(
    'HTTP 409 (duplicate): Already Exists: Dataset.',
  );
  expect(await run(createDataset, { name: 'shop', ifExists: 'SKIP' })).toMatchObject({ dataset: 'shop' });
  await run(createDataset, { name: 'shop', ifExists: 'UPDATE', friendlyName: 'x' });
  expect(seen.at(-1)).toMatchObject({ method: 'PATCH', path: `${base}/shop`, json: { friendlyName: 'x' } });
  await run(updateDataset, { name: 'shop', defaultTableLifetime: 3_600_000 });
  expect(seen.at(-1)?.json).toEqual({ defaultTableExpirationMs: '3600000' });
  expect(await run(deleteDataset, { name: 'other.shop', deleteContents: true })).toEqual({ dataset: 'shop' });
  expect(seen.at(-1)?.path).toBe('/bigquery/v2/projects/other/datasets/shop');
  expect(seen.at(-1)?.query.get('deleteContents')).toBe('true');
});

test('a table is created with columns and partitions, and described', async () => {
  const seen: Received[] = [];
  const { run } = await startGoogle((request): Reply => {
    seen.push(request);
    if (request.path.endsWith('/none')) return refusal(404, 'Not found: Table', 'notFound');
    return {
      body: {
        tableReference: { projectId: 'my-project', datasetId: 'shop', tableId: 'orders' },
        type: 'TABLE',
        numRows: '12',
        numBytes: '100',
        creationTime: '1769846400000',
        schema: { fields: [{ name: 'a', type: 'RECORD', fields: [{ name: 'b', type: 'STRING' }] }] },
        clustering: { fields: ['a'] },
      },
    };
  });
  const place = { dataset: 'shop', table: 'orders' };
  const outputs = await run(createTable, {
    ...place,
    description: 'All orders',
    tableDefinition: {
      type: 'TABLE',
      schema: {
        fields: [{ name: 'a', type: 'record', mode: 'nullable', subFields: [{ name: 'b', type: 'string' }] }],
      },
      standardTableDefinition: {
        clustering: ['a'],
        timePartitioning: { type: 'MONTH', field: 'day', expiration: 'P1D', requirePartitionFilter: true },
      },
    },
  });
  expect(seen[0]?.json).toEqual({
    tableReference: { projectId: 'my-project', datasetId: 'shop', tableId: 'orders' },
    description: 'All orders',
    schema: {
      fields: [{ name: 'a', type: 'RECORD', mode: 'NULLABLE', fields: [{ name: 'b', type: 'STRING' }] }],
    },
    clustering: { fields: ['a'] },
    timePartitioning: { type: 'MONTH', field: 'day', expirationMs: '86400000' },
    requirePartitionFilter: true,
  });
  expect(outputs).toMatchObject({
    table: 'orders',
    numRows: 12,
    creationTime: '2026-01-31T08:00:00.000Z',
    definition: {
      type: 'TABLE',
      schema: { fields: [{ name: 'a', type: 'RECORD', subFields: [{ name: 'b', type: 'STRING' }] }] },
      standardTableDefinition: { clustering: ['a'] },
    },
  });
  await run(updateTable, { ...place, tableDefinition: { viewDefinition: { query: 'SELECT 1' } } });
  expect(seen.at(-1)).toMatchObject({
    method: 'PATCH',
    json: { view: { query: 'SELECT 1', useLegacySql: false } },
  });
  expect(await run(tableMetadata, place)).toMatchObject({ numRows: 12 });
  await expect(run(tableMetadata, { dataset: 'shop', table: 'none' })).rejects.toThrow(
    'The table my-project.shop.none does not exist.',
  );
  expect(await run(tableMetadata, { dataset: 'shop', table: 'none', ifNotExists: 'SKIP' })).toEqual({
    projectId: 'my-project',
    datasetId: 'shop',
    table: 'none',
  });
  expect(await run(deleteTable, place)).toMatchObject({ table: 'orders' });
  expect(seen.at(-1)?.method).toBe('DELETE');
});

test('a transfer is started, or a run that has not ended is waited for', async () => {
  const name = 'projects/my-project/locations/eu/transferConfigs/1';
  const run1 = { name: `${name}/runs/1`, state: 'RUNNING', destinationDatasetId: 'shop' };
  let open: unknown[] = [];
  const { run, calls } = await startGoogle(({ path, method }) => {
    if (path.endsWith('/runs')) return { body: { transferRuns: open } };
    if (path.endsWith(':startManualRuns')) return { body: { runs: [run1] } };
    return method === 'GET' ? { body: { ...run1, state: 'SUCCEEDED' } } : refusal(404, 'no');
  });
  const properties = { transferConfigName: name, pollInterval: 'PT0.01S' };
  expect(await run(runTransferConfig, properties)).toEqual({
    runName: run1.name,
    state: 'SUCCEEDED',
    reattached: false,
    destinationDatasetId: 'shop',
    projectId: 'my-project',
    location: 'eu',
  });
  open = [{ ...run1, startTime: new Date(Date.now() - 60_000).toISOString() }];
  expect(await run(runTransferConfig, properties)).toMatchObject({ reattached: true });
  expect(calls().filter((call) => call.includes('startManualRuns'))).toHaveLength(1);
  expect(await run(runTransferConfig, { ...properties, reattachMaxAge: 'PT1S' })).toMatchObject({
    reattached: false,
  });
});
