import type { NamespaceFileStore, TaskContext } from '@millrace/plugin-kit';
import type { GitFolder } from './gitFolder.ts';

export interface FileSyncRow {
  readonly gitPath: string | null;
  readonly kestraPath: string;
  readonly syncState: 'ADDED' | 'OVERWRITTEN' | 'UNCHANGED' | 'DELETED';
}

interface FileSync {
  readonly folder: GitFolder;
  readonly namespace: string;
  readonly delete: boolean;
  readonly dryRun: boolean;
  /** The folder of the namespace that the files go to; its root when empty. */
  readonly target?: string;
  /** Files of the folder that are left out. */
  readonly leaveOut?: (file: string) => boolean;
}

/** Syncs the files of a namespace with the folder. */
export async function syncFiles(context: TaskContext, sync: FileSync): Promise<FileSyncRow[]> {
  const { folder, namespace, dryRun, target = '', leaveOut = () => false } = sync;
  const { namespaceFiles } = context;
  const existing = new Set(await namespaceFiles.list(namespace));
  const rows: FileSyncRow[] = [];
  const kept = new Set<string>();
  for (const file of (await folder.list()).filter((each) => !leaveOut(each))) {
    const path = target === '' ? file : `${target}/${file}`;
    kept.add(path);
    const about = { gitPath: folder.pathOf(file), kestraPath: path };
    if (!existing.has(path)) rows.push({ ...about, syncState: 'ADDED' });
    else if (await hasContent(namespaceFiles, namespace, path, await folder.bytes(file))) {
      rows.push({ ...about, syncState: 'UNCHANGED' });
      continue;
    } else rows.push({ ...about, syncState: 'OVERWRITTEN' });
    if (!dryRun) await namespaceFiles.write(namespace, path, folder.stream(file));
  }
  if (!sync.delete) return rows;
  for (const path of [...existing].filter((each) => !kept.has(each))) {
    if (!dryRun) await namespaceFiles.delete(namespace, path);
    rows.push({ gitPath: null, kestraPath: path, syncState: 'DELETED' });
  }
  return rows;
}

async function hasContent(
  files: NamespaceFileStore,
  namespace: string,
  path: string,
  expected: Buffer,
): Promise<boolean> {
  let at = 0;
  for await (const chunk of await files.read(namespace, path)) {
    const bytes = Buffer.from(chunk);
    if (!bytes.equals(expected.subarray(at, at + bytes.length))) return false;
    at += bytes.length;
  }
  return at === expected.length;
}
