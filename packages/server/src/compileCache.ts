import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import nodeModule, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';

/**
 * Compiling the bundle takes a fifth of the start time. The first start caches the compiled code next to the
 * bundle, and later starts read it; a build replaces the folder and its cache. Newer versions of Node can do
 * this themselves.
 */
const digestBytes = 32;
/** The only file that imports modules outside the bundle; a script from the cache cannot do that. */
const importing = 'importModule.js';

interface Compiled {
  readonly script: Script;
  readonly file: string;
}

const fresh: Compiled[] = [];

/** Caches the compiled form of every bundle file in this folder that is loaded from now on. */
export function useCompileCache(folder: string): void {
  const cache = join(folder, '.compiled');
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  if (enableCompileCache) {
    enableCompileCache(cache);
    return;
  }
  const { prototype, wrap } = nodeModule as unknown as Loader;
  const compileAnew = prototype._compile;
  prototype._compile = function (content, filename) {
    if (dirname(filename) !== folder || basename(filename) === importing)
      return compileAnew.call(this, content, filename);
    const file = join(cache, `${basename(filename)}.bin`);
    const cachedData = readCompiled(file);
    const script = new Script(wrap(content), {
      filename,
      ...(cachedData ? { cachedData } : {}),
    });
    if (!cachedData || script.cachedDataRejected === true) fresh.push({ script, file });
    return script
      .runInThisContext()
      .call(this.exports, this.exports, createRequire(filename), this, filename, folder);
  };
}

/** Call this once the server runs: the code compiled by then is what the next start needs. */
export function keepCompiled(): void {
  // Where Node does it, it would otherwise wait for the end, when the engine's flags may be others.
  const { flushCompileCache } = nodeModule as { flushCompileCache?: () => void };
  flushCompileCache?.();
  for (const { script, file } of fresh.splice(0)) {
    const data = script.createCachedData();
    const unfinished = `${file}.${process.pid}`;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(unfinished, Buffer.concat([digestOf(data), data]));
      renameSync(unfinished, file);
    } catch {
      // A folder that is read-only or full: the next start compiles again.
      return;
    }
  }
}

/** Undefined when the file is missing or incomplete, because V8 does not validate its contents. */
function readCompiled(file: string): Buffer | undefined {
  try {
    const bytes = readFileSync(file);
    const data = bytes.subarray(digestBytes);
    return digestOf(data).equals(bytes.subarray(0, digestBytes)) ? data : undefined;
  } catch {
    return undefined;
  }
}

const digestOf = (data: Buffer): Buffer => createHash('sha256').update(data).digest();

/** The parts of Node's CommonJS loader that this file uses. */
interface Loader {
  readonly prototype: {
    _compile(this: { exports: unknown }, content: string, filename: string): unknown;
  };
  wrap(content: string): string;
}
