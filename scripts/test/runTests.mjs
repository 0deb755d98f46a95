import { availableParallelism } from 'node:os';
import { startVitestProcess } from './vitestProcess.mjs';

/**
 * @typedef {import('./runVitest.mjs').Counts} Counts
 * @typedef {import('./runVitest.mjs').Failure} Failure
 * @typedef {import('./runVitest.mjs').Part} Part
 */

/** With more failed files than this the change is wrong, and no test unstable. */
const MANY_FILES = 5;

/**
 * Starts all tests in two processes: the journeys and everything else. Most tests wait for a server, a timer or the
 * browser half of their time, so the processes run side by side. One journey at a time: two browsers take the
 * processor from all other tests.
 * @param {readonly string[]} filters parts of file names
 */
export function startTests(filters) {
  /** @type {Part} */
  const unit = { project: ['!e2e'], filters, maxWorkers: availableParallelism() };
  /** @type {Part} */
  const journeys = { project: ['e2e'], filters, maxWorkers: 1 };
  const beside = startVitestProcess(journeys, { isBeside: true });
  const before = startVitestProcess(unit);
  return {
    /** @returns {Promise<(Counts & { unstable: Failure[] })[]>} */
    finish: async () => {
      const first = await before.finish();
      const second = await beside.finish();
      return [await runFailedAgain(unit, first), await runFailedAgain(journeys, second)];
    },
  };
}

/**
 * Files with a failure run once more, alone. A test that passes then is unstable: the report names it, because it may
 * show a defect that depends on time, but it does not fail the run.
 * @param {Part} part
 * @param {Counts} first
 */
async function runFailedAgain(part, first) {
  const files = [...new Set(first.failures.flatMap(({ file }) => file ?? []))];
  if (files.length === 0 || files.length > MANY_FILES) return { ...first, unstable: [] };

  console.log(`\nRunning the files with a failure again: ${files.length}`);
  const again = await startVitestProcess({ ...part, filters: files, maxWorkers: 1 }).finish();
  const failures = [...first.failures.filter(({ file }) => file === undefined), ...again.failures];
  const unstable = first.failures.filter(({ where }) => !failures.some((other) => other.where === where));
  return { passed: first.passed + unstable.length, failures, unstable };
}
