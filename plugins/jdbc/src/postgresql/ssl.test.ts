import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '@millrace/store/suite';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeIdleSessions } from '../base/sessionPool.ts';
import { aDatabaseContext, runnerOf } from '../testing/databaseContext.ts';
import { postgresqlTypes } from './index.ts';

const run = runnerOf(postgresqlTypes);
let server: PostgresServer;
let certificate = '';
let otherCertificate = '';

/** A server with a certificate for "localhost" that it signed itself. */
beforeAll(async () => {
  server = await startPostgres();
  const data = join(server.folder, 'data');
  const make = (name: string, host: string) =>
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '2',
        '-subj',
        `/CN=${host}`,
        '-addext',
        `subjectAltName=DNS:${host}`,
        '-keyout',
        join(server.folder, `${name}.key`),
        '-out',
        join(server.folder, `${name}.crt`),
      ],
      { stdio: 'ignore' },
    );
  make('server', 'localhost');
  make('other', 'localhost');
  certificate = readFileSync(join(server.folder, 'server.crt'), 'utf8');
  otherCertificate = readFileSync(join(server.folder, 'other.crt'), 'utf8');
  const { uid, gid } = statSync(data);
  for (const file of ['server.crt', 'server.key']) {
    copyFileSync(join(server.folder, file), join(data, file));
    chownSync(join(data, file), uid, gid);
    chmodSync(join(data, file), 0o600);
  }
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.end();
  await server.restart();
});
afterAll(async () => {
  await closeIdleSessions();
  await server.stop();
});

async function isEncrypted(more: object, host = 'localhost'): Promise<unknown> {
  const { port } = new URL(server.url);
  const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  const properties = {
    url: `jdbc:postgresql://${host}:${port}/postgres`,
    username: 'postgres',
    sql,
    fetchType: 'FETCH_ONE',
    connectionPooling: false,
  };
  const { row } = await run('Query', { ...properties, ...more }, aDatabaseContext());
  return (row as { ssl: boolean }).ssl;
}

test.each([
  ['nothing, because the server offers it', () => ({}), true],
  ['DISABLE', () => ({ sslMode: 'DISABLE' }), false],
  ['REQUIRE', () => ({ sslMode: 'REQUIRE' }), true],
  ['VERIFY_FULL with the certificate', () => ({ ssl: true, sslRootCert: certificate }), true],
])('with %s', async (_, more, expected) => {
  expect(await isEncrypted(more())).toBe(expected);
});

test('a certificate that is not trusted is refused', async () => {
  await expect(isEncrypted({ ssl: true })).rejects.toThrow('self-signed certificate');
  await expect(isEncrypted({ sslMode: 'VERIFY_CA', sslRootCert: otherCertificate })).rejects.toThrow(
    'certificate',
  );
});

test('the name in the certificate counts for VERIFY_FULL only', async () => {
  const more = { sslRootCert: certificate };
  expect(await isEncrypted({ ...more, sslMode: 'VERIFY_CA' }, '127.0.0.1')).toBe(true);
  await expect(isEncrypted({ ...more, sslMode: 'VERIFY_FULL' }, '127.0.0.1')).rejects.toThrow(
    "does not match certificate's altnames",
  );
});

test('a URL can say the same', async () => {
  const { port } = new URL(server.url);
  expect(await isEncrypted({ url: `jdbc:postgresql://localhost:${port}/postgres?sslmode=disable` })).toBe(
    false,
  );
});
