import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunningServer, startRealServer } from './realServer.ts';

const run = promisify(execFile);

export interface SshServer extends RunningServer {
  /** The user that can log in with the keys: the user who runs the tests. */
  readonly username: string;
  readonly privateKey: string;
  /** A second key with the passphrase `open sesame`. */
  readonly lockedKey: string;
}

/**
 * Starts a real OpenSSH server that accepts two keys; needs only the rights of the user who runs the tests.
 */
export async function startSshServer(): Promise<SshServer> {
  let keys = { privateKey: '', lockedKey: '' };
  const server = await startRealServer({
    program: '/usr/sbin/sshd',
    args: ({ folder }) => ['-D', '-e', '-f', join(folder, 'sshd_config')],
    prepare: async ({ folder, host, port }) => {
      const keygen = (name: string, passphrase: string) =>
        run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', join(folder, name)]);
      await keygen('host', '');
      await keygen('key', '');
      await keygen('locked', 'open sesame');
      const read = (name: string) => readFile(join(folder, name), 'utf8');
      keys = { privateKey: await read('key'), lockedKey: await read('locked') };
      await writeFile(join(folder, 'keys'), (await read('key.pub')) + (await read('locked.pub')), {
        mode: 0o600,
      });
      // A server that is started by root wants this folder for its unprivileged part.
      if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true });
      const settings = [
        `ListenAddress ${host}:${port}`,
        `HostKey ${join(folder, 'host')}`,
        `AuthorizedKeysFile ${join(folder, 'keys')}`,
        'PidFile none',
        'StrictModes no',
        'UsePAM no',
        'PasswordAuthentication no',
        'PermitRootLogin yes',
        'Subsystem sftp internal-sftp',
      ];
      await writeFile(join(folder, 'sshd_config'), `${settings.join('\n')}\n`);
    },
  });
  return { ...server, username: userInfo().username, ...keys };
}
