import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AzureDouble, type DoubleRequest, startAzureDouble } from '../testing/azureDouble.ts';
import { anAzureContext, runAzure } from '../testing/runAzure.ts';

let azure: AzureDouble;
beforeAll(async () => {
  azure = await startAzureDouble();
});
afterAll(() => azure.stop());

const key = Buffer.from('a key of Cosmos DB').toString('base64');
const connection = () => ({
  connectionString: `AccountEndpoint=${azure.url}/;AccountKey=${key};`,
  databaseId: 'shop',
  containerId: 'my orders',
});
const run = (name: string, properties: object, context = anAzureContext()) =>
  runAzure(`azure.storage.cosmosdb.${name}`, { ...connection(), ...properties }, context);

const container = '/dbs/shop/colls/my orders';

/** The signature as the documentation of the service defines it. */
function isSigned({ method, path, headers }: DoubleRequest): boolean {
  const isDocument = path.startsWith(`${container}/docs/`);
  const type = path === container ? 'colls' : 'docs';
  const link = isDocument ? path.slice(1) : container.slice(1);
  const text = `${method.toLowerCase()}\n${type}\n${link}\n${String(headers['x-ms-date']).toLowerCase()}\n\n`;
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(text).digest('base64');
  return decodeURIComponent(headers.authorization ?? '') === `type=master&ver=1.0&sig=${signature}`;
}

interface Item {
  readonly id: string;
  readonly country: string;
}

/** A container with the partition key `/country`; queries return two items a page. */
function aContainer(...stored: Item[]) {
  const items = [...stored];
  const find = (id: string, partition: unknown) =>
    items.findIndex((each) => each.id === id && JSON.stringify([each.country]) === partition);
  azure.respond((request) => {
    const { method, path, headers, body } = request;
    if (!isSigned(request))
      return { status: 401, body: { code: 'Unauthorized', message: 'wrong signature' } };
    if (path === container)
      return { body: { id: 'my orders', partitionKey: { paths: ['/country'], kind: 'Hash' } } };
    const partition = headers['x-ms-documentdb-partitionkey'];
    const facts = {
      'x-ms-request-charge': '6.5',
      'x-ms-activity-id': 'a1',
      'x-ms-session-token': '0:1',
      etag: '"e1"',
    };
    if (method === 'DELETE') {
      const at = find(path.split('/').at(-1) ?? '', partition);
      if (at < 0) return { status: 404, body: { code: 'NotFound', message: 'there is no such item' } };
      items.splice(at, 1);
      return { status: 204, headers: facts };
    }
    const sent = JSON.parse(body.toString());
    if (headers['x-ms-documentdb-isquery'] === 'True') {
      const from = Number(headers['x-ms-continuation'] ?? 0);
      const found = items.filter(
        (each) => partition === undefined || JSON.stringify([each.country]) === partition,
      );
      const more: Record<string, string> =
        from + 2 < found.length ? { 'x-ms-continuation': String(from + 2) } : {};
      return { headers: more, body: { Documents: found.slice(from, from + 2) } };
    }
    if (headers['x-ms-cosmos-is-batch-request'] === 'True') {
      const operations = sent as { operationType: string; resourceBody: Item }[];
      const bad = operations.findIndex(({ resourceBody }) => find(resourceBody.id, partition) >= 0);
      if (bad < 0) items.push(...operations.map(({ resourceBody }) => resourceBody));
      const body = operations.map((_, at) => ({ statusCode: bad < 0 ? 201 : at === bad ? 409 : 424 }));
      return { status: bad < 0 ? 200 : 207, headers: facts, body };
    }
    if (find(sent.id, partition) >= 0)
      return { status: 409, body: { code: 'Conflict', message: 'the id exists' } };
    items.push(sent);
    return {
      status: 201,
      headers: facts,
      body: headers.prefer === 'return=minimal' ? '' : { ...sent, _etag: 'e1' },
    };
  });
  return items;
}

