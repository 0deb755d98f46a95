import { installWhenNeeded } from './install.mjs';
import { runDependency } from './run.mjs';

/**
 * Runs random flows with injected faults and user actions; see `bench/simulate.ts`.
 * @param {readonly string[]} args
 */
export async function startSimulation(args) {
  await installWhenNeeded();
  const { code } = await runDependency('tsx/dist/cli.mjs', ['bench/simulate.ts', ...args]);
  process.exit(code);
}
