import type { TaskDefinition, TriggerDefinition } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import type { Json } from '../google/json.ts';
import { startGoogle } from '../testing/fakeGoogle.ts';
import { bigtableTypes } from './index.ts';

// `as`: the names in these tests are those of tasks or triggers.
const find = <T extends TaskDefinition | TriggerDefinition = TaskDefinition>(name: string): T =>
  bigtableTypes.find(({ type }) => type === `gcp.${name}`) as T;

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('Bigtable', () => {
  const place = { projectId: 'my-project', instanceId: 'i', tableId: 't' };
  const table = '/v2/projects/my-project/instances/i/tables/t';
  const cell = (column: string, value: string, more: Json = {}): Json => ({
    familyName: 'info',
    qualifier: base64(column),
    value: base64(value),
    ...more,
  });

  test('rows are put together from chunks', async () => {
    const parts = [
      {
        chunks: [
          { rowKey: base64('r1'), ...cell('a', 'one', { commitRow: false }) },
          { ...cell('b', 'long '), valueSize: 9 },
        ],
      },
      {
        chunks: [
          { value: base64('text'), commitRow: true },
          { rowKey: base64('r2'), ...cell('a', 'lost') },
          { resetRow: true },
        ],
      },
      { chunks: [{ rowKey: base64('r2'), ...cell('a', 'two', { commitRow: true }) }] },
    ];
    const { run, received } = await startGoogle(() => ({ body: parts }));
    expect(
      await run(find('bigtable.ReadRows'), {
        ...place,
        rowKeyPrefix: 'r',
        columnFamily: 'info',
        limit: 5,
        fetchType: 'FETCH',
      }),
    ).toEqual({
      rowCount: 2,
      rows: [
        { rowKey: 'r1', cells: { info: { a: 'one', b: 'long text' } } },
        { rowKey: 'r2', cells: { info: { a: 'two' } } },
      ],
    });
    expect(received[0]).toMatchObject({
      host: 'bigtable.googleapis.com',
      path: `${table}:readRows`,
      json: {
        rows: { rowRanges: [{ startKeyClosed: base64('r'), endKeyOpen: base64('s') }] },
        rowsLimit: '5',
        filter: { chain: { filters: [{ cellsPerColumnLimitFilter: 1 }, { familyNameRegexFilter: 'info' }] } },
      },
    });
  });

  test('rows are written and deleted, and a refused row is named', async () => {
    let status: Json = {};
    const { run, received } = await startGoogle(({ path }) =>
      path.endsWith(':readRows')
        ? { body: [{ chunks: [{ rowKey: base64('r1'), ...cell('a', '', { commitRow: true }) }] }] }
        : { body: [{ entries: [{ index: '0', status }] }] },
    );
    const rows = [{ rowKey: 'r1', cells: { a: '1' }, deleteCells: ['b'] }];
    expect(await run(find('bigtable.WriteRows'), { ...place, columnFamily: 'info', rows })).toEqual({
      rowCount: 1,
    });
    expect(received[0]?.json).toEqual({
      entries: [
        {
          rowKey: base64('r1'),
          mutations: [
            {
              setCell: {
                familyName: 'info',
                columnQualifier: base64('a'),
                timestampMicros: '-1',
                value: base64('1'),
              },
            },
            { deleteFromColumn: { familyName: 'info', columnQualifier: base64('b') } },
          ],
        },
      ],
    });
    expect(await run(find('bigtable.DeleteRows'), { ...place, rowKeys: ['r1'] })).toEqual({ rowCount: 1 });
    expect(received.at(-1)?.json).toEqual({
      entries: [{ rowKey: base64('r1'), mutations: [{ deleteFromRow: {} }] }],
    });
    expect(await run(find('bigtable.DeleteRows'), place)).toEqual({ rowCount: 0 });
    status = { code: 5, message: 'unknown family' };
    await expect(run(find('bigtable.WriteRows'), { ...place, rows })).rejects.toThrow(
      'Bigtable refused row 1: unknown family',
    );
  });

  test('tables are created and deleted, and an emulator is refused', async () => {
    const { run, received } = await startGoogle(() => ({ body: {} }));
    expect(await run(find('bigtable.CreateTable'), { ...place, columnFamilies: ['info'] })).toEqual({
      tableId: 't',
      columnFamilyCount: 1,
    });
    expect(received[0]).toMatchObject({
      host: 'bigtableadmin.googleapis.com',
      json: { tableId: 't', table: { columnFamilies: { info: { gcRule: { maxNumVersions: 1 } } } } },
    });
    await run(find('bigtable.DeleteTable'), place);
    expect(received[1]).toMatchObject({ method: 'DELETE', path: table });
    await expect(
      run(find('bigtable.DeleteTable'), { ...place, emulatorHost: 'localhost:8086' }),
    ).rejects.toThrow('speak gRPC only');
  });

  test('a trigger finds rows since the last poll', async () => {
    let parts: Json[] = [{ chunks: [{ rowKey: base64('r1'), ...cell('a', 'one', { commitRow: true }) }] }];
    const { poll, aContext, received } = await startGoogle(() => ({ body: parts }));
    const context = aContext();
    const trigger = find<TriggerDefinition>('bigtable.Trigger');
    expect(await poll(trigger, place, context)).toMatchObject({ rowCount: 1, rows: [{ rowKey: 'r1' }] });
    parts = [];
    expect(await poll(trigger, place, context)).toBeUndefined();
    expect(JSON.stringify(received[1]?.json.filter)).toContain('startTimestampMicros');
  });
});
