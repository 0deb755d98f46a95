import { existsSync, readdirSync } from 'node:fs';
import { inRoot } from '../setup/root.mjs';
import { runDependency } from '../setup/run.mjs';

/**
 * Every TypeScript project, by its path from the root. All plugins are one project, because each of them would read the
 * kit, the engine and zod again.
 */
export function listProjects() {
  const packages = readdirSync(inRoot('packages')).map((name) => `packages/${name}`);
  const folders = [...packages, 'e2e', 'bench', 'scripts'];
  return [...folders.filter((path) => existsSync(inRoot(path, 'tsconfig.json'))), 'tsconfig.plugins.json'];
}

/**
 * Files that have not changed since the last check are not checked again.
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
