import { buildWhenNeeded } from './build.mjs';
import { installWhenNeeded } from './install.mjs';
import { runDependency } from './run.mjs';

/** Builds the product and runs the benchmarks in `bench/`. @param {readonly string[]} args */
export async function startBench(args) {
  await installWhenNeeded();
  await buildWhenNeeded();
  const { code } = await runDependency('tsx/dist/cli.mjs', ['bench/main.ts', ...args]);
  process.exit(code);
}
