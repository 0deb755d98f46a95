import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { anAiContext } from '../testing/aiContext.ts';
import { TablestoreServer } from '../testing/tablestoreServer.ts';
import type { EmbeddingStore } from './store.ts';
import { tablestore } from './tablestore.ts';

let server: TablestoreServer;
beforeEach(async () => {
  server = await new TablestoreServer().start();
});
afterEach(() => {
  vi.useRealTimers();
  return server.stop();
});

const login = { instanceName: 'inst', accessKeyId: 'id', accessKeySecret: 'secret' };
const open = (more: object = {}, context = anAiContext()) => {
  const input = tablestore.input.parse({ ...login, endpoint: server.url, ...more });
  return tablestore.create(context, input) as EmbeddingStore; // what stores of embeddings create
};
const entry = {
  id: 'a1',
  vector: [1, 0.5],
  text: 'Grüße',
  metadata: { author: 'Ada', page: 7, part: 0.5, isNew: true },
};

/**
 * The requests of the official client (tablestore 5.6.5) with the same values at the same time. Its GetRange has a
 * byte of padding behind each key, which is left out.
 */
const official = [
  { operation: 'ListTable', signature: '/cTdL9cuwac519HK6HLcJNv3jbE=', body: '' },
  {
    operation: 'CreateTable',
    signature: 'lA0bZ1psrOODqqfu01QYdOo5V5M=',
    body: '0a2c0a226c616e67636861696e346a5f656d62656464696e675f73746f72655f6f74735f763112060a026964100212060a04080010001a0d08ffffffffffffffffff011001',
  },
  {
    operation: 'ListSearchIndex',
    signature: 'q4JITijm+UCXOr9GQU9tCYcGtLc=',
    body: '0a226c616e67636861696e346a5f656d62656464696e675f73746f72655f6f74735f7631',
  },
  {
    operation: 'CreateSearchIndex',
    signature: 'Zl8O9WjEk+WlqurT6KTS13EHwcc=',
    body: '0a226c616e67636861696e346a5f656d62656464696e675f73746f72655f6f74735f763112226c616e67636861696e346a5f656d62656464696e675f6f74735f696e6465785f76311a540a1f0a0f64656661756c745f636f6e74656e74100522086d61785f776f726428010a1f0a1164656661756c745f656d62656464696e67100928017a060802100218010a0c0a06617574686f721004280112020801',
  },
  {
    operation: 'PutRow',
    signature: 'PrM8ti78NAzEvNY57nc6qnzhQms=',
    body: '0a226c616e67636861696e346a5f656d62656464696e675f73746f72655f6f74735f763112d301750000000103040200000069640507000000030200000061310a120203041100000064656661756c745f656d62656464696e67050c00000003070000005b312c302e355d0a0a03040f00000064656661756c745f636f6e74656e74050c00000003070000004772c3bcc39f650a4a030406000000617574686f72050800000003030000004164610aea0304040000007061676505090000000007000000000000000a2103040400000070617274050900000001000000000000e03f0ab103040500000069734e6577050200000002010aa409da1a020800',
  },
  {
    operation: 'Search',
    signature: 'mFeU17XAOhrDSjgHIrI1KFSgsuk=',
    body: '0a226c616e67636861696e346a5f656d62656464696e675f73746f72655f6f74735f763112226c616e67636861696e346a5f656d62656464696e675f6f74735f696e6465785f76311a02080122330800100222230811121f0a1164656661756c745f656d62656464696e671002250000803f250000003f32060a041a020801400030904e',
  },
  {
    operation: 'GetRange',
    signature: 'qp020FGsTB4w0zV6YoR5wb3E9HM=',
    body: '0a226c616e67636861696e346a5f656d62656464696e675f73746f72655f6f74735f763110001a026964280130e8073a17750000000103040200000069640501000000090a6109e042177500000001030402000000696405010000000a0a68095d',
  },
  {
    operation: 'DeleteRow',
    signature: 'wT8esbIB1WSpmZrihyTfJ5kJ390=',
    body: '0a226c616e67636861696e346a5f656d62656464696e675f73746f72655f6f74735f7631121e750000000103040200000069640507000000030200000061310a1208097a1a020800',
  },
];

test('Tablestore gets the requests of its official client, byte by byte', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-31T00:00:00Z'), toFake: ['Date'] });
  const store = open({ metadataSchemaList: [{ fieldName: 'author', fieldType: 'KEYWORD' }] });
  await store.add([entry]);
  expect(await store.search([1, 0.5], 2, 0.9)).toEqual([
    { text: 'Grüße', metadata: entry.metadata, score: expect.closeTo(1) },
  ]);
  await store.clear();
  expect(server.calls).toEqual(official);
  expect(await store.search([1, 0.5], 2, 0)).toEqual([]);
});

test('Tablestore creates its table once, and rows wait until the table is ready', async () => {
  await open().add([entry]);
  server.calls.length = 0;
  server.refusals.push('OTSPartitionUnavailable');
  await open().add([{ ...entry, id: 'a2' }]);
  expect(server.calls.map(({ operation }) => operation)).toEqual([
    'ListTable',
    'ListSearchIndex',
    'PutRow',
    'PutRow',
  ]);
});

test('Tablestore says what is wrong', async () => {
  await expect(open({ accessKeySecret: 'wrong' }).add([entry])).rejects.toThrow(
    'Tablestore responded with status 403 to ListTable: OTSAuthFailed: Signature mismatch. Check the credentials.',
  );
  await expect(open().search([1], 1, 0)).rejects.toThrow('Requested table does not exist.');
  await open().clear();
  await expect(open().add([{ ...entry, metadata: { default_content: 'x' } }])).rejects.toThrow(
    'The metadata "default_content" has the name of a column',
  );
});
