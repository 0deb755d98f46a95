import { execFileSync } from 'node:child_process';

/** Two keys of GnuPG: ours to sign with, whose passphrase is the test's secret, and the one of a partner. */
export function pgpKeys(home: string): { readonly ours: string; readonly partners: string } {
  const passphrase = 'value-of-OUR_PASSPHRASE';
  const gpg = (...args: readonly string[]) =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--pinentry-mode', 'loopback', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  gpg('--passphrase', passphrase, '--quick-gen-key', 'team@example.com', 'default', 'default', 'never');
  gpg('--passphrase', '', '--quick-gen-key', 'partner@example.com', 'default', 'default', 'never');
  const keys = {
    ours: gpg('--passphrase', passphrase, '--armor', '--export-secret-keys', 'team@example.com'),
    partners: gpg('--armor', '--export', 'partner@example.com'),
  };
  execFileSync('gpgconf', ['--homedir', home, '--kill', 'all'], { stdio: 'ignore' });
  return keys;
}
