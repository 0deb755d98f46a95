import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * Locates the code of the two threads. From sources (tests, development) it is the TypeScript file beside
 * this one, run through tsx. In a bundle it must be a separate entry, because a server build does not follow
 * `new Worker`: the build has the entries `storeWriter` (sqlite/writer.ts) and `storeReader`
 * (sqlite/reader.ts), and the files `storeWriter.js` and `storeReader.js` lie beside the bundle, or one
 * folder above the chunk this module ends up in.
 */
export const writerEntry = (): URL => entry('./writer.ts', 'storeWriter.js');
export const readerEntry = (): URL => entry('./reader.ts', 'storeReader.js');

/**
 * A folder with both entries, built. A test run creates one, because compiling the sources again dominated
 * the open time.
 */
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

/**
 * Starts a thread on such an entry. Node 20 cannot run TypeScript, so sources are imported after tsx is
 * registered.
 */
export function startThread(entry: URL, workerData: unknown): Worker {
  if (!isSource(entry.href)) return new Worker(entry, { workerData, execArgv: [] });
  const [tsx, source] = [import.meta.resolve('tsx/esm/api'), entry.href].map((url) => JSON.stringify(url));
  const code = `import(${tsx}).then(({ register }) => { register(); return import(${source}); })`;
  return new Worker(code, { eval: true, workerData, execArgv: [] });
}

const isSource = (url: string): boolean => url.endsWith('.ts');
