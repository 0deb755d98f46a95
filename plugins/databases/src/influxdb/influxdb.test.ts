import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningServer, startRealServer } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aContext, aService, poll, rowsIn, run } from '../testing/service.ts';

describe('InfluxQL and writes on a real InfluxDB 1.6', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startRealServer({
      program: 'influxd',
      prepare: ({ folder, port }) =>
        writeFileSync(
          join(folder, 'influxdb.conf'),
          `reporting-disabled = true
bind-address = "127.0.0.1:0"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[http]
  bind-address = "127.0.0.1:${port}"
`,
        ),
      args: ({ folder }) => ['run', '-config', join(folder, 'influxdb.conf')],
    });
    const url = `http://${server.host}:${server.port}/query?q=CREATE%20DATABASE%20sensors`;
    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
  });
  afterAll(() => server.stop());
  const place = () => ({
    connection: { url: `http://${server.host}:${server.port}`, token: 'user:password' },
    org: 'company',
    bucket: 'sensors',
  });

  test('lines and rows are written and queried', async () => {
    const context = aContext();
    const source = 'temperature,sensor=a value=21.5 1000\ntemperature,sensor=b value=3 2000\n';
    expect(await run('influxdb.Write', { ...place(), source, precision: 'MS' })).toEqual({ recordCount: 2 });
    const rows = [
      {
        at: '2026-01-02T03:04:05.123456789Z',
        sensor: 'c, d',
        count: 5,
        ratio: 0.5,
        ok: true,
        note: 'say "hi"\\',
        no: null,
      },
      { at: 1_767_323_045_000_000_000n, sensor: '', count: 6, ratio: 1.5, ok: false, note: 'x' },
    ];
    const json = rows.map((row) =>
      JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value)),
    );
    const from = await context.files.put('rows.ion', json.join('\n'));
    const load = { ...place(), from, measurement: 'my table', tags: ['sensor'], timeField: 'at', chunk: 1 };
    expect(await run('influxdb.Load', load, context)).toEqual({ recordCount: 2 });
    const query = (text: string, more: object = {}) =>
      run('influxdb.InfluxQLQuery', { ...place(), query: text, fetchType: 'FETCH', ...more }, context);
    const temperatures = await query('SELECT value FROM temperature GROUP BY sensor');
    expect(temperatures).toEqual({
      rows: [
        { sensor: 'a', time: '1970-01-01T00:00:01Z', value: 21.5 },
        { sensor: 'b', time: '1970-01-01T00:00:02Z', value: 3 },
      ],
      size: 2,
      total: 2,
    });
    const loaded = await query('SELECT * FROM "my table"', { fetchType: 'STORE' });
    expect(await rowsIn(context, loaded.uri)).toContainEqual({
      time: '2026-01-02T03:04:05.123456789Z',
      sensor: 'c, d',
      count: 5,
      ratio: 0.5,
      ok: true,
      note: 'say "hi"\\',
    });
    expect(loaded.size).toBe(2);
    expect(await query('SELECT * FROM nothing')).toMatchObject({ rows: [], size: 0 });
  });

  test('many points arrive in chunks and are all read', async () => {
    const context = aContext();
    const lines = Array.from({ length: 25_000 }, (_, at) => `many value=${at}i ${at + 1}`);
    const source = await context.files.put('lines.txt', lines.join('\n'));
    expect(await run('influxdb.Write', { ...place(), source }, context)).toEqual({ recordCount: 25_000 });
    const all = { ...place(), query: 'SELECT value FROM many', fetchType: 'NONE' };
    expect(await run('influxdb.InfluxQLQuery', all)).toEqual({ size: 25_000, total: 25_000 });
  });

  test('a wrong query, a wrong line, a missing database and a wrong host are named', async () => {
    const query = (text: string, more: object = {}) =>
      run('influxdb.InfluxQLQuery', { ...place(), query: text, ...more });
    await expect(query('SELEC')).rejects.toThrow('error parsing query');
    await expect(query('SELECT a FROM b', { bucket: 'none' })).rejects.toThrow('database not found: none');
    await expect(run('influxdb.Write', { ...place(), source: 'no line' })).rejects.toThrow('unable to parse');
    const connection = { url: 'http://no-such-host.invalid', token: 't' };
    await expect(query('SELECT', { connection })).rejects.toThrow('no-such-host.invalid');
  });
});

