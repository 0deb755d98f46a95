/**
 * The location of the process code: next to this file in the sources, and `embeddedDatabase.js` next to the
 * server's file after a build.
 */
export function hostUrl(from: string = import.meta.url): URL {
  // The names are not literals inside `new URL`, because a bundler would treat the file as an asset.
  const name = from.endsWith('.ts') ? './host.js' : './embeddedDatabase.js';
  return new URL(name, from);
}
