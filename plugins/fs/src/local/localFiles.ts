import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type TaskContext, toAllowedPath } from '@millrace/plugin-kit';
import { joinPath, nameOf, parentOf, type RemoteFile, type RemoteFiles } from '../remote/remoteFiles.ts';

export interface LocalFile extends RemoteFile {
  readonly createdAt: Date;
  readonly accessedAt: Date;
  readonly modifiedAt: Date;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** Files of the worker inside the folders that the administrator has opened for the type. */
export class LocalFiles implements RemoteFiles {
  readonly #context: Pick<TaskContext, 'configuration'>;
  readonly #type: string;

  constructor(context: Pick<TaskContext, 'configuration'>, type: string) {
    this.#context = context;
    this.#type = type;
  }

  /** Checked at each use, because a link may have been made since. */
  #allowed(path: string): Promise<string> {
    return toAllowedPath(this.#context, path, this.#type);
  }

  async list(path: string): Promise<LocalFile[] | undefined> {
    const folder = await this.#allowed(path);
    const names = await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    const found = await Promise.all((names ?? []).map((name) => describe(joinPath(path, name))));
    return names && found.filter((file) => file !== undefined);
  }

  async stat(path: string): Promise<LocalFile | undefined> {
    await this.#allowed(path);
    return describe(path);
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    yield* createReadStream(await this.#allowed(path));
  }

  async write(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    await pipeline(Readable.from(content), createWriteStream(await this.#allowed(path)));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#allowed(from);
    await rename(from, await this.#allowed(to));
  }

  /** Removes a link itself, not its target. */
  async removeFile(path: string): Promise<void> {
    await this.#allowed(parentOf(path));
    await rm(path);
  }

  async removeFolder(path: string): Promise<void> {
    await rmdir(await this.#allowed(path));
  }

  async makeFolder(path: string): Promise<void> {
    await mkdir(await this.#allowed(path), { recursive: true });
  }

  async close(): Promise<void> {}
}

async function describe(path: string): Promise<LocalFile | undefined> {
  try {
    const link = await lstat(path);
    const isLink = link.isSymbolicLink();
    const info = isLink ? await stat(path).catch(() => link) : link;
    return {
      path,
      name: nameOf(path),
      isFolder: info.isDirectory(),
      isLink,
      size: info.size,
      userId: info.uid,
      groupId: info.gid,
      permissions: info.mode & 0o7777,
      createdAt: info.birthtime,
      accessedAt: info.atime,
      modifiedAt: info.mtime,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
