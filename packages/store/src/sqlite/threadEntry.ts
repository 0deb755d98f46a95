import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Where the code of the two threads is. From sources (tests, development) it is the TypeScript file beside this one,
 * run through tsx. In a bundle it must be an entry of its own, because a server build does not follow `new Worker`:
 * the build has the entries `storeWriter` (sqlite/writer.ts) and `storeReader` (sqlite/reader.ts), and the files
 * `storeWriter.js` and `storeReader.js` lie beside the bundle, or one folder above the chunk this module ends up in.
 */
export const writerEntry = (): URL => entry('./writer.ts', 'storeWriter.js');
export const readerEntry = (): URL => entry('./reader.ts', 'storeReader.js');

/** Names a folder with both entries, built. A test run makes one: reading sources anew took most of the time of opening. */
const builtVariable = 'MILLRACE_STORE_THREADS';

function entry(source: string, bundled: string): URL {
  const built = process.env[builtVariable];
  if (isSource(import.meta.url))
    return built === undefined ? new URL(source, import.meta.url) : pathToFileURL(join(built, bundled));
  const places = [new URL(`./${bundled}`, import.meta.url), new URL(`../${bundled}`, import.meta.url)];
  const found = places.find((place) => existsSync(place));
  if (found === undefined)
    throw new Error(`The build is incomplete: ${bundled} is missing beside the server.`);
  return found;
}

/** Starts a thread on such an entry. Node 20 cannot read TypeScript, so sources are imported after tsx is in place. */
export function startThread(entry: URL, workerData: unknown): Worker {
  if (!isSource(entry.href)) return new Worker(entry, { workerData, execArgv: [] });
  const [tsx, source] = [import.meta.resolve('tsx/esm/api'), entry.href].map((url) => JSON.stringify(url));
  const code = `import(${tsx}).then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(code, { eval: true, workerData, execArgv: [] });
}

const isSource = (url: string): boolean => url.endsWith('.ts');
