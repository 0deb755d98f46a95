import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const version = 'v0.0.0-20260212201848-7aac2a2c5b7c';

/**
 * MinIO, compiled from its Go module, because it is published only as source: the first run takes minutes.
 * @param {string} folder
 * @returns {Promise<Record<string, string>>}
 */
export async function install(folder) {
  const bin = join(folder, version);
  if (!existsSync(join(bin, 'minio'))) {
    await run('go', ['version']).catch(() => {
      throw new Error('Go is not installed (Debian: golang-go).');
    });
    await run('go', ['install', `github.com/minio/minio@${version}`], {
      env: { ...process.env, GOBIN: bin },
    });
  }
  return { MILLRACE_TEST_MINIO: join(bin, 'minio') };
}
