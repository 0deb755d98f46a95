import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Finds the Groovy of the system. @returns {Promise<Record<string, string>>} */
export async function install() {
  await promisify(execFile)('groovy', ['--version']).catch(() => {
    throw new Error('Groovy is not installed (Debian: groovy and default-jre-headless).');
  });
  return { MILLRACE_TEST_GROOVY: 'true' };
}
