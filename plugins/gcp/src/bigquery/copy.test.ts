import { describe, expect, test } from 'vitest';
import type { Json } from '../google/json.ts';
import { aRow, FakeBigQuery, type JobEnd } from '../testing/fakeBigQuery.ts';
import { startGoogle } from '../testing/fakeGoogle.ts';
import { copy, copyPartitions, deletePartitions, extractToGcs } from './copy.ts';

async function aBigQuery(end?: (configuration: Json, count: number) => JobEnd) {
  const bigquery = new FakeBigQuery(end);
  return { bigquery, ...(await startGoogle(bigquery.handle)) };
}

describe('copying', () => {
  const partitions = {
    schema: { fields: [{ name: 'partition_id', type: 'STRING' }] },
    rows: ['20260101', '20260102', '20260103', '__NULL__'].map((id) => aRow(id)),
  };

  test('Copy and ExtractToGcs run jobs', async () => {
    const { bigquery, run } = await aBigQuery(() => ({
      statistics: { extract: { destinationUriFileCounts: ['2', '1'] } },
    }));
    expect(
      await run(copy, { sourceTables: ['a.b', 'p.c.d'], destinationTable: 'e.f', operationType: 'CLONE' }),
    ).toEqual({ jobId: expect.any(String) });
    expect(bigquery.configurations[0]?.copy).toEqual({
      sourceTables: [
        { projectId: 'my-project', datasetId: 'a', tableId: 'b' },
        { projectId: 'p', datasetId: 'c', tableId: 'd' },
      ],
      destinationTable: { projectId: 'my-project', datasetId: 'e', tableId: 'f' },
      operationType: 'CLONE',
    });
    expect(
      await run(extractToGcs, {
        sourceTable: 'a.b',
        destinationUris: ['gs://b/x-*', 'gs://b/y'],
        format: 'json',
      }),
    ).toMatchObject({
      sourceTable: 'my-project.a.b',
      fileCounts: [2, 1],
    });
    expect(bigquery.configurations[1]?.extract).toMatchObject({
      destinationFormat: 'NEWLINE_DELIMITED_JSON',
    });
  });

  test('partitions of a range are copied in one job', async () => {
    const { bigquery, run } = await aBigQuery((configuration) => (configuration.query ? partitions : {}));
    const range = {
      dataset: 'shop',
      table: 'orders',
      partitionType: 'DAY',
      from: '2026-01-02',
      to: '2026-01-31',
    };
    expect(await run(copyPartitions, { ...range, destinationTable: 'backup.orders' })).toMatchObject({
      projectId: 'my-project',
      datasetId: 'shop',
      table: 'orders',
      partitions: ['20260102', '20260103'],
    });
    expect(bigquery.configurations[1]?.copy).toMatchObject({
      sourceTables: [{ tableId: 'orders$20260102' }, { tableId: 'orders$20260103' }],
    });
    const none = { ...range, from: '2027-01-01', to: '2027-01-02', destinationTable: 'backup.orders' };
    await expect(run(copyPartitions, none)).rejects.toThrow(
      'has no partition between 2027-01-01 and 2027-01-02',
    );
    expect(await run(copyPartitions, { ...none, skipEmpty: true })).toMatchObject({ partitions: [] });
  });

  test('partitions of a range are deleted one by one', async () => {
    const { bigquery, run, calls } = await aBigQuery(() => partitions);
    bigquery.other = () => ({ status: 204 });
    await run(deletePartitions, {
      dataset: 'shop',
      table: 'orders',
      partitionType: 'DAY',
      from: '2026-01-01',
      to: '2026-01-02',
    });
    expect(calls().filter((call) => call.startsWith('DELETE'))).toEqual([
      'DELETE bigquery.googleapis.com/bigquery/v2/projects/my-project/datasets/shop/tables/orders%2420260101',
      'DELETE bigquery.googleapis.com/bigquery/v2/projects/my-project/datasets/shop/tables/orders%2420260102',
    ]);
  });
});
