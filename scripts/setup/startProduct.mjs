import { pathToFileURL } from 'node:url';
import { buildWhenNeeded } from './build.mjs';
import { installWhenNeeded } from './install.mjs';
import { inRoot } from './root.mjs';
import { unsealEnvironment } from './unsealEnvironment.mjs';

/**
 * Makes the product ready and runs it in this very process: signals, exit code and terminal are the server's own.
 * @param {readonly string[]} args
 */
export async function startProduct(args) {
  unsealEnvironment();
  await installWhenNeeded();
  await buildWhenNeeded();
  const entry = inRoot('dist', 'server', 'millrace.js');
  process.argv = [process.execPath, entry, ...args];
  await import(pathToFileURL(entry).href);
}
