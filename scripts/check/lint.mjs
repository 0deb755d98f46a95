import { runDependency } from '../setup/run.mjs';

/** Checks style, correctness and the import rules between packages. */
export async function lint() {
  const { code, output } = await runDependency(
    '@biomejs/biome/bin/biome',
    ['check', '--error-on-warnings', '--max-diagnostics=50'],
    { quiet: true },
  );
  return { ok: code === 0, words: code === 0 ? '' : output };
}
