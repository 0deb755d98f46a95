import { parseArgs } from 'node:util';
import { installWhenNeeded } from './install.mjs';
import { runDependency } from './run.mjs';

const suites = [
  'src/alerts',
  'src/executor',
  'src/worker',
  'src/scheduler',
  'src/cluster',
  'src/logs',
  'src/maintenance',
];

/**
 * Runs the suites of alerts, executor, workers and scheduler on stores whose reads fail and whose commits fail, are late
 * or lose their response, once per seed; see `packages/server/src/testing/faultyStore.ts`.
 * @param {readonly string[]} args
 */
export async function startFaults(args) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { seed: { type: 'string', default: '1' }, seeds: { type: 'string', default: '3' } },
  });
  await installWhenNeeded();
  const first = Number(values.seed);
  const failed = [];
  for (let seed = first; seed < first + Number(values.seeds); seed++) {
    process.stdout.write(`Seed ${seed}\n`);
    process.env.MILLRACE_TEST_FAULTS = String(seed);
    const files = positionals.length > 0 ? positionals : suites;
    const { code } = await runDependency('vitest/vitest.mjs', [
      'run',
      '--project',
      'server',
      '--testTimeout',
      '120000',
      ...files,
    ]);
    if (code !== 0) failed.push(seed);
  }
  if (failed.length > 0) process.stdout.write(`Failed with the seeds ${failed.join(', ')}.\n`);
  process.exit(failed.length === 0 ? 0 : 1);
}
