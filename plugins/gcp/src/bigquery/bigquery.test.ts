import { describe, expect, test } from 'vitest';
import type { Json } from '../google/json.ts';
import { aRow, FakeBigQuery, type JobEnd } from '../testing/fakeBigQuery.ts';
import { type Received, refusal, startGoogle } from '../testing/fakeGoogle.ts';
import { load, loadFromGcs } from './load.ts';
import { query, trigger } from './query.ts';
import { storageWrite } from './storageWrite.ts';

async function aBigQuery(end?: (configuration: Json, count: number) => JobEnd) {
  const bigquery = new FakeBigQuery(end);
  return { bigquery, ...(await startGoogle(bigquery.handle)) };
}

const people = {
  schema: {
    fields: [
      { name: 'id', type: 'INTEGER' },
      { name: 'name', type: 'STRING' },
    ],
  },
  rows: [aRow('1', 'Ada'), aRow('2', null), aRow('3', 'Grace')],
  statistics: {
    totalBytesProcessed: '100',
    query: {
      cacheHit: false,
      totalBytesBilled: '200',
      totalBytesProcessed: '100',
      totalSlotMs: '7',
      referencedTables: [{}, {}],
    },
  },
};

describe('Query', () => {
  test('runs a labeled job and returns nothing by default', async () => {
    const { bigquery, run, context } = await aBigQuery(() => people);
    const outputs = await run(query, {
      sql: 'SELECT 1',
      destinationTable: 'shop.orders',
      writeDisposition: 'WRITE_TRUNCATE',
      timePartitioningField: 'day',
      clusteringFields: ['id'],
      labels: { team: 'a' },
      jobTimeout: 'PT1M',
      maximumBytesBilled: 1000,
      defaultDataset: 'shop',
    });
    expect(outputs).toEqual({
      jobId: expect.stringMatching(/^millrace_execution1_run1_[\w-]+$/),
      destinationTable: { project: 'my-project', dataset: 'shop', table: 'orders' },
    });
    expect(bigquery.configurations).toEqual([
      {
        jobTimeoutMs: '60000',
        labels: {
          kestra_namespace: 'company_team',
          kestra_flow_id: 'a_flow',
          kestra_execution_id: 'execution1',
          kestra_task_id: 'a_task',
          team: 'a',
        },
        query: {
          query: 'SELECT 1',
          useLegacySql: false,
          destinationTable: { projectId: 'my-project', datasetId: 'shop', tableId: 'orders' },
          writeDisposition: 'WRITE_TRUNCATE',
          clustering: { fields: ['id'] },
          timePartitioning: { type: 'DAY', field: 'day' },
          defaultDataset: { datasetId: 'shop', projectId: 'my-project' },
          priority: 'INTERACTIVE',
          maximumBytesBilled: '1000',
        },
      },
    ]);
    expect(context.metrics).toContainEqual({ name: 'duration', type: 'timer', value: 1000 });
    expect(context.metrics).toContainEqual({ name: 'total.bytes.billed', type: 'counter', value: 200 });
    expect(context.metrics).toContainEqual({ name: 'referenced.tables', type: 'counter', value: 2 });
  });

  test('returns rows in every way', async () => {
    const { run, context } = await aBigQuery(() => people);
    const rows = [
      { id: 1, name: 'Ada' },
      { id: 2, name: null },
      { id: 3, name: 'Grace' },
    ];
    expect(await run(query, { sql: 'x', fetchType: 'FETCH' })).toMatchObject({ rows, size: 3 });
    expect(await run(query, { sql: 'x', fetchType: 'FETCH_ONE' })).toMatchObject({ row: rows[0], size: 1 });
    expect(await run(query, { sql: 'x', fetch: true })).toMatchObject({ rows, size: 3 });
    const { uri, size } = await run(query, { sql: 'x', store: true });
    expect(size).toBe(3);
    expect(await context.files.text(String(uri))).toBe(
      '{"id":1,"name":"Ada"}\n{"id":2,"name":null}\n{"id":3,"name":"Grace"}\n',
    );
  });

  test('keeps the type of every kind of column', async () => {
    const type = (name: string, more: Json = {}) => ({ name: name.toLowerCase(), type: name, ...more });
    const schema = {
      fields: [
        type('BOOLEAN'),
        type('BYTES'),
        type('INTEGER'),
        type('FLOAT'),
        type('NUMERIC'),
        type('BIGNUMERIC'),
        type('DATE'),
        type('DATETIME'),
        type('TIME'),
        type('TIMESTAMP'),
        type('GEOGRAPHY'),
        type('JSON'),
        type('INTERVAL'),
        type('RANGE', { rangeElementType: { type: 'DATE' } }),
        { name: 'list', type: 'INTEGER', mode: 'REPEATED' },
        {
          name: 'record',
          type: 'RECORD',
          fields: [
            { name: 'a', type: 'STRING' },
            { name: 'b', type: 'FLOAT' },
          ],
        },
      ],
    };
    const row = aRow(
      'true',
      'aGk=',
      '9007199254740993',
      '10.0',
      '1.5',
      '12345678901234567890.12345',
      '2026-01-31',
      '2026-01-31T08:00:00.5',
      '08:30:00',
      '-1500000',
      'POINT(13.4 52.5)',
      '{"a":[1]}',
      '1-2 3 4:5:6',
      '[2026-01-01, UNBOUNDED)',
      [{ v: '1' }, { v: '2' }],
      { f: [{ v: 'x' }, { v: '2' }] },
    );
    const { run, context } = await aBigQuery(() => ({ schema, rows: [row] }));
    const { uri } = await run(query, { sql: 'x', fetchType: 'STORE' });
    expect(await context.files.text(String(uri))).toBe(
      '{"boolean":true,"bytes":{{aGk=}},"integer":9007199254740993,"float":10e0,"numeric":1.5e0,"bignumeric":12345678901234567890.12345d0,"date":2026-01-31,"datetime":"2026-01-31T08:00:00.5Z","time":LocalTime::"08:30","timestamp":1969-12-31T23:59:58.500Z,"geography":[13.4e0,52.5e0],"json":{"a":[1]},"interval":"1-2 3 4:5:6","range":{"start":2026-01-01,"end":null},"list":[1,2],"record":{"a":"x","b":2e0}}\n',
    );
    const { row: fetched } = await run(query, { sql: 'x', fetchType: 'FETCH_ONE' });
    expect(fetched).toMatchObject({
      bytes: 'aGk=',
      integer: '9007199254740993',
      float: 10,
      bignumeric: '12345678901234567890.12345',
      date: '2026-01-31',
      timestamp: '1969-12-31T23:59:58.500Z',
      record: { a: 'x', b: 2 },
    });
  });

  test('a wrong statement fails at once with the message of BigQuery', async () => {
    const { bigquery, run } = await aBigQuery(() => ({
      error: { reason: 'invalidQuery', message: 'Syntax error: Unexpected identifier "SELEC" at [1:1]' },
    }));
    await expect(run(query, { sql: 'SELEC 1' })).rejects.toMatchObject({
      message: 'The BigQuery job failed (invalidQuery): Syntax error: Unexpected identifier "SELEC" at [1:1]',
      retry: false,
    });
    expect(bigquery.jobs.size).toBe(1);
  });

  test('a job that failed for a passing reason runs again', async () => {
    const { bigquery, run } = await aBigQuery((_, count) =>
      count < 3
        ? {
            error: {
              reason: count === 1 ? 'backendError' : 'other',
              message: 'Aborted due to concurrent update',
            },
          }
        : people,
    );
    const retryAuto = { type: 'constant', interval: 'PT0.01S' };
    expect(await run(query, { sql: 'x', fetchType: 'FETCH', retryAuto })).toMatchObject({ size: 3 });
    expect(bigquery.jobs.size).toBe(3);
    await expect(
      (await aBigQuery(() => ({ error: { reason: 'backendError', message: 'no' } }))).run(query, {
        sql: 'x',
        retryAuto: { ...retryAuto, maxAttempts: 2 },
      }),
    ).rejects.toThrow('The BigQuery job failed (backendError): no');
  });

  test('killing the task cancels the job', async () => {
    const { bigquery, run, context } = await aBigQuery(() => ({ hangs: true }));
    const running = run(query, { sql: 'x' });
    await expect.poll(() => [...bigquery.jobs.values()][0]?.looks ?? 0).toBeGreaterThan(0);
    context.kill();
    await expect(running).rejects.toThrow(/abort/i);
    expect(bigquery.cancelled).toEqual([...bigquery.jobs.keys()]);
  });

  test('a table name that is none is named', async () => {
    const { run } = await aBigQuery();
    await expect(run(query, { sql: 'x', destinationTable: 'orders' })).rejects.toThrow(
      '"destinationTable" must be "dataset.table" or "project.dataset.table", got "orders".',
    );
  });
});

