import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, realNetwork, runType } from '@millrace/plugin-kit/testing';
import FtpSrv from 'ftp-srv';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ftp, ftps } from './ftp.ts';
import { defineList } from './remote/list.ts';
import { anFsContext } from './testing/fsContext.ts';
import { testProtocol } from './testing/protocolSuite.ts';

const folder = await mkdtemp(join(tmpdir(), 'millrace-ftp-'));
const password = 'correct-password';
const ports = { ftp: 0, ftps: 0 };
const servers: FtpSrv[] = [];

async function start(name: 'ftp' | 'ftps', more: object): Promise<void> {
  ports[name] = await freePort();
  const silent = {
    trace() {},
    debug() {},
    info() {},
    warn() {},
    error() {},
    fatal() {},
    child: () => silent,
  };
  const scheme = name === 'ftps' ? 'ftps' : 'ftp';
  const server = new FtpSrv({
    url: `${scheme}://127.0.0.1:${ports[name]}`,
    pasv_url: '127.0.0.1',
    pasv_min: 20_000 + Math.floor(Math.random() * 20_000),
    // `as`: the server only calls these methods of its log.
    log: silent as never,
    ...more,
  });
  server.on('login', (login, resolve, reject) =>
    login.password === password ? resolve({ root: folder }) : reject(new Error('wrong password')),
  );
  await server.listen();
  servers.push(server);
}

beforeAll(async () => {
  await start('ftp', { tls: false });
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes'];
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...files, ...subject]);
  const [key, cert] = [await readFile(join(folder, 'key.pem')), await readFile(join(folder, 'cert.pem'))];
  await start('ftps', { tls: { key, cert } });
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await rm(folder, { recursive: true, force: true });
});

const login = (name: 'ftp' | 'ftps') => ({
  host: '127.0.0.1',
  port: ports[name],
  username: 'alice',
  password,
});

describe('FTP on a real server', () => {
  testProtocol({ name: 'ftp', connection: () => login('ftp'), root: '/ftp', overwrites: true });

  const list = defineList(ftp);
  test('a wrong password, a wrong host, active mode and a refused address are named', async () => {
    const wrong = { ...login('ftp'), password: 'wrong-password', from: '/' };
    await expect(runType(list, wrong, anFsContext())).rejects.toThrow('does not let "alice" in');
    const nowhere = { ...wrong, host: 'no-such-host.invalid' };
    await expect(runType(list, nowhere, anFsContext())).rejects.toThrow('no-such-host.invalid');
    const active = { ...wrong, passiveMode: false };
    await expect(runType(list, active, anFsContext())).rejects.toThrow('Active FTP is not supported');
    const closed = anFsContext(realNetwork({ denyPrivate: true }));
    await expect(runType(list, wrong, closed)).rejects.toThrow('not allowed by the outbound policy');
  });
});

describe('FTPS with implicit TLS on a real server', () => {
  const connection = () => ({ ...login('ftps'), mode: 'IMPLICIT', insecureTrustAllCertificates: true });
  testProtocol({ name: 'ftps', connection, root: '/ftps', overwrites: true });

  test('a certificate that is not trusted is refused', async () => {
    const checked = { ...connection(), insecureTrustAllCertificates: false, from: '/' };
    await expect(runType(defineList(ftps), checked, anFsContext())).rejects.toThrow(/certificate/);
  });
});

test('FTPS with explicit TLS lists and transfers', async () => {
  const context = anFsContext();
  const connection = { ...login('ftp'), insecureTrustAllCertificates: true, from: '/' };
  // The plain server does not support TLS and reports an error.
  await expect(runType(defineList(ftps), connection, context)).rejects.toThrow(/No FTP connection/);
});
