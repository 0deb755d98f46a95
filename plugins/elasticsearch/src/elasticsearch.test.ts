import type { TaskDefinition } from '@millrace/plugin-kit';
import {
  aTaskContext,
  producedForStalledStorage,
  realNetwork,
  runType,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { elasticsearchFamily } from './index.ts';
import { aSearchStub } from './testing/searchStub.ts';

const engines = ['elasticsearch', 'opensearch'] as const;
const aContext = () => aTaskContext(realNetwork());

async function aCluster(engine: string) {
  const stub = await aSearchStub('alice:correct-password');
  const connection = { hosts: [stub.url], basicAuth: { username: 'alice', password: 'correct-password' } };
  const run = (name: string, properties: object = {}, context: TestContext = aContext()) => {
    const found = elasticsearchFamily.types.find(({ type }) => type === `${engine}.${name}`);
    // `as`: the names in these tests are those of tasks.
    return runType(found as TaskDefinition, { connection, ...properties }, context);
  };
  return { stub, connection, run };
}

test.each(engines)('%s: lines of the log become documents with a date', async (engine) => {
  const { stub, connection } = await aCluster(engine);
  const exporter = elasticsearchFamily.types.find(({ type }) => type === `${engine}.LogExporter`);
  if (exporter?.kind !== 'logExporter') throw new Error('No exporter');
  const lines = async function* () {
    for (const message of ['a', 'b', 'c']) yield { message, timestamp: '2026-01-31T00:00:00.000Z' };
  };
  const input = exporter.input.parse({ connection, chunk: 2 });
  expect(await exporter.export(aContext(), input, lines())).toEqual({ size: 3 });
  expect(stub.requests).toEqual(['POST /_bulk', 'POST /_bulk']);
});

test.each(engines)('%s: documents are put, read, changed and deleted', async (engine) => {
  const { stub, run } = await aCluster(engine);
  const order = { index: 'orders', key: 'a/1' };
  const value = { customer: 'Ada' };
  expect(await run('Put', { ...order, value, refreshPolicy: 'WAIT_UNTIL' })).toEqual({
    id: 'a/1',
    result: 'Created',
    version: 1,
  });
  expect(stub.requests).toEqual(['PUT /orders/_doc/a%2F1?refresh=wait_for']);
  expect(await run('Put', { ...order, opType: 'UPDATE', value: '{"total":3}' })).toMatchObject({
    result: 'Updated',
  });
  expect(await run('Get', { ...order, docVersion: 2 })).toEqual({ row: { customer: 'Ada', total: 3 } });
  await expect(run('Put', { ...order, opType: 'CREATE', value })).rejects.toThrow('status 409');
  expect(await run('Put', { ...order, opType: 'DELETE' })).toMatchObject({ result: 'Deleted' });
  expect(await run('Get', order)).toEqual({ row: null });
  await expect(run('Get', { ...order, errorOnMissing: true })).rejects.toThrow('There is no document');
  expect(await run('Put', { ...order, opType: 'DELETE' })).toMatchObject({ result: 'NotFound' });
});

test.each(engines)('%s: rows are loaded in chunks, searched and exported', async (engine) => {
  const { stub, run } = await aCluster(engine);
  const context = aContext();
  const rows = [1, 2, 3, 4, 5].map((id) => JSON.stringify({ id, name: `n${id}` })).join('\n');
  const from = await context.files.put('rows.ion', rows);
  expect(await run('Load', { from, index: 'orders', idKey: 'id', chunk: 2 }, context)).toEqual({ size: 5 });
  expect(stub.requests.filter((line) => line === 'POST /_bulk')).toHaveLength(3);
  expect(stub.documents.get('orders/3')?.source).toEqual({ name: 'n3' });
  const search = { indexes: ['orders'], request: { query: { match_all: {} } } };
  expect(await run('Search', search)).toEqual({ size: 2, total: 5, rows: [{ name: 'n1' }, { name: 'n2' }] });
  expect(await run('Search', { ...search, fetchType: 'FETCH_ONE' })).toMatchObject({ row: { name: 'n1' } });
  const stored = await run('Search', { ...search, request: '{}', fetchType: 'STORE' }, context);
  expect(await context.files.text(String(stored.uri))).toBe('{"name":"n1"}\n{"name":"n2"}\n');
  const all = await run('Scroll', search, context);
  expect(all.size).toBe(5);
  expect((await context.files.text(String(all.uri))).trim().split('\n')).toHaveLength(5);
  expect(stub.open.size).toBe(0);
  expect(context.metrics).toContainEqual({ name: 'records', type: 'counter', value: 5 });
});

test.each(engines)('%s: a scroll of any length streams to storage', async (engine) => {
  const { stub, run } = await aCluster(engine);
  stub.documents.set('orders/1', { source: { text: 'x'.repeat(10_000) }, version: 1 });
  stub.isEndless = true;
  const start = (context: TestContext) => run('Scroll', { indexes: ['orders'] }, context);
  const pages = () => stub.requests.filter((line) => line.startsWith('POST')).length;
  expect(await producedForStalledStorage(aContext(), start, pages)).toBeLessThan(5);
});

test.each(engines)(
  '%s: a bulk file is sent as it is, and a refused operation fails the task',
  async (engine) => {
    const { stub, run } = await aCluster(engine);
    const context = aContext();
    const index = (id: string, document: object) =>
      `{"index":{"_index":"x","_id":"${id}"}}\n${JSON.stringify(document)}\n`;
    const from = await context.files.put(
      'bulk',
      `${index('1', {})}{"delete":{"_index":"x","_id":"1"}}\n${index('2', {})}`,
    );
    expect(await run('Bulk', { from, chunk: 1 }, context)).toEqual({ size: 3 });
    expect([...stub.documents.keys()]).toEqual(['x/2']);
    const bad = await context.files.put('bulk', index('3', { bad: true }));
    await expect(run('Bulk', { from: bad }, context)).rejects.toThrow(
      '1 operations failed: 3: mapper_parsing_exception',
    );
    const half = await context.files.put('bulk', '{"index":{"_index":"x"}}\n');
    await expect(run('Bulk', { from: half }, context)).rejects.toThrow('has no document');
  },
);

test('any request can be sent, and queries return rows', async () => {
  const { run } = await aCluster('elasticsearch');
  const { status, response } = await run('Request', {
    endpoint: '_cat/indices?v=true',
    parameters: { h: 'index' },
  });
  expect([status, response]).toEqual([
    200,
    { path: '/_cat/indices', parameters: { v: 'true', h: 'index' }, body: '' },
  ]);
  const rows = [
    { a: 1, b: 'x' },
    { a: 2, b: 'y' },
  ];
  expect((await run('Esql', { query: 'FROM x' })).rows).toEqual(rows);
  expect((await run('Esql', { query: 'FROM x', columnar: true })).rows).toEqual(rows);
  expect((await run('Esql', { query: 'FROM x', async: true })).rows).toEqual([{ a: 1 }]);
  const opensearch = await aCluster('opensearch');
  expect(await opensearch.run('Ppl', { query: 'source=x' })).toEqual({ size: 1, total: 1, rows: [{ a: 1 }] });
  expect((await opensearch.run('Ppl', { query: 'source=x', format: 'CSV' })).text).toBe('a,b');
});

test('a wrong query, a wrong password, a wrong host and a refused one are named', async () => {
  const { stub, connection, run } = await aCluster('elasticsearch');
  await expect(run('Search', { request: { query: { bad_query: {} } } })).rejects.toThrow(
    'unknown query [bad_query]',
  );
  const wrong = { hosts: [stub.url], basicAuth: { username: 'alice', password: 'wrong-password' } };
  await expect(run('Search', { connection: wrong })).rejects.toThrow('security_exception');
  const nowhere = { ...connection, hosts: ['http://no-such-host.invalid:9200'] };
  await expect(run('Search', { connection: nowhere })).rejects.toThrow('no-such-host.invalid');
  // A node that is away is passed over.
  await run('Search', { connection: { ...connection, hosts: ['http://127.0.0.1:1', stub.url] } });
  const closed = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(run('Search', {}, closed)).rejects.toThrow('not allowed by the outbound policy');
});
