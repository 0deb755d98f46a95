/**
 * The location of the helper's code: next to this file in the sources, and `spawnHelper.js` next to the
 * server's file after a build, where the helper is a separate entry.
 */
export function helperUrl(from: string = import.meta.url): URL {
  // The names are not literals inside `new URL`, because a bundler would treat the file as an asset.
  const name = from.endsWith('.ts') ? './helper.js' : './spawnHelper.js';
  return new URL(name, from);
}
