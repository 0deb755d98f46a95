import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, type ServerPlace, startRealServer } from '@millrace/plugin-kit/testing';

const username = userInfo().username;
const password = 'correct-password';

export interface SambaServer extends RunningServer {
  readonly username: string;
  readonly password: string;
}

/** A real Samba with the share `data`, which is the folder `share` of the server. */
export async function startSamba(): Promise<SambaServer> {
  const server = await startRealServer({
    program: '/usr/sbin/smbd',
    prepare: configure,
    // In its own process group, because smbd ends its whole group when it stops.
    args: ({ folder }) => ['--foreground', '--debug-stdout', '-s', join(folder, 'smb.conf')],
  });
  return { ...server, username, password };
}

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
