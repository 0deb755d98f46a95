import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Finds the receiver of SNMP traps of the system. @returns {Promise<Record<string, string>>} */
export async function install() {
  await promisify(execFile)('snmptrapd', ['--version']).catch(() => {
    throw new Error('snmptrapd is not installed (Debian: snmptrapd).');
  });
  return { MILLRACE_TEST_SNMPTRAPD: 'true' };
}
