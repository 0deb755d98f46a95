import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

export interface TextFile {
  /** Below the folder, with `/` on every system. */
  readonly path: string;
  readonly text: string;
}

/** Every file below a folder with this name ending, by path. A missing folder has no files. */
export async function readTextFiles(folder: string, ending: string): Promise<TextFile[]> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const paths = names.filter((name) => name.endsWith(ending)).sort();
  return Promise.all(
    paths.map(async (name) => ({
      path: name.split(sep).join('/'),
      text: await readFile(join(folder, name), 'utf8'),
    })),
  );
}
