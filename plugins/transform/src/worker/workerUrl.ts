/** Where the code of the process is: beside this file in the sources, and beside the server's own file after a build. */
export function workerUrl(from: string = import.meta.url): URL {
  // The names are not literals inside `new URL`, or a bundler would take the file for an asset.
  const name = from.endsWith('.ts') ? './worker.js' : './transformWorker.js';
  return new URL(name, from);
}
