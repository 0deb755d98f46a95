import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The emulator of Azure Storage; not a dependency, because it takes 190 MB in total.
 * @param {string} folder
 */
export async function install(folder) {
  if (!existsSync(join(folder, 'node_modules/azurite')))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'azurite@3.35.0'], {
      stdio: 'pipe',
    });
  return { MILLRACE_AZURITE: folder };
}
