import { randomBytes } from 'node:crypto';
import { constants, createWriteStream, type Dirent } from 'node:fs';
import { lstat, mkdir, open, opendir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobEntry, BlobStat, BlobStore, ByteRange } from '@millrace/contract';
import { AppError } from '@millrace/contract';

/**
 * Holds files that are still being written and not visible yet. A later start deletes what a crash left
 * behind.
 */
const unfinishedFolder = '.unfinished';
const leftOverMs = 86_400_000;

/** Internal storage in a folder of this machine. */
export class LocalBlobs implements BlobStore {
  readonly #root: string;
  readonly #unfinished: string;

  private constructor(root: string) {
    this.#root = root;
    this.#unfinished = join(root, unfinishedFolder);
  }

  static async open(folder: string): Promise<LocalBlobs> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const blobs = new LocalBlobs(await realpath(resolve(folder)));
    await mkdir(blobs.#unfinished, { recursive: true, mode: 0o700 });
    await blobs.#sweep();
    return blobs;
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const path = await this.#pathOf(key);
    const unfinished = join(this.#unfinished, randomBytes(16).toString('hex'));
    try {
      const file = createWriteStream(unfinished, { mode: 0o600, flush: true });
      await pipeline(Readable.from(content, { objectMode: false }), file);
      await makeWay(path);
      await rename(unfinished, path).catch((error: unknown) => Promise.reject(describe(error, key)));
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  async read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined> {
    const path = await this.#pathOf(key);
    // The operating system refuses to follow a link when it opens the file.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(ifMissing);
    if (!file) return undefined;
    if (!(await file.stat()).isFile()) {
      await file.close();
      return undefined;
    }
    const stream = file.createReadStream({ ...(range ?? {}), highWaterMark: 65_536 });
    // The stream may fail before it is read; the reader then gets the error.
    stream.on('error', () => {});
    return stream;
  }

  async stat(key: string): Promise<BlobStat | undefined> {
    return statOf(await this.#pathOf(key));
  }

  async list(folder: string): Promise<BlobEntry[] | undefined> {
    const path = await this.#pathOf(folder);
    const names = await readdir(path, { withFileTypes: true }).catch(ifMissing);
    if (!names) return undefined;
    const entries = await Promise.all(names.map((name) => this.#entry(path, name)));
    return entries.filter((entry) => entry !== undefined).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async *walk(folder: string): AsyncIterable<BlobEntry> {
    const path = await this.#pathOf(folder);
    // Reads one name at a time: a folder may have more names than fit in memory.
    const names = await opendir(path).catch(ifMissing);
    for await (const name of names ?? []) {
      const entry = await this.#entry(path, name);
      if (entry?.kind === 'folder') yield* this.walk(entry.key);
      else if (entry) yield entry;
    }
  }

  async makeFolder(key: string): Promise<void> {
    await makeWay(join(await this.#pathOf(key), 'x'));
  }

  async move(from: string, to: string): Promise<boolean> {
    const [source, target] = [await this.#pathOf(from), await this.#pathOf(to)];
    const found = await statOf(source);
    if (!found) return false;
    if (source === target) return true;
    const there = await statOf(target);
    if (there?.kind === 'folder' || (there && found.kind === 'folder')) await rm(target, { recursive: true });
    await makeWay(target);
    await rename(source, target).catch((error: unknown) => Promise.reject(describe(error, to)));
    return true;
  }

  async delete(key: string): Promise<boolean> {
    const path = await this.#pathOf(key);
    if (!(await statOf(path))) return false;
    await rm(path, { recursive: true, force: true });
    return true;
  }

  /** Deletes only old files, because another server may be writing to the same folder. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#unfinished)) {
      const path = join(this.#unfinished, name);
      const found = await lstat(path).catch(ifMissing);
      if (found && found.mtimeMs < Date.now() - leftOverMs) await rm(path, { recursive: true, force: true });
    }
  }

  /** The path of a key; rejects links that lead out of the folder. */
  async #pathOf(key: string): Promise<string> {
    const path = join(this.#root, key);
    let above = key === '' ? path : dirname(path);
    while (above !== this.#root) {
      const real = await realpath(above).catch(ifMissing);
      if (real === above) break;
      if (real !== undefined)
        throw new AppError('illegal-argument', `the path "${key}" leads through a link`);
      above = dirname(above);
    }
    return path;
  }

  async #entry(folder: string, name: Dirent): Promise<BlobEntry | undefined> {
    const path = join(folder, name.name);
    if (path === this.#unfinished) return undefined;
    const found = await statOf(path);
    return found && { key: relative(this.#root, path).split(sep).join('/'), ...found };
  }
}

/** Treats everything except files and folders, such as links and devices, as missing. */
async function statOf(path: string): Promise<BlobStat | undefined> {
  const found = await lstat(path).catch(ifMissing);
  if (!found?.isFile() && !found?.isDirectory()) return undefined;
  const isFile = found.isFile();
  return {
    kind: isFile ? 'file' : 'folder',
    sizeBytes: isFile ? found.size : 0,
    createdAt: Math.round(Math.min(found.birthtimeMs || found.mtimeMs, found.mtimeMs)),
    modifiedAt: Math.round(found.mtimeMs),
  };
}

async function makeWay(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 }).catch((error: unknown) =>
    Promise.reject(describe(error, path)),
  );
  await stat(dirname(path));
}

const missingCodes = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

function ifMissing(error: unknown): undefined {
  if (missingCodes.has(codeOf(error))) return undefined;
  throw error;
}

/** A file where a folder is needed, or the reverse, is the caller's mistake. */
function describe(error: unknown, key: string): unknown {
  if (!['ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'EINVAL', 'ENAMETOOLONG'].includes(codeOf(error)))
    return error;
  return new AppError('illegal-argument', `"${key}" cannot be written: a file or folder is in the way`, {
    cause: error,
  });
}
