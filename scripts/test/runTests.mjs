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
 * Starts all tests in three processes: the journeys, the tests of the repository's own rules, and everything else. Most
 * tests wait for a server, a timer or the browser half of their time, so the processes run side by side. One
 * journey at a time: two browsers take the processor from all other tests.
 * @param {readonly string[]} filters parts of file names
 * @param {Promise<unknown>} checks they would find the files that the tests of the rules put beside the sources
 */
export function startTests(filters, checks) {
  /** @type {Part} */
  const unit = {
    project: ['!e2e'],
    filters,
    maxWorkers: availableParallelism(),
    env: { MILLRACE_TEST_HOUSE: 'false' },
  };
  /** @type {Part} */
  const journeys = { project: ['e2e'], filters, maxWorkers: 1 };
  /** @type {Part} */
  const rules = { project: ['house'], filters, maxWorkers: 1 };
  const besides = [
    { part: journeys, run: Promise.resolve(startVitestProcess(journeys, { isBeside: true })) },
    { part: rules, run: checks.then(() => startVitestProcess(rules, { isBeside: true })) },
  ];
  const before = startVitestProcess(unit);
  return {
    /** @returns {Promise<(Counts & { unstable: Failure[] })[]>} */
    finish: async () => {
      const first = [{ part: unit, counts: await before.finish() }];
      for (const { part, run } of besides) first.push({ part, counts: await (await run).finish() });
      const results = [];
      for (const { part, counts } of first) results.push(await runFailedAgain(part, counts));
      return results;
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
