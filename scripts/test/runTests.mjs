import { runVitest } from './runVitest.mjs';

/** @typedef {import('./runVitest.mjs').Failure} Failure */

/** With more failed files than this the change is wrong, and no test unstable. */
const MANY_FILES = 5;

/**
 * Runs vitest projects. Files with a failure run once more, alone. A test that passes then is unstable: the report names
 * it, because it may show a defect that depends on time, but it does not fail the run.
 * @param {string[]} project names, `!` in front excludes
 * @param {readonly string[]} filters parts of file names
 * @returns {Promise<import('./runVitest.mjs').Counts & { unstable: Failure[] }>}
 */
export async function runTests(project, filters) {
  const first = await runVitest(project, filters);
  const files = [...new Set(first.failures.flatMap(({ file }) => file ?? []))];
  if (files.length === 0 || files.length > MANY_FILES) return { ...first, unstable: [] };

  console.log(`\nRunning the files with a failure again: ${files.length}`);
  const again = await runVitest(project, files);
  const failures = [...first.failures.filter(({ file }) => file === undefined), ...again.failures];
  const unstable = first.failures.filter(({ where }) => !failures.some((other) => other.where === where));
  return { passed: first.passed + unstable.length, failures, unstable };
}
