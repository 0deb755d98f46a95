import { readInput, type TaskDefinition, type TriggerDefinition } from '@millrace/plugin-kit';
import { aTaskContext, freePort, realNetwork, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { cassandraFamily } from './index.ts';
import { anAstraService, makeZip } from './testing/astraService.ts';
import { aCqlStub, codes, int, listOfInts, long, StubError, type StubResult } from './testing/cqlStub.ts';

const typeOf = (name: string) => cassandraFamily.types.find(({ type }) => type === `cassandra.${name}`);
const aContext = () => aTaskContext(realNetwork());
// `as`: the names in these tests are those of tasks.
const run = (name: string, input: object, context: TestContext = aContext()) =>
  runType(typeOf(name) as TaskDefinition, { ...input }, context);
const sessionOf = ({ host, port }: { readonly host: string; readonly port: number }) => ({
  endpoints: [{ hostname: host, port }],
  localDatacenter: 'datacenter1',
  username: 'ada',
  password: 'secret',
});

const orders: StubResult = {
  columns: [
    ['id', codes.uuid],
    ['n', codes.int],
    ['big', codes.bigint],
    ['price', codes.double],
    ['at', codes.timestamp],
    ['ip', codes.inet],
    ['items', codes.list, codes.int],
  ],
  pages: [1, 2].map((n) => [
    [
      Buffer.alloc(16, 0xab),
      int(n),
      long(9007199254740993n),
      Buffer.from('4000000000000000', 'hex'),
      long(0n),
      Buffer.from([127, 0, 0, 1]),
      n === 1 ? listOfInts(1, 2) : null,
    ],
  ]),
};
const row = {
  id: 'abababab-abab-abab-abab-abababababab',
  n: 1,
  big: '9007199254740993',
  price: 2,
  at: '1970-01-01T00:00:00.000Z',
  ip: '127.0.0.1',
  items: [1, 2],
};

test('rows of all pages are fetched, stored, or only counted', async () => {
  const stub = await aCqlStub((cql) => (cql.startsWith('SELECT') ? orders : undefined));
  const query = (input: object, context = aContext()) =>
    run('standard.Query', { session: sessionOf(stub), cql: 'SELECT * FROM orders', ...input }, context);
  const context = aContext();
  expect(await query({ fetchType: 'FETCH' }, context)).toEqual({
    rows: [row, { ...row, n: 2, items: null }],
    size: 2,
    bytes: expect.any(Number),
  });
  expect(context.metrics).toMatchObject([{ name: 'fetch.size', value: 2 }]);
  expect(await query({ fetchOne: true })).toMatchObject({ row, size: 1 });
  const { uri, bytes } = await query({ fetchType: 'STORE' }, context);
  expect((await context.files.text(String(uri))).split('\n')[0]).toBe(
    '{"id":"abababab-abab-abab-abab-abababababab","n":1,"big":9007199254740993,"price":2e0,"at":1970-01-01T00:00:00Z,"ip":"127.0.0.1","items":[1,2]}',
  );
  expect(bytes).toBeGreaterThan(100);
  expect(await query({ cql: 'INSERT INTO orders (n) VALUES (3)' })).toMatchObject({ size: 0 });
  expect(stub.statements.at(-1)).toBe('INSERT INTO orders (n) VALUES (3)');
});

test('the trigger starts when there are rows, with timestamps in its time zone', async () => {
  let found: StubResult = { columns: orders.columns, pages: [[]] };
  const stub = await aCqlStub(() => found);
  const trigger = typeOf('standard.Trigger') as TriggerDefinition; // the name of a trigger
  const poll = (input: object) =>
    trigger.poll?.(
      aContext(),
      readInput(trigger.type, trigger.input, {
        session: sessionOf(stub),
        cql: 'SELECT * FROM orders',
        ...input,
      }),
    );
  expect(await poll({ fetchType: 'STORE' })).toBeUndefined();
  found = orders;
  expect(await poll({ fetchType: 'FETCH_ONE', timeZoneId: '+02:00' })).toMatchObject({
    row: { at: '1970-01-01T02:00+02:00' },
    size: 1,
  });
  expect(await poll({})).toMatchObject({ size: 2 });
});

test('wrong credentials, a wrong statement, a wrong host and a refused one are named', async () => {
  const stub = await aCqlStub(() => {
    throw new StubError(0x2000, "line 1:0 no viable alternative at input 'SELCT'");
  });
  const query = (session: object, context = aContext()) =>
    run('standard.Query', { session: { ...sessionOf(stub), ...session }, cql: 'SELCT' }, context);
  await expect(query({})).rejects.toMatchObject({
    message: `Cassandra on 127.0.0.1:${stub.port}: line 1:0 no viable alternative at input 'SELCT'`,
    retry: false,
  });
  await expect(query({ password: 'wrong' })).rejects.toMatchObject({
    message: expect.stringContaining('username ada and/or password are incorrect'),
    retry: false,
  });
  await expect(query({ localDatacenter: 'mars' })).rejects.toThrow(/mars|No host/);
  const nowhere = { endpoints: [{ hostname: '127.0.0.1', port: await freePort() }] };
  await expect(query(nowhere)).rejects.toThrow('ECONNREFUSED');
  const unknown = { endpoints: [{ hostname: 'no-such-host.invalid' }] };
  await expect(query(unknown)).rejects.toThrow('no-such-host.invalid');
  const closed = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(query({}, closed)).rejects.toThrow('not allowed by the outbound policy');
  const secureConnection = { truststorePath: Buffer.from('FEEDFEED', 'hex').toString('base64') };
  await expect(query({ secureConnection })).rejects.toThrow('"truststorePath" must be a PEM text');
});

test('a killed task ends within two seconds', async () => {
  const stub = await aCqlStub(() => new Promise(() => {}));
  const context = aContext();
  const running = run('standard.Query', { session: sessionOf(stub), cql: 'SELECT slow' }, context);
  running.catch(() => {});
  await expect.poll(() => stub.statements).toEqual(['SELECT slow']);
  const killedAt = Date.now();
  context.kill();
  await expect(running).rejects.toThrow();
  expect(Date.now() - killedAt).toBeLessThan(2_000);
});

test('Astra DB is reached with its bundle: metadata service, proxy and client certificate', async () => {
  const stub = await aCqlStub(() => orders);
  const { bundle } = await anAstraService(stub);
  const query = (session: object) =>
    run('astradb.Query', {
      session: { keyspace: 'shop', clientId: 'ada', clientSecret: 'secret', ...session },
      cql: 'SELECT * FROM orders',
      fetchType: 'FETCH_ONE',
    });
  expect((await query({ secureBundle: bundle })).row).toEqual(row);
  expect(stub.statements).toContain('USE "shop"');
  expect((await query({ proxyAddress: { hostname: stub.host, port: stub.port } })).row).toEqual(row);
  const { bundle: other } = await anAstraService(stub);
  expect(other).not.toBe(bundle);
  await expect(query({})).rejects.toThrow('"secureBundle" or "proxyAddress" must be given');
  await expect(query({ secureBundle: 'no zip' })).rejects.toThrow('"session.secureBundle" cannot be used');
  await expect(query({ secureBundle: await makeZip({ 'config.json': '{}' }) })).rejects.toThrow(
    '"config.json" must have host and port',
  );
});
