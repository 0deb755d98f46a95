/**
 * Where the helper's code is: beside this file in the sources, and `spawnHelper.js` beside the server's own
 * file after a build, where the helper is an entry of its own.
 */
export function helperUrl(from: string = import.meta.url): URL {
  // The names are not literals inside `new URL`, or a bundler would take the file for an asset.
  const name = from.endsWith('.ts') ? './helper.js' : './spawnHelper.js';
  return new URL(name, from);
}
