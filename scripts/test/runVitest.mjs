import { availableParallelism } from 'node:os';
import { startVitest } from 'vitest/node';
import { root } from '../setup/root.mjs';
import { killDescendants, stopWithSignal } from './stopWithSignal.mjs';

/**
 * @typedef {object} Failure
 * @property {string} where names the test
 * @property {string} message its first line
 * @property {string} [file] missing when the error belongs to no file
 * @typedef {{ passed: number, failures: Failure[] }} Counts
 * @typedef {object} Part
 * @property {string[]} project names of vitest projects, `!` in front excludes
 * @property {readonly string[]} filters parts of file names
 * @property {number} [maxWorkers] files that run at a time; one per core unless given
 */

/**
 * Runs vitest projects with the usual report and counts the results. A file that does not load and an
 * uncaught error count as failures, because they hide tests. A signal ends everything that the tests started.
 * @param {Part} part
 * @param {(test: import('vitest/node').TestCase) => void} [onTest] called with each test that ended
 * @returns {Promise<Counts>}
 */
export async function runVitest(
  // By default vitest reserves one core for itself, which is half of a small machine.
  { project, filters, maxWorkers = availableParallelism() },
  onTest,
) {
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
    onInit(vitest) {
      stopWithSignal(async () => {
        killDescendants();
        await vitest.close();
      });
    },
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
    maxWorkers,
    reporters: ['default', counter],
  });
  await vitest.close();
  return counts;
}

/** @param {import('vitest/node').TestModule} module */
const nameOf = (module) => `${module.project.name} ${module.relativeModuleId}`;
