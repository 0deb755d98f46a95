import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, isExecutable } from './program.mjs';

/** Debian's folder for the server programs, which are rarely on the PATH. */
const versions = '/usr/lib/postgresql';

/** True when the tests can start a PostgreSQL server, or the environment names one. */
export function hasPostgres() {
  if (process.env.MILLRACE_TEST_POSTGRES_URL || findProgram(['initdb'])) return true;
  return (
    existsSync(versions) &&
    readdirSync(versions).some((name) => isExecutable(join(versions, name, 'bin/initdb')))
  );
}