describe('Flux on a server of its protocol', () => {
  const table = (rows: string) =>
    `#datatype,string,long,dateTime:RFC3339,double,string,boolean,long\r\n#group,false,false,false,false,true,false,false\r\n#default,_result,,,,,,\r\n,result,table,_time,_value,sensor,ok,count\r\n${rows}\r\n\r\n`;
  const csv =
    table(
      ',,0,2026-01-01T00:00:00Z,21.5,a,true,9007199254740993\r\n,,0,2026-01-01T00:01:00Z,,"b, c",false,2',
    ) +
    '#datatype,string,long,string\r\n#group,false,false,true\r\n#default,_result,,x\r\n,result,table,name\r\n,,1,\r\n,,1,y\r\n';
  const aFlux = async () => {
    const service = await aService(({ path, search, headers, text }) => {
      if (headers.authorization !== 'Token correct-token')
        return [401, { code: 'unauthorized', message: 'unauthorized access' }];
      if (path === '/api/v2/write')
        return search.get('bucket') === 'sensors'
          ? [204, '']
          : [404, { code: 'not found', message: 'bucket "none" not found' }];
      const { query } = JSON.parse(text);
      if (query === 'wrong')
        return [400, { code: 'invalid', message: 'compilation failed: undefined identifier' }];
      if (query === 'broken')
        return [
          200,
          `${table(',,0,2026-01-01T00:00:00Z,1,a,true,1')}#datatype,string,string\r\n#group,true,true\r\n#default,,\r\n,error,reference\r\n,out of memory,897\r\n`,
        ];
      return [200, query === 'none' ? '' : csv];
    });
    return {
      service,
      place: { connection: { url: service.url, token: 'correct-token' }, org: 'o', bucket: 'sensors' },
    };
  };

  test('the tables of a result are one list of typed rows', async () => {
    const { service, place } = await aFlux();
    const outputs = await run('influxdb.FluxQuery', { ...place, query: 'from()', fetchType: 'FETCH' });
    expect(outputs.rows).toEqual([
      { _time: '2026-01-01T00:00:00Z', _value: 21.5, sensor: 'a', ok: true, count: '9007199254740993' },
      { _time: '2026-01-01T00:01:00Z', _value: null, sensor: 'b, c', ok: false, count: 2 },
      { name: 'x' },
      { name: 'y' },
    ]);
    expect(service.requests[0]?.search.get('org')).toBe('o');
    expect(await poll('influxdb.FluxTrigger', { ...place, query: 'none' })).toBeUndefined();
    expect(await poll('influxdb.FluxTrigger', { ...place, query: 'x' })).toMatchObject({ size: 4, total: 4 });
  });

  test('points are written with the API of version 2', async () => {
    const { service, place } = await aFlux();
    expect(await run('influxdb.Write', { ...place, source: 'a b=1', precision: 'S' })).toEqual({
      recordCount: 1,
    });
    expect(Object.fromEntries(service.requests[0]?.search ?? [])).toEqual({
      org: 'o',
      bucket: 'sensors',
      precision: 's',
    });
    await expect(run('influxdb.Write', { ...place, bucket: 'none', source: 'a b=1' })).rejects.toThrow(
      'not found',
    );
  });

  test('a wrong query, a query that breaks off and a wrong token are named', async () => {
    const { place } = await aFlux();
    await expect(run('influxdb.FluxQuery', { ...place, query: 'wrong' })).rejects.toThrow(
      'undefined identifier',
    );
    await expect(run('influxdb.FluxQuery', { ...place, query: 'broken' })).rejects.toThrow('out of memory');
    const connection = { ...place.connection, token: 'x' };
    await expect(run('influxdb.FluxQuery', { ...place, connection, query: 'x' })).rejects.toThrow(
      'unauthorized access',
    );
  });
});
