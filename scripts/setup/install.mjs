import { existsSync, readFileSync } from 'node:fs';
import { fail } from './fail.mjs';
import { inRoot } from './root.mjs';
import { run } from './run.mjs';

/** Installs the dependencies of the lock file unless they are already installed. */
export async function installWhenNeeded() {
  if (isInstalled()) return;
  console.log('Installing dependencies from the lock file …');
  const { code } = await runNpm(['ci', '--no-audit', '--no-fund']);
  if (code !== 0) fail('Installing the dependencies failed; the lines above say why.', code);
}

/** npm writes the installed packages to a separate lock file, and only when it has finished. */
function isInstalled() {
  const installed = inRoot('node_modules', '.package-lock.json');
  return (
    existsSync(installed) && isSatisfied(readPackages(inRoot('package-lock.json')), readPackages(installed))
  );
}

/**
 * @typedef {{ version?: string, integrity?: string, optional?: boolean, devOptional?: boolean, link?: boolean }} LockedPackage
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} installed
 */
export function isSatisfied(wanted, installed) {
  return Object.entries(wanted).every(([path, locked]) => {
    if (!path.includes('node_modules/') || locked.link) return true;
    const found = installed[path];
    // Optional packages are mostly binaries for other platforms: they may be missing, but not in another
    // version.
    if (!found) return Boolean(locked.optional || locked.devOptional);
    return found.version === locked.version && found.integrity === locked.integrity;
  });
}

/** @param {string} file @returns {Record<string, LockedPackage>} */
const readPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/** Uses the npm that started this process, if any. @param {string[]} args */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  return npm ? run(process.execPath, [npm, ...args]) : run('npm', args);
}
