import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realNetwork, runType, type SshServer, startSshServer } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineList } from './remote/list.ts';
import { sftp } from './sftp.ts';
import { sshCommand } from './sshCommand.ts';
import { anFsContext } from './testing/fsContext.ts';
import { testProtocol } from './testing/protocolSuite.ts';

let server: SshServer;
const root = await mkdtemp(join(tmpdir(), 'millrace-sftp-'));
beforeAll(async () => {
  server = await startSshServer();
});
afterAll(async () => {
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

const login = () => ({ host: server.host, port: server.port, username: server.username });

describe('SFTP on a real OpenSSH server', () => {
  testProtocol({
    name: 'sftp',
    connection: () => ({ ...login(), keyfile: server.privateKey, rootDir: false }),
    root,
    overwrites: true,
  });

  const list = defineList(sftp);
  test('a wrong password, a wrong key, a wrong host and a refused address are named', async () => {
    const from = '/';
    const wrong = { ...login(), from, password: 'wrong-password' };
    await expect(runType(list, wrong, anFsContext())).rejects.toThrow(
      /does not let ".*" in with this password/,
    );
    const noKey = { ...login(), from, keyfile: 'no key' };
    await expect(runType(list, noKey, anFsContext())).rejects.toThrow('The private key cannot be read');
    const locked = { ...login(), from, keyfile: server.lockedKey, passphrase: 'open sesame', rootDir: false };
    await runType(list, locked, anFsContext());
    await expect(runType(list, { ...wrong, host: 'no-such-host.invalid' }, anFsContext())).rejects.toThrow(
      'No SSH connection to no-such-host.invalid:',
    );
    const closed = anFsContext(realNetwork({ denyPrivate: true }));
    await expect(runType(list, wrong, closed)).rejects.toThrow('not allowed by the outbound policy');
  });
});

describe('SSH commands on a real OpenSSH server', () => {
  const keyLogin = () => ({ ...login(), authMethod: 'PUBLIC_KEY', privateKey: server.privateKey });

  test('output is logged and gives outputs, variables are set', async () => {
    const context = anFsContext();
    const commands = ['echo "$GREETING"', 'echo oops >&2', `echo '::{"outputs":{"a":1}}::'`];
    const outputs = await runType(
      sshCommand,
      { ...keyLogin(), commands, env: { GREETING: "it's me" } },
      context,
    );
    expect(outputs).toEqual({ vars: { a: 1 }, exitCode: 0 });
    expect(context.logs).toEqual([
      { level: 'INFO', message: "it's me" },
      { level: 'ERROR', message: 'oops' },
    ]);
  });

  test('an exit code fails the task, and missing credentials are named', async () => {
    await expect(runType(sshCommand, { ...keyLogin(), commands: ['exit 3'] }, anFsContext())).rejects.toThrow(
      'exit code 3',
    );
    await expect(runType(sshCommand, { ...login(), commands: ['true'] }, anFsContext())).rejects.toThrow(
      'PASSWORD needs "password"',
    );
    const openSsh = { ...login(), authMethod: 'OPEN_SSH', commands: ['true'] };
    await expect(runType(sshCommand, openSsh, anFsContext())).rejects.toThrow('OPEN_SSH is not allowed');
  });

  test('a killed task ends its command at once', async () => {
    const context = anFsContext();
    const running = runType(sshCommand, { ...keyLogin(), commands: ['echo ready', 'sleep 60'] }, context);
    running.catch(() => {});
    await expect.poll(() => context.logs.length).toBe(1);
    const killedAt = Date.now();
    context.kill();
    await expect(running).rejects.toThrow();
    expect(Date.now() - killedAt).toBeLessThan(2_000);
  });
});
