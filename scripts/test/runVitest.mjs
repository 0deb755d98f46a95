import { availableParallelism } from 'node:os';
import { startVitest } from 'vitest/node';
import { root } from '../setup/root.mjs';

/**
 * @typedef {object} Failure
 * @property {string} where names the test
 * @property {string} message its first line
 * @property {string} [file] missing when the error belongs to no file
 * @typedef {{ passed: number, failures: Failure[] }} Counts
 */

/**
 * Runs vitest projects with the usual report and counts the results. A file that does not load and an
 * uncaught error count as failures, because they hide tests.
 * @param {string[]} project names, `!` in front excludes
 * @param {readonly string[]} filters parts of file names
 * @param {(test: import('vitest/node').TestCase) => void} [onTest] called with each test that ended
 * @returns {Promise<Counts>}
 */
export async function runVitest(project, filters, onTest) {
  /** @type {Counts} */
  const counts = { passed: 0, failures: [] };
  /** @param {string} where @param {readonly { message: string }[] | undefined} errors @param {string} [file] */
  const fail = (where, errors, file) =>
    counts.failures.push({
      where,
      message: errors?.[0]?.message.split('\n', 1)[0] ?? '',
      ...(file && { file }),
    });
  /** @type {import('vitest/node').Reporter} */
  const counter = {
    onTestCaseResult(test) {
      const { state, errors } = test.result();
      if (state === 'passed') counts.passed += 1;
      if (state === 'failed') fail(`${nameOf(test.module)} > ${test.fullName}`, errors, test.module.moduleId);
      onTest?.(test);
    },
    onTestRunEnd(modules, errors) {
      for (const error of errors) fail('Uncaught error', [error]);
      for (const module of modules) {
        const broken = module.errors();
        if (broken.length > 0) fail(nameOf(module), broken, module.moduleId);
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

/** @param {import('vitest/node').TestModule} module */
const nameOf = (module) => `${module.project.name} ${module.relativeModuleId}`;