test('Trigger starts only when there are rows', async () => {
  const { poll } = await aBigQuery(() => people);
  expect(await poll(trigger, { sql: 'x', fetchType: 'FETCH' })).toMatchObject({
    size: 3,
    rows: [{ id: 1 }, {}, {}],
  });
  expect(await poll(trigger, { sql: 'x' })).toMatchObject({ size: 3 });
  const empty = await aBigQuery(() => ({ ...people, rows: [] }));
  expect(await empty.poll(trigger, { sql: 'x', fetchType: 'FETCH' })).toBeUndefined();
});

describe('loading', () => {
  const loaded = {
    statistics: {
      load: { inputFiles: '1', inputFileBytes: '10', outputRows: '2', outputBytes: '8', badRecords: '0' },
    },
  };

  test('Load uploads the file as a job', async () => {
    const { bigquery, run, context } = await aBigQuery(() => loaded);
    const from = await context.files.put('a.csv', 'id\n1\n2\n');
    const properties = {
      from,
      destinationTable: 'shop.orders',
      format: 'CSV',
      csvOptions: { skipLeadingRows: 1, fieldDelimiter: ';' },
      schema: { fields: [{ name: 'id', type: 'int64' }] },
      writeDisposition: 'WRITE_APPEND',
    };
    expect(await run(load, properties)).toEqual({
      jobId: expect.any(String),
      destinationTable: 'my-project.shop.orders',
      rows: 2,
    });
    expect(bigquery.uploads.map(String)).toEqual(['id\n1\n2\n']);
    expect(bigquery.configurations[0]?.load).toEqual({
      destinationTable: { projectId: 'my-project', datasetId: 'shop', tableId: 'orders' },
      sourceFormat: 'CSV',
      writeDisposition: 'WRITE_APPEND',
      schema: { fields: [{ name: 'id', type: 'INT64' }] },
      fieldDelimiter: ';',
      skipLeadingRows: '1',
    });
    expect(context.metrics).toContainEqual({ name: 'output.rows', type: 'counter', value: 2 });
  });

  test('an empty file fails, or loads nothing', async () => {
    const { run, context } = await aBigQuery();
    const from = await context.files.put('a.csv', '');
    await expect(run(load, { from, destinationTable: 'shop.orders' })).rejects.toThrow('is empty');
    expect(await run(load, { from, destinationTable: 'shop.orders', failedOnEmpty: false })).toEqual({
      destinationTable: 'my-project.shop.orders',
      rows: 0,
    });
  });

  test('LoadFromGcs names the objects', async () => {
    const { bigquery, run } = await aBigQuery(() => loaded);
    expect(
      await run(loadFromGcs, { from: ['gs://b/*.json'], destinationTable: 'a.b.c', format: 'JSON' }),
    ).toMatchObject({
      destinationTable: 'a.b.c',
      rows: 2,
    });
    expect(bigquery.configurations[0]?.load).toMatchObject({
      sourceUris: ['gs://b/*.json'],
      sourceFormat: 'NEWLINE_DELIMITED_JSON',
    });
  });

  const insertAll = (answer: Json) => (request: Received) =>
    request.path.endsWith('/datasets/shop/tables/orders/insertAll')
      ? { body: answer }
      : refusal(404, 'no', 'notFound');

  test('StorageWrite streams rows in batches with ids', async () => {
    const { bigquery, run, context, received } = await aBigQuery();
    bigquery.other = insertAll({});
    const from = await context.files.put(
      'rows.ion',
      '{"id":1,"day":2026-01-31}\n{"id":2,"amount":1.5d0}\n{"id":3}\n',
    );
    expect(await run(storageWrite, { from, destinationTable: 'shop.orders', bufferSize: 2 })).toEqual({
      rows: 3,
      rowsCount: 3,
    });
    const rows = received.map(({ json }) => json.rows as { insertId: string; json: Json }[]);
    expect(rows.map((batch) => batch.map(({ json }) => json))).toEqual([
      [
        { id: 1, day: '2026-01-31' },
        { id: 2, amount: '1.5' },
      ],
      [{ id: 3 }],
    ]);
    expect(new Set(rows.flat().map(({ insertId }) => insertId)).size).toBe(3);
  });

  test('StorageWrite names the row that BigQuery refuses', async () => {
    const { bigquery, run, context } = await aBigQuery();
    bigquery.other = insertAll({
      insertErrors: [
        {
          index: 1,
          errors: [{ reason: 'invalid', location: 'id', message: 'Cannot convert value to integer' }],
        },
      ],
    });
    const from = await context.files.put('rows.ion', '{"id":1}\n{"id":"x"}\n');
    await expect(run(storageWrite, { from, destinationTable: 'shop.orders' })).rejects.toThrow(
      'BigQuery refused row 2 at "id": Cannot convert value to integer. 0 rows were appended.',
    );
  });

  test('StorageWrite loads pending rows in one job', async () => {
    const { bigquery, run, context } = await aBigQuery(() => loaded);
    const from = await context.files.put('rows.ion', '{"id":1}\n{"id":2}\n');
    expect(
      await run(storageWrite, { from, destinationTable: 'shop.orders', writeStreamType: 'PENDING' }),
    ).toEqual({
      rows: 2,
      rowsCount: 2,
      commitTime: '1970-01-01T00:00:02.500Z',
    });
    expect(bigquery.uploads.map(String)).toEqual(['{"id":1}\n{"id":2}\n']);
    expect(bigquery.configurations[0]?.load).toMatchObject({
      createDisposition: 'CREATE_NEVER',
      writeDisposition: 'WRITE_APPEND',
    });
  });
});
