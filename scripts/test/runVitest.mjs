import { availableParallelism } from 'node:os';
import { startVitest } from 'vitest/node';
import { root } from '../setup/root.mjs';

/**
 * Runs vitest projects with the usual report and counts the results. A file that does not load and an
 * uncaught error count as failures, because they hide tests.
 * @param {string[]} project names, `!` in front excludes
 * @param {readonly string[]} filters parts of file names
 * @param {(test: import('vitest/node').TestCase) => void} [onTest] called with each test that ended
 * @returns {Promise<{ passed: number, failed: number, failures: string[] }>} with a line for each failure
 */
export async function runVitest(project, filters, onTest) {
  /** @type {{ passed: number, failed: number, failures: string[] }} */
  const counts = { passed: 0, failed: 0, failures: [] };
  /** @param {string} where @param {readonly { message: string }[] | undefined} errors */
  const fail = (where, errors) => {
    counts.failed += 1;
    counts.failures.push(`${where}: ${errors?.[0]?.message.split('\n', 1)[0] ?? ''}`);
  };
  /** @type {import('vitest/node').Reporter} */
  const counter = {
    onTestCaseResult(test) {
      const { state, errors } = test.result();
      if (state === 'passed') counts.passed += 1;
      if (state === 'failed')
        fail(`${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`, errors);
      onTest?.(test);
    },
    onTestRunEnd(modules, errors) {
      for (const error of errors) fail('Uncaught error', [error]);
      for (const module of modules) {
        const broken = module.errors();
        if (broken.length > 0) fail(`${module.project.name} ${module.relativeModuleId}`, broken);
      }
    },
  };
  const vitest = await startVitest('test', [...filters], {
    root,
    project,
    watch: false,
    passWithNoTests: true,
    // By default vitest reserves one core for itself, which is half of a small machine.
    maxWorkers: availableParallelism(),
    reporters: ['default', counter],
  });
  await vitest.close();
  return counts;
}
