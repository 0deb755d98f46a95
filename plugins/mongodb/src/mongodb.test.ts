import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { readInput } from '@millrace/plugin-kit';
import {
  aSilentServer,
  aTaskContext,
  producedForStalledStorage,
  realNetwork,
  runType,
  type TestContext,
} from '@millrace/plugin-kit/testing';
import { BSON } from 'mongodb';
import { expect, test } from 'vitest';
import { toPlain } from './documents.ts';
import { mongodbFamily } from './index.ts';
import { aMongoStub } from './testing/mongoStub.ts';

const find = (name: string) => mongodbFamily.types.find(({ type }) => type === `mongodb.${name}`);
const aContext = () => aTaskContext(realNetwork());

async function aServer() {
  const stub = await aMongoStub();
  const place = { connection: { uri: stub.uri }, database: 'shop', collection: 'orders' };
  // `as`: the names in these tests are those of tasks.
  const run = (name: string, properties: object = {}, context: TestContext = aContext()) =>
    runType(find(name) as TaskDefinition, { ...place, ...properties }, context);
  return { stub, place, run };
}

test('documents are inserted, found, changed and deleted', async () => {
  const { stub, run } = await aServer();
  const { insertedId } = await run('InsertOne', {
    document: { customer: 'Ada', at: { $date: '2025-01-01T00:00:00Z' } },
  });
  expect(insertedId).toMatch(/^[0-9a-f]{24}$/);
  expect(stub.documents[0]?.at).toEqual(new Date('2025-01-01T00:00:00Z'));
  await run('InsertOne', { document: '{"customer":"Bob"}' });
  expect(await run('Find', { filter: { customer: 'Ada' }, limit: 5, sort: { at: -1 } })).toEqual({
    rows: [{ _id: insertedId, customer: 'Ada', at: '2025-01-01T00:00:00.000Z' }],
    size: 1,
  });
  expect(stub.commands.at(-1)).toMatchObject({ find: 'orders', limit: 5, sort: { at: -1 }, $db: 'shop' });
  const changed = await run('Update', { filter: { customer: 'Ada' }, document: { $set: { state: 'done' } } });
  expect(changed).toEqual({ wasAcknowledged: true, matchedCount: 1, modifiedCount: 1 });
  expect((await run('Aggregate', { pipeline: [{ $group: { _id: '$customer' } }] })).rows).toEqual([
    { _id: 'Ada', count: 2 },
  ]);
  expect(await run('Delete', { operation: 'DELETE_MANY' })).toEqual({
    wasAcknowledged: true,
    deletedCount: 2,
  });
});

test('rows are loaded in chunks, and bulk operations are sent as they are', async () => {
  const { stub, run } = await aServer();
  const context = aContext();
  const rows = [1, 2, 3].map((id) => JSON.stringify({ id, name: `n${id}` })).join('\n');
  const from = await context.files.put('rows.ion', rows);
  const loaded = await run('Load', { from, idKey: 'id', chunk: 2 }, context);
  expect(loaded).toMatchObject({ size: 3, insertedCount: 3 });
  expect(stub.documents).toEqual([1, 2, 3].map((id) => ({ _id: id, name: `n${id}` })));
  expect(stub.commands.filter((command) => 'insert' in command)).toHaveLength(2);
  const operations = [
    '{"insertOne":{"document":{"_id":4}}}',
    '{"insertOne":{"_id":5}}',
    '{"updateOne":{"filter":{"_id":4},"update":{"$set":{"a":1}}}}',
    '{"deleteOne":{"filter":{"_id":1}}}',
  ];
  const file = await context.files.put('bulk', operations.join('\n'));
  expect(await run('Bulk', { from: file }, context)).toEqual({
    size: 4,
    insertedCount: 2,
    matchedCount: 1,
    modifiedCount: 1,
    deletedCount: 1,
  });
  const stored = await run('Find', { store: true }, context);
  expect((await context.files.text(String(stored.uri))).split('\n')[0]).toBe('{"_id":2,"name":"n2"}');
});

test('a collection of any size streams to storage', async () => {
  const { stub, place } = await aServer();
  stub.documents.push(...Array.from({ length: 100 }, (_, id) => ({ _id: id, text: 'x'.repeat(10_000) })));
  stub.isEndless = true;
  const start = (context: TestContext) =>
    runType(find('Find') as TaskDefinition, { ...place, store: true }, context); // As above.
  const batches = () => stub.commands.filter((command) => 'find' in command || 'getMore' in command).length;
  expect(await producedForStalledStorage(aContext(), start, batches)).toBeLessThan(5);
});

test('the trigger starts when documents are found', async () => {
  const { stub, place } = await aServer();
  const trigger = find('Trigger') as TriggerDefinition;
  const poll = () => trigger.poll?.(aContext(), readInput(trigger.type, trigger.input, place));
  expect(await poll()).toBeUndefined();
  stub.documents.push({ _id: 1 });
  expect(await poll()).toEqual({ rows: [{ _id: 1 }], size: 1 });
});

test('values of the database become values of flows', () => {
  const { ObjectId, Decimal128, Long, Binary } = BSON;
  const id = new ObjectId();
  expect(
    toPlain({
      id,
      n: Decimal128.fromString('1.50'),
      l: Long.fromString('9007199254740993'),
      b: new Binary(Buffer.from('a')),
      list: [new Date(0)],
    }),
  ).toEqual({
    id: id.toHexString(),
    n: '1.50',
    l: '9007199254740993',
    b: 'YQ==',
    list: ['1970-01-01T00:00:00.000Z'],
  });
  expect(() => toPlain({ x: new BSON.MinKey() })).toThrow('MinKey');
});

test('a wrong filter, a wrong address, a wrong host and a refused one are named', async () => {
  const { run, place } = await aServer();
  await expect(run('Find', { filter: { $bad: 1 } })).rejects.toThrow('unknown top level operator');
  await expect(run('Find', { filter: '[1]' })).rejects.toThrow('"filter" must be a map');
  const at = (uri: string) => run('Find', { connection: { uri } });
  await expect(at('http://x')).rejects.toThrow('"connection.uri" cannot be used');
  await expect(at('mongodb://no-such-host.invalid:27017')).rejects.toThrow('no-such-host.invalid');
  const closed = aTaskContext(realNetwork({ denyPrivate: true }));
  const [task] = [find('Find') as TaskDefinition];
  await expect(runType(task, place, closed)).rejects.toThrow('not allowed by the outbound policy');
});

test('a killed task ends within two seconds', async () => {
  const silent = await aSilentServer();
  const context = aContext();
  const { run } = await aServer();
  const connection = { uri: `mongodb://127.0.0.1:${silent.port}` };
  await silent.expectKilled(context, run('Find', { connection }, context));
});
