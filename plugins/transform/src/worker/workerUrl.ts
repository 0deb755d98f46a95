/** The worker's code is next to this file in the sources, and next to the server's file after a build. */
export function workerUrl(from: string = import.meta.url): URL {
  // The names are not literals inside `new URL`, because a bundler would treat the file as an asset.
  const name = from.endsWith('.ts') ? './worker.js' : './transformWorker.js';
  return new URL(name, from);
}
