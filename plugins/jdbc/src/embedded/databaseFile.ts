import { copyFile, mkdtemp } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import {
  isStorageUri,
  ownPrefix,
  readInside,
  type TaskContext,
  TaskFailed,
  toInnerPath,
  writeInside,
} from '@millrace/plugin-kit';

export interface DatabaseFile {
  /** The path that the library opens. */
  readonly path: string;
  /** The location of the file, for storing it afterwards; undefined for a database without a file. */
  readonly file?: { readonly folder: string; readonly name: string };
}

/**
 * Finds the database of a URL by the part after the scheme: an empty one is a new database for this task, a
 * relative path is in the working folder, an absolute path is used unchanged. A stored database is copied
 * there first.
 */
export async function prepareDatabaseFile(
  context: TaskContext,
  written: string,
  storedUri: string | undefined,
): Promise<DatabaseFile> {
  const workingDirectory = await context.workingDirectory();
  const isNamed = written !== '' && written !== ':memory:';
  if (!isNamed && written === ':memory:' && storedUri === undefined) return { path: ':memory:' };
  if (isNamed && isAbsolute(written)) {
    if (storedUri !== undefined)
      throw new TaskFailed(
        `The URL names the file "${written}", and a stored database can only be copied into the working folder. Use a relative path.`,
        { retry: false },
      );
    return { path: written };
  }
  const name = isNamed ? toInnerPath(written) : 'database.db';
  const folder = isNamed ? workingDirectory : await mkdtemp(join(workingDirectory, `${ownPrefix}database-`));
  if (storedUri !== undefined) {
    if (!isStorageUri(storedUri))
      throw new TaskFailed(
        `The database must be the URI of a file in internal storage, got "${storedUri}".`,
        { retry: false },
      );
    await writeInside(folder, name, await context.files.read(storedUri));
  }
  return { path: join(folder, name), file: { folder, name } };
}

/** Stores the database file and returns its URI. */
export async function storeDatabaseFile(context: TaskContext, { path, file }: DatabaseFile): Promise<string> {
  if (file)
    return context.files.put(
      file.name.split('/').at(-1) ?? 'database.db',
      readInside(file.folder, file.name),
    );
  if (path === ':memory:')
    throw new TaskFailed('A database in memory has no file to store. Leave out ":memory:" in the URL.', {
      retry: false,
    });
  const folder = await mkdtemp(join(await context.workingDirectory(), `${ownPrefix}database-`));
  await copyFile(path, join(folder, 'database.db'));
  return context.files.put('database.db', readInside(folder, 'database.db'));
}
