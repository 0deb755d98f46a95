import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { documentdbTypes, toPlace } from './documentdb.ts';
import { aMongoStub } from './testing/mongoStub.ts';

const login = { database: 'shop', collection: 'orders', username: 'ada', password: 'p@ss/word' };

test.each([
  ['db.example.com:27017', 'mongodb://ada:p%40ss%2Fword@db.example.com:27017/?tls=true&retryWrites=false'],
  ['https://db.example.com', 'mongodb://ada:p%40ss%2Fword@db.example.com/?tls=true&retryWrites=false'],
  ['http://localhost:10260/', 'mongodb://ada:p%40ss%2Fword@localhost:10260/?tls=false&retryWrites=false'],
  ['mongodb://db.example.com/?tls=true', 'mongodb://ada:p%40ss%2Fword@db.example.com/?tls=true'],
])('the host %s is reached with the login', (host, uri) => {
  expect(toPlace({ ...login, host })).toEqual({
    connection: { uri },
    database: 'shop',
    collection: 'orders',
  });
});

test('documents are inserted, read, changed and deleted', async () => {
  const stub = await aMongoStub();
  const host = `${stub.uri}&authMechanism=PLAIN`;
  const run = (name: string, properties: object) =>
    // `as`: all of these types are tasks.
    runType(
      documentdbTypes.find(({ type }) => type === `documentdb.${name}`) as TaskDefinition,
      { ...login, host, ...properties },
      aTaskContext(realNetwork()),
    );
  expect(await run('Insert', { document: { customer: 'Ada' } })).toMatchObject({ insertedCount: 1 });
  const many = await run('Insert', { documents: [{ customer: 'Bob' }, { customer: 'Bob' }] });
  expect(many).toMatchObject({ insertedCount: 2, insertedIds: [expect.any(String), expect.any(String)] });
  expect(await run('Read', { filter: { customer: 'Ada' }, fetchType: 'FETCH_ONE' })).toMatchObject({
    row: { customer: 'Ada' },
    size: 1,
  });
  await run('Read', { aggregationPipeline: [{ $match: {} }], limit: 1 });
  expect(stub.commands.at(-1)).toMatchObject({
    aggregate: 'orders',
    pipeline: [{ $match: {} }, { $limit: 1 }],
  });
  const changes = { filter: { customer: 'Bob' }, update: { $set: { state: 'done' } }, updateMany: true };
  expect(await run('Update', changes)).toEqual({ matchedCount: 2, modifiedCount: 2 });
  expect(await run('Delete', { filter: { customer: 'Bob' } })).toEqual({ deletedCount: 1 });
  await expect(run('Insert', {})).rejects.toThrow('"document" or "documents" must be given.');
});
