import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** Files that pages show or offer for download; no type that a browser would run as a page. */
const types: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  csv: 'text/plain; charset=utf-8',
  yml: 'text/plain; charset=utf-8',
  yaml: 'text/plain; charset=utf-8',
};

export interface DocFile {
  readonly type: string;
  read(): Promise<Buffer>;
}

/** The files next to the pages, by path. Only listed files can be requested, so no path leads outside. */
export async function listDocFiles(folder: string): Promise<ReadonlyMap<string, DocFile>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return new Map(
    names.flatMap((entry) => {
      const type = types[entry.name.split('.').at(-1)?.toLowerCase() ?? ''];
      if (!entry.isFile() || type === undefined) return [];
      const file = join(entry.parentPath, entry.name);
      const path = file
        .slice(folder.length + 1)
        .split(sep)
        .join('/');
      return [[path, { type, read: () => readFile(file) }]] as const;
    }),
  );
}
