import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@millrace/contract';
import type { FileContent } from '@millrace/plugins';

const scheme = 'millrace:///';
const acceptedSchemes = [scheme, 'kestra:///'];

/** Internal storage in a folder of this machine. A URI is a path below it, and never leads out of it. */
export class LocalFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = resolve(root);
  }

  /** Stores a file at a path of segments and answers its URI. A name from a user is one segment, whatever it contains. */
  async put(segments: readonly string[], content: FileContent): Promise<string> {
    const path = join(this.#root, ...segments.map(toSegment));
    await mkdir(dirname(path), { recursive: true });
    // Readers never see half a file.
    const unfinished = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
    await pipeline(toStream(content), createWriteStream(unfinished));
    await rename(unfinished, path);
    return scheme + relative(this.#root, path).split(sep).map(encodeURIComponent).join('/');
  }

  async read(uri: string): Promise<AsyncIterable<Uint8Array>> {
    const path = this.#pathOf(uri);
    if ((await this.sizeOf(uri)) === undefined) throw new AppError('not-found', `there is no file "${uri}"`);
    return createReadStream(path);
  }

  async sizeOf(uri: string): Promise<number | undefined> {
    const found = await stat(this.#pathOf(uri)).catch(() => undefined);
    return found?.isFile() ? found.size : undefined;
  }

  async delete(uri: string): Promise<boolean> {
    if ((await this.sizeOf(uri)) === undefined) return false;
    await rm(this.#pathOf(uri), { force: true });
    return true;
  }

  /** Deletes everything below a path of segments and answers the URIs. */
  async deleteBelow(segments: readonly string[]): Promise<string[]> {
    const folder = join(this.#root, ...segments.map(toSegment));
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const uris = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => scheme + relative(this.#root, path).split(sep).map(encodeURIComponent).join('/'));
    await rm(folder, { recursive: true, force: true });
    return uris;
  }

  #pathOf(uri: string): string {
    const prefix = acceptedSchemes.find((accepted) => uri.startsWith(accepted));
    if (prefix === undefined) throw invalid(uri);
    const path = resolve(this.#root, decode(uri.slice(prefix.length)));
    if (!path.startsWith(this.#root + sep)) throw invalid(uri);
    return path;
  }
}

/** Where the files of an execution live. */
export function executionFolder(run: { namespace: string; flowId: string; executionId: string }): string[] {
  return [...run.namespace.split('.'), run.flowId, 'executions', run.executionId];
}

function toSegment(name: string): string {
  const flat = name.replace(/[/\\\0]/g, '_').slice(0, 200);
  return flat === '' || flat === '.' || flat === '..' ? `_${flat}` : flat;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function toStream(content: FileContent): Readable {
  if (typeof content === 'string') return Readable.from([Buffer.from(content)]);
  return content instanceof Uint8Array ? Readable.from([content]) : Readable.from(content);
}

function invalid(uri: string): AppError {
  return new AppError('illegal-argument', `"${uri}" is not the address of a file in internal storage`);
}
