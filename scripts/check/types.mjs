import { existsSync, readdirSync } from 'node:fs';
import { inRoot } from '../setup/root.mjs';
import { runDependency } from '../setup/run.mjs';

/** Every folder with a TypeScript project, by its path from the root. */
export function listProjects() {
  const rooms = readdirSync(inRoot('packages')).map((name) => `packages/${name}`);
  return [...rooms, 'e2e', 'bench', 'scripts'].filter((path) => existsSync(inRoot(path, 'tsconfig.json')));
}

/** @param {string} project */
export async function checkTypes(project) {
  const { code, output } = await runDependency('typescript/bin/tsc', ['-p', project], { quiet: true });
  return { ok: code === 0, words: output };
}
