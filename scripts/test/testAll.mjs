import { checkAll } from '../check/checkAll.mjs';
import { buildWhenNeeded } from '../setup/build.mjs';
import { installWhenNeeded } from '../setup/install.mjs';

/**
 * Implements `npm test`: installs, builds, and runs checks, tests and end-to-end journeys side by side; prints a one-line
 * summary after the failures. Arguments are filters for test files; with them only those tests run.
 * @param {readonly string[]} args
 */
export async function testAll(args) {
  await installWhenNeeded();
  // Imported late: these modules need the packages that were just installed.
  const { provideTestPrograms } = await import('../setup/testPrograms.mjs');
  const { startTests } = await import('./runTests.mjs');
  const { stopWithSignal } = await import('./stopWithSignal.mjs');
  const { stopVitestProcesses } = await import('./vitestProcess.mjs');
  await provideTestPrograms();

  process.env.MILLRACE_TEST_WHOLE = 'true';
  // A terminal shows the progress of the tests in place, so the checks report after them.
  /** @type {string[]} */
  const lines = [];
  const print = process.stdout.isTTY ? (/** @type {string} */ text) => void lines.push(text) : console.log;
  // One at a time: the build and the tests that run beside them keep the other cores busy.
  const checks =
    args.length === 0 ? checkAll({ atOnce: 1, print }) : Promise.resolve({ passed: 0, failures: [] });
  await buildWhenNeeded();
  stopWithSignal(stopVitestProcesses);
  const tested = await startTests(args).finish();
  const checked = await checks;
  for (const line of lines) console.log(line);

  const passed = checked.passed + tested.reduce((sum, counts) => sum + counts.passed, 0);
  // Again at the end, where a log that was cut off still shows them.
  for (const { where, message } of tested.flatMap(({ unstable }) => unstable))
    console.log(`? ${where}: failed once, then passed: ${message}`);
  const failures = [
    ...checked.failures,
    ...tested.flatMap((counts) => counts.failures).map(({ where, message }) => `${where}: ${message}`),
  ];
  for (const failure of failures) console.log(`✗ ${failure}`);
  if (passed + failures.length === 0) console.error(`No test matches ${args.join(' ')}.`);
  console.log(`\n${passed} passed, ${failures.length} failed`);
  process.exit(failures.length === 0 && passed > 0 ? 0 : 1);
}
