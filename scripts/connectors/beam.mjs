import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const version = '2.69.0';

/** The Python SDK of Apache Beam with its YAML pipelines, in a Python environment. @param {string} folder */
export async function install(folder) {
  const bin = join(folder, version, 'bin');
  if (!existsSync(join(bin, 'beam-is-complete'))) {
    await run('python3', ['-m', 'venv', join(folder, version)]);
    await run(join(bin, 'pip'), [
      'install',
      '-q',
      '--disable-pip-version-check',
      `apache-beam[yaml]==${version}`,
    ]);
    await run('touch', [join(bin, 'beam-is-complete')]);
  }
  return { MILLRACE_TEST_BEAM: bin };
}
