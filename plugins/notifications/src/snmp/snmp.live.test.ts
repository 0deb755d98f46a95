import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskDefinition } from '@millrace/plugin-kit';
import { aTaskContext, realNetwork, runType } from '@millrace/plugin-kit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendInform, sendTrap } from './snmp.ts';

const [authPassword, privPassword] = ['longenough1', 'longenough2'];
const engine = '0x80000000046d696c6c72616365';
const settings = `disableAuthorization yes
createUser -e ${engine} robot SHA ${authPassword} AES ${privPassword}
createUser -e ${engine} older MD5 ${authPassword} DES ${privPassword}
createUser -e ${engine} newer SHA-256 ${authPassword} AES ${privPassword}
createUser informer SHA ${authPassword} AES ${privPassword}
`;

async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/** Debian's receiver, with what it logged. */
async function startReceiver() {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-snmp-'));
  const port = await freePort();
  await writeFile(join(folder, 'trap.conf'), settings);
  const log = join(folder, 'log');
  const options = ['-f', '-Lf', log, '-m', '', '-On', '-C', '-c', join(folder, 'trap.conf')];
  const env = { ...process.env, SNMP_PERSISTENT_DIR: join(folder, 'state') };
  const receiver = spawn('snmptrapd', [...options, `udp:127.0.0.1:${port}`], { env, stdio: 'ignore' });
  onTestFinished(async () => {
    receiver.kill();
    await new Promise((resolve) => receiver.once('exit', resolve));
    await rm(folder, { recursive: true });
  });
  const logged = () => readFile(log, 'utf8').catch(() => '');
  await expect.poll(logged, { timeout: 20_000 }).toContain('NET-SNMP version');
  return { port, logged };
}

/** `scripts/connectors/snmptrapd.mjs` finds the program. */
describe.skipIf(!process.env.MILLRACE_TEST_SNMPTRAPD)('snmptrapd of Debian', () => {
  test('understands traps and confirms informs of all versions', async () => {
    const { port, logged } = await startReceiver();
    const run = (task: TaskDefinition, value: string, more: object = {}) =>
      runType(
        task,
        {
          host: '127.0.0.1',
          port,
          trapOid: '1.3.6.1.4.1.8072.2.3.0.1',
          bindings: [{ oid: '1.3.6.1.4.1.8072.2.3.2.1', value }],
          ...more,
        },
        aTaskContext(realNetwork()),
      );
    const as = (username: string, authProtocol: string, privProtocol: string) => ({
      snmpVersion: 'v3',
      v3: { username, authProtocol, authPassword, privProtocol, privPassword },
    });
    await run(sendTrap, 'trap v1', { snmpVersion: 'v1' });
    await run(sendTrap, 'trap v2c');
    await run(sendTrap, 'trap aes', as('robot', 'SHA', 'AES'));
    await run(sendTrap, 'trap des', as('older', 'MD5', 'DES'));
    await run(sendTrap, 'trap sha256', as('newer', 'SHA256', 'AES'));
    expect(await run(sendInform, 'inform v2c')).toMatchObject({ acknowledged: true });
    expect(await run(sendInform, 'inform v3', as('informer', 'SHA', 'AES'))).toMatchObject({
      acknowledged: true,
    });
    expect(await run(sendInform, 'refused', as('unknown', 'SHA', 'AES'))).toMatchObject({
      acknowledged: false,
    });
    for (const value of [
      'trap v1',
      'trap v2c',
      'trap aes',
      'trap des',
      'trap sha256',
      'inform v2c',
      'inform v3',
    ])
      await expect.poll(logged, { timeout: 20_000 }).toContain(`"${value}"`);
  }, 60_000);
});
