import { inRoot } from '../setup/root.mjs';
import { runDependency } from '../setup/run.mjs';

/**
 * Packages that are checked with the same options are one project: alone, each would check the packages that it imports
 * again. The files `tsconfig.json` in the packages are for editors and for a check of one package.
 */
export const listProjects = () => [
  'tsconfig.node.json',
  'packages/web',
  'tsconfig.browser.json',
  'tsconfig.pure.json',
];

/**
 * Files that have not changed since the last check are not checked again. One checker per project, because each of several
 * would resolve the shared types again: four take twice the processor time of one.
 * @param {string} project
 */
export async function checkTypes(project) {
  const memory = inRoot('node_modules/.cache/types', `${project.replace('/', '-')}.tsbuildinfo`);
  const { code, output } = await runDependency(
    'typescript/bin/tsc',
    ['-p', project, '--checkers', '1', '--incremental', '--tsBuildInfoFile', memory],
    { quiet: true },
  );
  return { ok: code === 0, words: output };
}