test('items are created and deleted with the partition key of the container', async () => {
  const items = aContainer();
  const item = { id: '1', country: 'Österreich' };
  expect(await run('CreateItem', { item })).toMatchObject({
    item: { ...item, _etag: 'e1' },
    statusCode: 201,
    requestCharge: 6.5,
    activityId: 'a1',
    sessionToken: '0:1',
    eTag: 'e1',
    duration: expect.stringMatching(/^PT/),
    responseHeaders: { 'x-ms-activity-id': 'a1' },
  });
  expect(azure.requests.at(-1)?.headers['x-ms-documentdb-partitionkey']).toBe('["\\u00d6sterreich"]');
  await expect(
    run('CreateItem', {
      item: { id: '2', country: 'DE' },
      connectionString: `AccountEndpoint=${azure.url};AccountKey=AAAA`,
    }),
  ).rejects.toThrow('Cosmos DB refused the container "my orders": Unauthorized: wrong signature');
  const quiet = await run('CreateItem', {
    item: { id: '2', country: 'DE' },
    contentResponseOnWriteEnabled: false,
  });
  expect(quiet.item).toBeUndefined();
  await expect(run('CreateItem', { item: { id: '2', country: 'DE' } })).rejects.toThrow(
    'Conflict: the id exists',
  );
  expect(await run('Delete', { item: { id: '2', country: 'DE' } })).toMatchObject({ statusCode: 204 });
  expect(items).toEqual([item]);
  await expect(run('Delete', { item: { id: '2', country: 'DE' } })).rejects.toThrow('NotFound');
  await expect(run('Delete', { item: { country: 'DE' } })).rejects.toThrow('"item" must have the "id"');
});

test('queries read all pages, of all partitions or of one', async () => {
  const items = aContainer(...['1', '2', '3'].map((id) => ({ id, country: 'DE' })), {
    id: '4',
    country: 'FR',
  });
  const context = anAzureContext();
  expect(await run('Query', { query: 'SELECT * FROM c', consistencyLevel: 'EVENTUAL' }, context)).toEqual({
    queryResults: items,
  });
  expect(context.metrics).toEqual([{ name: 'records.count', type: 'counter', value: 4 }]);
  expect(azure.requests[0]?.headers).toMatchObject({
    'content-type': 'application/query+json',
    'x-ms-documentdb-query-enablecrosspartition': 'True',
    'x-ms-consistency-level': 'Eventual',
  });
  expect(JSON.parse(String(azure.requests[0]?.body))).toEqual({ query: 'SELECT * FROM c', parameters: [] });
  const definition = { paths: ['/where/code'], kind: 'HASH', version: 'V2' };
  expect(
    await run('Queries', {
      queries: {
        german: { query: 'SELECT * FROM c', partitionKey: { country: 'DE' } },
        french: {
          query: 'SELECT * FROM c',
          feedRangePartitionKey: { where: { code: 'FR' } },
          partitionKeyDefinition: definition,
        },
      },
    }),
  ).toEqual({ results: { german: items.slice(0, 3), french: items.slice(3) } });
});

test('a batch creates all items or none', async () => {
  const items = aContainer();
  const two = [
    { id: '1', country: 'DE' },
    { id: '2', country: 'DE' },
  ];
  expect(await run('Batch', { partitionKeyValue: 'DE', items: two })).toMatchObject({
    results: [{ statusCode: 201 }, { statusCode: 201 }],
    statusCode: 200,
    subStatusCode: 0,
    successStatusCode: true,
    requestCharge: 6.5,
  });
  const again = [
    { id: '3', country: 'DE' },
    { id: '2', country: 'DE' },
  ];
  await expect(run('Batch', { partitionKeyValue: 'DE', items: again })).rejects.toMatchObject({
    message: 'Cosmos DB created none of the 2 items: item 2 ("2") got status 409, because its id exists.',
    outputs: { successStatusCode: false, statusCode: 409 },
  });
  expect(items).toEqual(two);
});
