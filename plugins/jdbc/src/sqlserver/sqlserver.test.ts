import { aTaskContext, freePort, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { aDatabaseContext, runnerOf } from '../testing/databaseContext.ts';
import { readerOf } from './cells.ts';
import { fabricQuery } from './fabric.ts';
import { sqlserverTypes } from './index.ts';
import { readSettings } from './settings.ts';

const input = (url: string, more: object = {}) => ({
  url,
  connectionPooling: true,
  connectionPoolSize: 1,
  ...more,
});

test('reads URLs and properties, which win', () => {
  const url =
    'jdbc:sqlserver://db\\main:1444;databaseName=shop;user=me;password=p w;encrypt=true;trustServerCertificate=true';
  expect(readSettings(input(url, { timeZoneId: 'UTC' }))).toMatchObject({
    host: 'db',
    port: 1444,
    instance: 'main',
    user: 'me',
    password: 'p w',
    database: 'shop',
    encrypt: true,
    trustsAny: true,
  });
  const properties = { username: 'you', encrypt: 'STRICT', hostNameInCertificate: 'sql.example.com' };
  expect(readSettings(input('jdbc:sqlserver://db', properties))).toMatchObject({
    port: 1433,
    user: 'you',
    encrypt: 'strict',
    certificateName: 'sql.example.com',
  });
});

test('reads values by the type of their column', () => {
  const at = new Date('2026-07-31T10:20:30.500Z');
  const precise = Object.assign(new Date('2026-07-31T10:20:30.123Z'), { nanosecondsDelta: 0.0004567 });
  const read = (type: string, value: unknown) => readerOf(type, 'Europe/Paris')(value);
  expect(read('BigInt', '9223372036854775807')).toMatchObject({ text: '9223372036854775807' });
  expect(String(readerOf('DecimalN', 'UTC', 2)(20))).toBe('20.00');
  expect(String(read('MoneyN', 1.5))).toBe('1.5000');
  expect(readerOf('DecimalN', 'UTC', 2)(12_345_678_901_234_568)).toBe(12_345_678_901_234_568);
  expect(read('FloatN', 1.5)).toBe(1.5);
  expect(read('Date', at)).toBe('2026-07-31');
  expect(read('Time', at)).toBe('10:20:30.5');
  expect(read('DateTime2', precise)).toBe('2026-07-31T10:20:30.1234567+02:00');
  expect(read('DateTimeOffset', at)).toBe('2026-07-31T12:20:30.5+02:00');
  expect(read('VarBinary', Buffer.from('ab'))).toBe('YWI=');
});

test('the real driver says that nothing listens, and an instance needs its port', async () => {
  const run = runnerOf(sqlserverTypes);
  const query = (url: string) =>
    run('Query', { url, username: 'sa', password: 'pw', sql: 'SELECT 1' }, aDatabaseContext());
  const port = await freePort();
  await expect(query(`jdbc:sqlserver://127.0.0.1:${port};databaseName=x`)).rejects.toThrow(
    `SQL Server: The connection to 127.0.0.1:${port} was refused.`,
  );
  await expect(query('jdbc:sqlserver://db\\main;databaseName=x')).rejects.toThrow(
    'names the instance "main" without its port',
  );
});

test('a warehouse of Fabric is reached with a token of Microsoft Entra ID', async () => {
  const login = { tenantId: 't', clientId: 'c', clientSecret: 'the-secret' };
  const query = { sqlEndpointId: 'abc-xyz', warehouseId: 'shop', sql: 'SELECT 1' };
  const asked: string[] = [];
  const reply = (body: object) => ({
    fetch: async ({ url, body: form }: { url: string; body?: unknown }) => {
      asked.push(`${url} ${String(form)}`);
      const content = (async function* () {
        yield Buffer.from(JSON.stringify(body));
      })();
      return { status: 200, url, headers: {}, body: content };
    },
    connect: async ({ host }: { host: string }) => {
      throw new Error(`no way to ${host}`);
    },
  });
  const run = (properties: object, body: object) =>
    runType(fabricQuery, { ...properties }, aTaskContext(reply(body)));
  await expect(run({ ...query, ...login }, { access_token: 'token' })).rejects.toThrow(
    'abc-xyz.datawarehouse.fabric.microsoft.com',
  );
  expect(asked[0]).toContain('/t/oauth2/v2.0/token grant_type=client_credentials&client_id=c');
  await expect(run({ ...query, ...login }, { error: 'invalid_client' })).rejects.toThrow('invalid_client');
  await expect(run(query, {})).rejects.toThrow('"tenantId", "clientId" and "clientSecret" must be given');
});
