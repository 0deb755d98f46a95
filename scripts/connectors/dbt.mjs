import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** dbt with its DuckDB adapter, in a Python environment. @param {string} folder */
export async function install(folder) {
  const bin = join(folder, 'venv/bin');
  if (!existsSync(join(bin, 'dbt'))) {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    const packages = ['dbt-core==1.10.15', 'dbt-duckdb==1.10.0'];
    await run(join(bin, 'pip'), ['install', '-q', '--disable-pip-version-check', ...packages]);
  }
  return { MILLRACE_TEST_DBT: bin };
}
