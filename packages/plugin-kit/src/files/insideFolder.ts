import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { FileContent } from '../context.ts';
import { TaskFailed } from '../failure.ts';

/** Files that the product itself puts into a working folder; never collected as outputs. */
export const ownPrefix = '.millrace-';

/** Normalizes a relative path; rejects a path that leads out of the folder. */
export function toInnerPath(path: string): string {
  const steps = path.split(/[/\\]+/).filter((step) => step !== '' && step !== '.');
  if (
    isAbsolute(path) ||
    /^[a-zA-Z]:/.test(path) ||
    steps.includes('..') ||
    steps.length === 0 ||
    path.includes('\0')
  ) {
    const written = path.replace(/^(\.\/+)+(?=.)/, '');
    throw new TaskFailed(`The path "${written}" must be relative and stay inside the working folder.`, {
      retry: false,
    });
  }
  return steps.join('/');
}

/** Writes a file below the folder. Links a former task may have planted there are not followed. */
export async function writeInside(folder: string, path: string, content: FileContent): Promise<string> {
  const inner = toInnerPath(path);
  const target = join(folder, inner);
  await mkdir(dirname(target), { recursive: true });
  const root = await realpath(folder);
  const parent = await realpath(dirname(target));
  if (parent !== root && !parent.startsWith(root + sep)) {
    throw new TaskFailed(`The path "${path}" leads through a link out of the working folder.`, {
      retry: false,
    });
  }
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(target, flags, 0o644);
  try {
    if (typeof content === 'string' || content instanceof Uint8Array) await file.writeFile(content);
    else for await (const chunk of content) await writeAll(file, chunk);
  } finally {
    await file.close();
  }
  return target;
}

async function writeAll(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
}

export interface InnerFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly isLink: boolean;
}

/** Every file and link below the folder. Linked folders are not entered. */
export async function* walkInside(folder: string, from: string = folder): AsyncIterable<InnerFile> {
  const entries = await readdir(from, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = join(from, entry.name);
    if (entry.isDirectory()) yield* walkInside(folder, full);
    else if (entry.isFile() || entry.isSymbolicLink()) {
      yield { path: relative(folder, full).split(sep).join('/'), isLink: entry.isSymbolicLink() };
    }
  }
}

/** Reads a regular file; rejects a link that replaced the file after the check. */
export async function* readInside(folder: string, path: string): AsyncIterable<Uint8Array> {
  const file = await open(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW);
  yield* file.createReadStream() as AsyncIterable<Uint8Array>;
}

export async function statInside(folder: string, path: string): Promise<Stats | undefined> {
  return lstat(join(folder, path)).catch(() => undefined);
}
