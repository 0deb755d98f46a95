import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import type { Json } from '../google/json.ts';
import { type Received, type Reply, startGoogle } from '../testing/fakeGoogle.ts';
import { spannerTypes } from './index.ts';

// `as`: the names in these tests are those of tasks or triggers.
const find = <T extends TaskDefinition | TriggerDefinition = TaskDefinition>(name: string): T =>
  spannerTypes.find(({ type }) => type === `gcp.${name}`) as T;

describe('Spanner', () => {
  const place = { projectId: 'my-project', instanceId: 'i', databaseId: 'shop' };
  const database = '/v1/projects/my-project/instances/i/databases/shop';
  const session = `${database.slice(4)}/sessions/1`;

  async function aDatabase(answer: (request: Received) => Reply) {
    return startGoogle((request) => {
      if (request.path === `${database}/sessions`) return { body: { name: session } };
      if (request.method === 'DELETE' && request.path.endsWith('/sessions/1')) return { body: {} };
      return answer(request);
    });
  }

  test('Query puts values together that were cut, with their types', async () => {
    const fields = [
      { name: 'id', type: { code: 'INT64' } },
      { name: 'name', type: { code: 'STRING' } },
      { name: 'tags', type: { code: 'ARRAY', arrayElementType: { code: 'STRING' } } },
      { name: 'day', type: { code: 'DATE' } },
    ];
    const parts = [
      {
        metadata: { rowType: { fields } },
        values: ['1', 'Ada', ['a', 'b'], '2026-01-31', '2', 'Gra'],
        chunkedValue: true,
      },
      { values: ['ce', ['x', 'y'], null] },
    ];
    const { run, context, received } = await aDatabase(() => ({ body: parts }));
    const query = { ...place, sql: 'SELECT @n', parameters: { n: 1, s: 'x' } };
    const { uri, size } = await run(find('spanner.Query'), { ...query, fetchType: 'STORE' });
    expect(size).toBe(2);
    expect(await context.files.text(String(uri))).toBe(
      '{"id":1,"name":"Ada","tags":["a","b"],"day":2026-01-31}\n{"id":2,"name":"Grace","tags":["x","y"],"day":null}\n',
    );
    expect(received[1]).toMatchObject({
      path: `/v1/${session}:executeStreamingSql`,
      json: { sql: 'SELECT @n', params: { n: '1', s: 'x' }, paramTypes: { n: { code: 'INT64' } } },
    });
    expect(received.at(-1)).toMatchObject({ method: 'DELETE', path: `/v1/${session}` });
  });

  test('statements run in a transaction, again when it is aborted', async () => {
    const methods: string[] = [];
    const { run } = await aDatabase(({ path, method, json }): Reply => {
      const name = path.split(':')[1] ?? `${method} ${path.split('/').at(-1)}`;
      methods.push(name);
      if (name === 'beginTransaction') return { body: { id: 't1' } };
      if (name === 'executeSql' && methods.length < 4)
        return { status: 409, body: { error: { code: 409, status: 'ABORTED', message: 'Aborted' } } };
      if (name === 'executeSql') return { body: { stats: { rowCountExact: '3' } } };
      if (name === 'executeBatchDml')
        return {
          body: {
            resultSets: [{ stats: { rowCountExact: '1' } }, { stats: { rowCountExact: '2' } }],
            status: {},
            json,
          },
        };
      if (name === 'PATCH ddl') return { body: { name: 'operations/1', done: true } };
      return { body: {} };
    });
    expect(await run(find('spanner.Execute'), { ...place, sql: 'UPDATE t' })).toEqual({ affectedRows: 3 });
    expect(methods).toEqual([
      'beginTransaction',
      'executeSql',
      'rollback',
      'beginTransaction',
      'executeSql',
      'commit',
    ]);
    expect(await run(find('spanner.BatchDml'), { ...place, statements: ['a', 'b'] })).toEqual({
      affectedRows: [1, 2],
      totalAffectedRows: 3,
    });
    expect(await run(find('spanner.Execute'), { ...place, sql: 'CREATE TABLE t', isDdl: true })).toEqual({
      affectedRows: 0,
    });
    expect(methods.at(-1)).toBe('PATCH ddl');
  });

  test('databases are created and deleted', async () => {
    const { run, received } = await aDatabase(({ path }) => ({
      body: path.includes('operations') ? { done: true } : { name: 'operations/1' },
    }));
    expect(await run(find('spanner.CreateDatabase'), { ...place, extraDdl: ['CREATE TABLE t'] })).toEqual({
      database: 'shop',
    });
    expect(received[0]?.json).toEqual({
      createStatement: 'CREATE DATABASE `shop`',
      extraStatements: ['CREATE TABLE t'],
    });
    await run(find('spanner.DeleteDatabase'), place);
    expect(received.at(-1)).toMatchObject({ method: 'DELETE', path: database });
  });

  test('a trigger reads the changes of all partitions since the last poll', async () => {
    const recordType = (name: string, type: Json) => ({ name, type });
    const text = { code: 'STRING' };
    const list = (...fields: Json[]) => ({
      code: 'ARRAY',
      arrayElementType: { code: 'STRUCT', structType: { fields } },
    });
    const fields = [
      recordType(
        'ChangeRecord',
        list(
          recordType(
            'data_change_record',
            list(recordType('table_name', text), recordType('mods', list(recordType('keys', text)))),
          ),
          recordType(
            'child_partitions_record',
            list(
              recordType('start_timestamp', text),
              recordType('child_partitions', list(recordType('token', text))),
            ),
          ),
        ),
      ),
    ];
    const starts: unknown[] = [];
    const { poll, aContext } = await aDatabase(({ json }) => {
      const { token, start } = json.params as Json;
      starts.push(start);
      const record =
        token === null
          ? [[], [['2026-01-31T08:00:00Z', [['p1'], ['p1']]]]]
          : [[['orders', [['k1'], ['k2']]]], []];
      return { body: [{ metadata: { rowType: { fields } }, values: [[record]] }] };
    });
    const context = aContext();
    const trigger = find<TriggerDefinition>('spanner.Trigger');
    const found = await poll(trigger, { ...place, changeStreamName: 'changes' }, context);
    expect(found).toMatchObject({ rowCount: 2, changeCount: 1 });
    expect(await context.files.text(String(found?.uri))).toBe(
      '{"table_name":"orders","mods":[{"keys":"k1"},{"keys":"k2"}]}\n',
    );
    const until = (context.memory as Json).until;
    await poll(trigger, { ...place, changeStreamName: 'changes' }, context);
    expect(starts[2]).toBe(until);
    await expect(poll(trigger, { ...place, changeStreamName: 'a; DROP' }, context)).rejects.toThrow(
      'must be a name',
    );
  });
});
