import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realNetwork, runType } from '@millrace/plugin-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineList } from './remote/list.ts';
import { smb } from './smb.ts';
import { anFsContext } from './testing/fsContext.ts';
import { testProtocol } from './testing/protocolSuite.ts';
import { type SambaServer, startSamba } from './testing/samba.ts';

let server: SambaServer;
beforeAll(async () => {
  server = await startSamba();
});
afterAll(() => server.stop());

const connection = () => ({
  host: server.host,
  port: String(server.port),
  username: server.username,
  password: server.password,
});

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
