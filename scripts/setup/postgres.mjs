import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, isExecutable } from './program.mjs';

/** Where Debian keeps the server programs, which are seldom on the search path. */
const versions = '/usr/lib/postgresql';

/** True when the tests can start a server of their own, or are given one. */
export function hasPostgres() {
  if (process.env.MILLRACE_TEST_POSTGRES_URL || findProgram(['initdb'])) return true;
  return (
    existsSync(versions) &&
    readdirSync(versions).some((name) => isExecutable(join(versions, name, 'bin/initdb')))
  );
}
