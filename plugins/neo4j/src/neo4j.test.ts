import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, freePort, realNetwork, runType, type TestContext } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { neo4jFamily } from './index.ts';
import { aBoltStub, StubFailure } from './testing/boltStub.ts';

const aContext = () => aTaskContext(realNetwork());
const run = (name: string, input: object, context: TestContext = aContext()) =>
  // `as`: both types are tasks.
  runType(
    neo4jFamily.types.find(({ type }) => type === `neo4j.${name}`) as TaskDefinition,
    { username: 'neo4j', password: 'secret', ...input },
    context,
  );
const node = {
  tag: 0x4e,
  fields: [1n, ['Person'], { name: 'Ada', at: { tag: 0x44, fields: [0n] } }, 'id:1'],
};

test('records are fetched in parts, stored with their types, or left on the server', async () => {
  const records = Array.from({ length: 2_500 }, (_, n) => [BigInt(n), 2, node]);
  const stub = await aBoltStub(() => ({ fields: ['n', 'double', 'person'], records }));
  const query = (storeType: string, context = aContext()) =>
    run(
      'Query',
      { url: `bolt://${stub.host}:${stub.port}`, query: 'MATCH (n) RETURN n', storeType },
      context,
    );
  const person = { elementId: 'id:1', labels: ['Person'], properties: { name: 'Ada', at: '1970-01-01' } };
  const context = aContext();
  expect(await query('FETCHONE', context)).toEqual({ row: { n: 0, double: 2, person }, size: 1 });
  expect(stub.messages.at(-1)).toBe('discard');
  expect(context.metrics).toMatchObject([{ name: 'fetch.size', value: 1 }]);
  const { rows, size } = await query('FETCH');
  expect([size, (rows as unknown[])[2_499]]).toEqual([2_500, { n: 2_499, double: 2, person }]);
  const { uri } = await query('STORE', context);
  expect((await context.files.text(String(uri))).split('\n')[0]).toBe(
    '{"n":0,"double":2e0,"person":{"elementId":"id:1","labels":["Person"],"properties":{"name":"Ada","at":1970-01-01}}}',
  );
  expect(await query('NONE')).toEqual({});
});

test('rows of a file are sent in chunks as the parameter "props", in one transaction', async () => {
  const sent: unknown[] = [];
  const stub = await aBoltStub((_, parameters) => {
    sent.push(parameters);
    return { fields: [], records: [], stats: { 'nodes-created': 2n, 'properties-set': 1n } };
  });
  const context = aContext();
  const from = await context.files.put('rows.ion', '{"n":1,"day":1970-01-02}\n{"n":1.5e0}\n{"n":2e0}\n');
  const input = { url: `bolt://${stub.host}:${stub.port}`, from, query: 'UNWIND $props', chunk: 2 };
  expect(await run('Batch', input, context)).toEqual({ rowCount: 3, updatedCount: 6 });
  expect(sent).toEqual([
    { props: [{ n: 1n, day: { tag: 0x44, fields: [1n] } }, { n: 1.5 }] },
    { props: [{ n: 2 }] },
  ]);
  expect(stub.messages).toEqual(['begin', 'UNWIND $props', 'UNWIND $props', 'commit']);
});

test('the scheme neo4j uses the server that accepts writes', async () => {
  const writer = await aBoltStub(() => ({ fields: ['n'], records: [[1n]] }));
  const servers = [
    { role: 'READ', addresses: ['127.0.0.1:1'] },
    { role: 'WRITE', addresses: [`${writer.host}:${writer.port}`] },
  ];
  const reader = await aBoltStub(() => ({ fields: ['ttl', 'servers'], records: [[300n, servers]] }));
  const query = {
    url: `neo4j://${reader.host}:${reader.port}`,
    query: 'CREATE (n) RETURN n',
    storeType: 'FETCH',
  };
  expect(await run('Query', query)).toMatchObject({ rows: [{ n: 1 }] });
  expect(writer.messages).toEqual(['CREATE (n) RETURN n']);
});

test('wrong credentials, a wrong query, a wrong host and a refused one are named', async () => {
  const stub = await aBoltStub(() => {
    throw new StubFailure('Neo.ClientError.Statement.SyntaxError', "Invalid input 'RETRUN'");
  });
  const query = (input: object, context = aContext()) =>
    run('Query', { url: `bolt://${stub.host}:${stub.port}`, query: 'RETRUN 1', ...input }, context);
  await expect(query({})).rejects.toMatchObject({
    message: `Neo4j on 127.0.0.1:${stub.port}: Invalid input 'RETRUN'`,
    retry: false,
  });
  await expect(query({ password: 'wrong' })).rejects.toMatchObject({
    message: expect.stringContaining('The client is unauthorized'),
    retry: false,
  });
  await expect(query({ username: undefined, bearerToken: 'wrong' })).rejects.toThrow('unauthorized');
  await expect(query({ url: 'http://x' })).rejects.toThrow(
    '"url" must be an address such as bolt://host:7687',
  );
  await expect(query({ url: `bolt://127.0.0.1:${await freePort()}` })).rejects.toThrow('ECONNREFUSED');
  await expect(query({ url: 'bolt://no-such-host.invalid' })).rejects.toThrow('no-such-host.invalid');
  await expect(query({ url: `bolt+s://${stub.host}:${stub.port}` })).rejects.toThrow(
    /SSL|TLS|EPROTO|socket/i,
  );
  const closed = aTaskContext(realNetwork({ denyPrivate: true }));
  await expect(query({}, closed)).rejects.toThrow('not allowed by the outbound policy');
});

test('a killed task ends within two seconds', async () => {
  const stub = await aBoltStub(() => new Promise(() => {}));
  const context = aContext();
  const running = run('Query', { url: `bolt://${stub.host}:${stub.port}`, query: 'slow' }, context);
  running.catch(() => {});
  await expect.poll(() => stub.messages).toEqual(['slow']);
  const killedAt = Date.now();
  context.kill();
  await expect(running).rejects.toThrow();
  expect(Date.now() - killedAt).toBeLessThan(2_000);
});
