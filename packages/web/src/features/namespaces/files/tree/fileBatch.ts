import { namespaceFiles } from '@millrace/contract';
import { call } from '../../../../api/call.ts';
import { joinPath, nameOf, parentOf, writeFile } from '../fileQueries.ts';

/** One step of an action on several files. */
export interface FileStep {
  readonly path: string;
  readonly to?: string | undefined;
  act(): Promise<unknown>;
}

/** What an action on several files has done, so that a part that failed is named. */
export interface Outcome {
  readonly done: readonly FileStep[];
  readonly failed: readonly { readonly path: string; readonly message: string }[];
  readonly isStopped: boolean;
}

/** Runs the steps one after the other; one that fails does not keep the others back. */
export async function runSteps(
  steps: readonly FileStep[],
  onProgress: (done: number) => void,
  isStopped: () => boolean,
): Promise<Outcome> {
  const done: FileStep[] = [];
  const failed: { path: string; message: string }[] = [];
  for (const [at, step] of steps.entries()) {
    if (isStopped()) return { done, failed, isStopped: true };
    onProgress(at);
    try {
      await step.act();
      done.push(step);
    } catch (error) {
      failed.push({ path: step.path, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { done, failed, isStopped: false };
}

const failures = 'handled' as const;

export const moveStep = (namespace: string, path: string, to: string): FileStep => ({
  path,
  to,
  act: () =>
    call(namespaceFiles.moveNamespaceFile, {
      params: { namespace },
      query: { from: path, to },
      failures,
    }),
});

export const deleteStep = (namespace: string, path: string): FileStep => ({
  path,
  act: () => call(namespaceFiles.deleteNamespaceFile, { params: { namespace }, query: { path }, failures }),
});

export const uploadStep = (namespace: string, entry: UploadEntry, to: string): FileStep => ({
  path: entry.path,
  to,
  act: () =>
    entry.file
      ? writeFile(namespace, to, entry.file, failures)
      : call(namespaceFiles.createNamespaceFolder, { params: { namespace }, query: { path: to }, failures }),
});

/** A copy of a file, or of every file of a folder. */
export const copyStep = (namespace: string, path: string, to: string): FileStep => ({
  path,
  to,
  act: async () => {
    const params = { namespace };
    const found = await call(namespaceFiles.searchNamespaceFiles, { params, query: { q: path }, failures });
    const inside = found.filter((one) => one === path || one.startsWith(`${path}/`));
    if (inside.length === 0)
      return call(namespaceFiles.createNamespaceFolder, { params, query: { path: to }, failures });
    for (const one of inside) {
      const args = { params, query: { path: one }, failures } as const;
      const content = (await call(namespaceFiles.readNamespaceFile, args)) as unknown as Blob; // What `call` gives for files.
      await writeFile(namespace, to + one.slice(path.length), content, failures, 'copy');
    }
    return undefined;
  },
});

/** The name with a number before its extension that none of the others has. */
export function freeFileName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let count = 1; ; count += 1) {
    const next = `${stem}-${count}${extension}`;
    if (!taken.has(next)) return next;
  }
}

/** Why a path cannot be moved into a folder; undefined when it can. */
export function moveProblem(path: string, folder: string): 'inside' | 'same' | undefined {
  if (folder === path || folder.startsWith(`${path}/`)) return 'inside';
  return parentOf(path) === folder ? 'same' : undefined;
}

export type ConflictChoice = 'replace' | 'keepBoth' | 'skip';

/** The target of each path in a folder, where some names may be taken already. */
export function targetsIn(
  folder: string,
  paths: readonly string[],
  taken: ReadonlySet<string>,
  choice: ConflictChoice,
): { path: string; to: string }[] {
  const names = new Set(taken);
  return paths.flatMap((path) => {
    const name = nameOf(path);
    if (taken.has(name) && choice === 'skip') return [];
    const next = names.has(name) && choice === 'keepBoth' ? freeFileName(name, names) : name;
    names.add(next);
    return [{ path, to: joinPath(folder, next) }];
  });
}

/** A file or an empty folder from the user's computer, with its path below what was dropped. */
export interface UploadEntry {
  readonly path: string;
  /** Undefined for an empty folder. */
  readonly file: File | undefined;
}

/** Everything in what was dropped, folders with what is inside them. The browser lists it only while it is dropped. */
export async function readDropped(transfer: DataTransfer): Promise<UploadEntry[]> {
  const entries = [...transfer.items].map((item) => ({
    entry: item.kind === 'file' ? item.webkitGetAsEntry?.() : undefined,
    file: item.kind === 'file' ? item.getAsFile() : undefined,
  }));
  const read = await Promise.all(
    entries.map(({ entry, file }) => {
      if (entry) return readEntry(entry, '');
      return file ? [{ path: file.name, file }] : [];
    }),
  );
  return read.flat();
}

async function readEntry(entry: FileSystemEntry, folder: string): Promise<UploadEntry[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ path, file }];
  }
  const inside = await listFolder((entry as FileSystemDirectoryEntry).createReader());
  if (inside.length === 0) return [{ path, file: undefined }];
  return (await Promise.all(inside.map((one) => readEntry(one, `${path}/`)))).flat();
}

/** A reader returns its entries in parts, the last of which is empty. */
async function listFolder(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return all;
    all.push(...part);
  }
}
