import { runVitest } from './runVitest.mjs';
import { startVitestProcess } from './vitestProcess.mjs';

/**
 * @typedef {import('./runVitest.mjs').Counts} Counts
 * @typedef {import('./runVitest.mjs').Failure} Failure
 */

/** With more failed files than this the change is wrong, and no test unstable. */
const MANY_FILES = 5;

/** Vitest projects, `!` in front excludes. */
const unitTests = ['!e2e'];
const journeys = ['e2e'];

/**
 * Starts all tests. The journeys run beside everything else, because a browser that waits leaves half of the processor
 * idle; their report follows the one of the other tests, which `finish` runs.
 * @param {readonly string[]} filters parts of file names
 */
export function startTests(filters) {
  // Started before the other tests put their temporary folders into the environment.
  const beside = startVitestProcess(journeys, filters);
  return {
    /** @returns {Promise<(Counts & { unstable: Failure[] })[]>} */
    finish: async () => {
      const unit = await runVitest(unitTests, filters);
      const walked = await beside.finish();
      return [await runFailedAgain(unitTests, unit), await runFailedAgain(journeys, walked)];
    },
  };
}

/**
 * Files with a failure run once more, alone. A test that passes then is unstable: the report names it, because it may
 * show a defect that depends on time, but it does not fail the run.
 * @param {string[]} project
 * @param {Counts} first
 */
async function runFailedAgain(project, first) {
  const files = [...new Set(first.failures.flatMap(({ file }) => file ?? []))];
  if (files.length === 0 || files.length > MANY_FILES) return { ...first, unstable: [] };

  console.log(`\nRunning the files with a failure again: ${files.length}`);
  const again = await runVitest(project, files);
  const failures = [...first.failures.filter(({ file }) => file === undefined), ...again.failures];
  const unstable = first.failures.filter(({ where }) => !failures.some((other) => other.where === where));
  return { passed: first.passed + unstable.length, failures, unstable };
}
