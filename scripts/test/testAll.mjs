import { checkAll } from '../check/checkAll.mjs';
import { buildWhenNeeded } from '../setup/build.mjs';
import { installWhenNeeded } from '../setup/install.mjs';

/**
 * Implements `npm test`: installs, checks, builds, tests, runs the end-to-end journeys, and prints a one-line
 * summary after the failures. Arguments are filters for test files; with them only those tests run.
 * @param {readonly string[]} args
 */
export async function testAll(args) {
  await installWhenNeeded();
  // Imported late: these modules need the packages that were just installed.
  const { provideTestPrograms } = await import('../setup/testPrograms.mjs');
  const { runVitest } = await import('./runVitest.mjs');
  await provideTestPrograms();

  const counts = [];
  if (args.length === 0) counts.push(await checkAll());
  await buildWhenNeeded();
  counts.push(await runVitest(['!e2e'], args));
  counts.push(await runVitest(['e2e'], args));

  const passed = counts.reduce((sum, count) => sum + count.passed, 0);
  const failed = counts.reduce((sum, count) => sum + count.failed, 0);
  if (passed + failed === 0) console.error(`No test matches ${args.join(' ')}.`);
  // Again at the end, where a log that was cut off still shows them.
  for (const failure of counts.flatMap(({ failures }) => failures)) console.log(`✗ ${failure}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}
