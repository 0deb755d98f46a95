import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const version = '2026.7.19';

/** The emulator of Cloud Storage from PyPI. @param {string} folder @returns {Promise<Record<string, string>>} */
export async function install(folder) {
  const program = join(folder, version, 'bin', 'gcp-storage-emulator');
  if (!existsSync(program)) {
    execFileSync('python3', ['-m', 'venv', join(folder, version)]);
    execFileSync(join(folder, version, 'bin', 'pip'), [
      'install',
      '--quiet',
      `gcp-storage-emulator==${version}`,
    ]);
  }
  return { MILLRACE_TEST_GCS_EMULATOR: program };
}
