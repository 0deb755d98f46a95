import { pathToFileURL } from 'node:url';
import { unsealEnvironment } from '../../packages/server/src/unsealEnvironment.mjs';
import { buildWhenNeeded } from './build.mjs';
import { installWhenNeeded } from './install.mjs';
import { inRoot } from './root.mjs';

/**
 * Prepares the product and runs it in this process, so that the server handles signals, exit code and
 * terminal.
 * @param {readonly string[]} args
 */
export async function startProduct(args) {
  unsealEnvironment(process.env);
  await installWhenNeeded();
  await buildWhenNeeded();
  const entry = inRoot('dist', 'server', 'millrace.js');
  process.argv = [process.execPath, entry, ...args];
  await import(pathToFileURL(entry).href);
}
