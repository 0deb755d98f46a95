import { availableParallelism } from 'node:os';
import { startVitest } from 'vitest/node';
import { root } from '../setup/root.mjs';

/**
 * Runs vitest projects with the usual report and counts what came out. A file that does not load and an error that
 * nobody caught count as failures: they hide tests.
 * @param {string[]} project names, `!` in front excludes
 * @param {readonly string[]} filters parts of file names
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runVitest(project, filters) {
  const counts = { passed: 0, failed: 0 };
  /** @type {import('vitest/node').Reporter} */
  const counter = {
    onTestCaseResult(test) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      if (state === 'failed') counts.failed += 1;
    },
    onTestRunEnd(modules, errors) {
      counts.failed += errors.length + modules.filter((module) => module.errors().length > 0).length;
    },
  };
  const vitest = await startVitest('test', [...filters], {
    root,
    project,
    watch: false,
    passWithNoTests: true,
    // Left alone it keeps one core for itself, which is half of a small machine.
    maxWorkers: availableParallelism(),
    reporters: ['default', counter],
  });
  await vitest.close();
  return counts;
}
