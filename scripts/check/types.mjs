import { existsSync, readdirSync } from 'node:fs';
import { inRoot } from '../setup/root.mjs';
import { runDependency } from '../setup/run.mjs';

/** Every folder with a TypeScript project, by its path from the root. */
export function listProjects() {
  const rooms = ['packages', 'plugins'].flatMap((folder) =>
    readdirSync(inRoot(folder)).map((name) => `${folder}/${name}`),
  );
  return [...rooms, 'e2e', 'bench', 'scripts'].filter((path) => existsSync(inRoot(path, 'tsconfig.json')));
}

/**
 * What was right the last time and has not changed since is not looked at again.
 * @param {string} project
 */
export async function checkTypes(project) {
  const memory = inRoot('node_modules/.cache/types', `${project.replace('/', '-')}.tsbuildinfo`);
  const { code, output } = await runDependency(
    'typescript/bin/tsc',
    ['-p', project, '--incremental', '--tsBuildInfoFile', memory],
    { quiet: true },
  );
  return { ok: code === 0, words: output };
}
