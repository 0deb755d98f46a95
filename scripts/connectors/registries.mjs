import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PyPI and the npm registry, as this machine's `pip` and `npm` reach them. @param {string} folder */
export async function install(folder) {
  const download = ['-m', 'pip', 'download', '-q', '--no-deps', '-d', folder, 'six==1.17.0'];
  await run('python3', download);
  await run('npm', ['view', 'is-number', 'version']);
  return { MILLRACE_TEST_REGISTRIES: 'true' };
}
