import { buildWhenNeeded } from './build.mjs';
import { installWhenNeeded } from './install.mjs';
import { runDependency } from './run.mjs';

/** Builds the product and injects faults around it; see `bench/chaos/`. @param {readonly string[]} args */
export async function startChaos(args) {
  await installWhenNeeded();
  await buildWhenNeeded();
  const { code } = await runDependency('tsx/dist/cli.mjs', ['bench/chaos/main.ts', ...args]);
  process.exit(code);
}
