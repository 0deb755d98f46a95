import { useQueries } from '@tanstack/react-query';
import { folderQuery, joinPath } from '../fileQueries.ts';

export type FileType = 'File' | 'Directory';

/** A file or folder that is in sight, in the order of the tree. */
export interface FileRow {
  readonly path: string;
  readonly name: string;
  readonly type: FileType;
  readonly level: number;
  /** Its place among its neighbors, from 1. */
  readonly place: number;
  readonly count: number;
  readonly isOpen: boolean;
}

/** A line that is no file: a folder that is empty, loading, or could not be read. */
export interface FileNote {
  readonly folder: string;
  readonly level: number;
  readonly says: 'empty' | 'loading' | Error;
}

export interface FileLevels {
  readonly rows: readonly FileRow[];
  /** In the order of the tree; a note follows the row of its folder. */
  readonly lines: readonly (FileRow | FileNote)[];
  reload(folder: string): void;
}

/** The rows of the folders that are open; a folder loads when it is opened. */
export function useFileRows(namespace: string, open: ReadonlySet<string>): FileLevels {
  const folders = ['/', ...open];
  const levels = useQueries({ queries: folders.map((folder) => folderQuery(namespace, folder)) });
  const levelOf = new Map(folders.map((folder, at) => [folder, levels[at]]));
  const lines: (FileRow | FileNote)[] = [];
  const add = (folder: string, level: number) => {
    const { data, error } = levelOf.get(folder) ?? {};
    if (!data) {
      lines.push({ folder, level, says: error ?? 'loading' });
      return;
    }
    if (data.length === 0) lines.push({ folder, level, says: 'empty' });
    for (const [at, { fileName: name, type }] of data.entries()) {
      const path = joinPath(folder, name);
      const isOpen = type === 'Directory' && open.has(path);
      lines.push({ path, name, type, level, place: at + 1, count: data.length, isOpen });
      if (isOpen) add(path, level + 1);
    }
  };
  add('/', 1);
  return {
    lines,
    rows: lines.filter((line): line is FileRow => 'path' in line),
    reload: (folder) => void levelOf.get(folder)?.refetch(),
  };
}
