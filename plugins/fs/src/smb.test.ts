import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  type RunningServer,
  realNetwork,
  runType,
  type ServerPlace,
  startRealServer,
} from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineList } from './remote/list.ts';
import { smb } from './smb.ts';
import { anFsContext } from './testing/fsContext.ts';
import { testProtocol } from './testing/protocolSuite.ts';

const username = userInfo().username;
const password = 'correct-password';

function configure({ folder, port }: ServerPlace): void {
  for (const name of ['share', 'state', 'run']) mkdirSync(join(folder, name));
  const config = `[global]
  server role = standalone server
  smb ports = ${port}
  interfaces = 127.0.0.1/8
  bind interfaces only = yes
  disable netbios = yes
  load printers = no
  private dir = ${folder}/state
  state directory = ${folder}/state
  cache directory = ${folder}/state
  lock directory = ${folder}/run
  pid directory = ${folder}/run
  ncalrpc dir = ${folder}/run/ncalrpc
  passdb backend = smbpasswd:${folder}/state/smbpasswd
[data]
  path = ${folder}/share
  read only = no
`;
  writeFileSync(join(folder, 'smb.conf'), config);
  const args = ['-c', join(folder, 'smb.conf'), '-s', '-a', username];
  const added = spawnSync('smbpasswd', args, { input: `${password}\n${password}\n` });
  if (added.status !== 0) throw new Error(`smbpasswd: ${added.stderr}`);
}

let server: RunningServer;
beforeAll(async () => {
  server = await startRealServer({
    program: '/usr/sbin/smbd',
    prepare: configure,
    // In its own process group, because smbd ends its whole group when it stops.
    args: ({ folder }) => ['--foreground', '--debug-stdout', '-s', join(folder, 'smb.conf')],
  });
});
afterAll(() => server.stop());

const connection = () => ({ host: server.host, port: String(server.port), username, password });

describe('SMB on a real Samba server', () => {
  testProtocol({ name: 'smb', connection, root: '/data', overwrites: false });

  const list = defineList(smb);
  test('a wrong password, a wrong share, a missing share and a refused address are named', async () => {
    const run = (properties: object, context = anFsContext()) =>
      runType(list, { ...connection(), from: '/data', ...properties }, context);
    await expect(run({ password: 'wrong' })).rejects.toThrow(/does not let ".*" in with this password/);
    await expect(run({ from: '/nothing/here' })).rejects.toThrow('has no share "nothing"');
    await expect(run({ from: '/' })).rejects.toThrow('must begin with the name of a share');
    await expect(run({ host: 'no-such-host.invalid' })).rejects.toThrow('no-such-host.invalid');
    const closed = anFsContext(realNetwork({ denyPrivate: true }));
    await expect(run({}, closed)).rejects.toThrow('not allowed by the outbound policy');
  });

  test('a folder with many files is listed completely', async () => {
    const folder = join(server.folder, 'share', 'many');
    mkdirSync(folder);
    for (let at = 0; at < 1500; at++)
      writeFileSync(join(folder, `a-rather-long-name-of-file-${at}.csv`), 'x');
    const outputs = await runType(
      list,
      { ...connection(), from: '/data/many', maxFiles: 5000 },
      anFsContext(),
    );
    expect(outputs.files).toHaveLength(1500);
  });
});
