import { createHash } from 'node:crypto';
import type { NamespaceFileStore } from '../context.ts';
import type { TaskContext } from '../definition.ts';
import { TaskFailed } from '../failure.ts';
import { namespaceFiles } from '../fileProperties.ts';
import { createGlobMatcher } from './glob.ts';
import {
  type InnerFile,
  ownPrefix,
  readInside,
  statInside,
  toInnerPath,
  walkInside,
  writeInside,
} from './insideFolder.ts';
import { isStorageUri, readText } from './storageUri.ts';

type Files = Pick<TaskContext, 'files'>;

/** A map from path to content, or the URI of a file that holds such a map as JSON. */
export type InputFiles = Readonly<Record<string, string | null>> | string;

/**
 * Writes the files of `inputFiles`: a text verbatim, the file behind a storage URI, null as an empty file. A
 * leading slash is the working folder, so that the output of `DownloadFiles` can be passed unchanged.
 */
export async function writeInputFiles(context: Files, folder: string, written: InputFiles): Promise<void> {
  const map = typeof written === 'string' ? await readMap(context, written) : written;
  for (const [path, content] of Object.entries(map)) {
    const isUri = content !== null && isStorageUri(content);
    await writeInside(
      folder,
      path.replace(/^\/+/, ''),
      isUri ? await context.files.read(content.trim()) : (content ?? ''),
    );
  }
}

async function readMap(context: Files, uri: string): Promise<Readonly<Record<string, string | null>>> {
  const map: unknown = JSON.parse(await readText(context.files, uri));
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw new TaskFailed(`The file ${uri} must hold a map of input files.`, { retry: false });
  }
  return Object.fromEntries(
    Object.entries(map).map(([path, content]) => [
      path,
      content === null || typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
}

/**
 * Stores the files that match one of the globs and returns their URIs by relative path. Globs cannot reach
 * outside the folder, and links are skipped. Secrets in file names are masked because every user can see the
 * names.
 */
export async function collectOutputFiles(
  context: Pick<TaskContext, 'files' | 'log' | 'masker'>,
  folder: string,
  globs: readonly string[],
): Promise<Record<string, string>> {
  const collected: Record<string, string> = {};
  for await (const { path, isLink } of matchingFiles(folder, globs)) {
    if (isLink) await context.log('WARN', `The output file "${path}" is a link and was left out.`);
    else {
      let name = context.masker.mask(path);
      while (name in collected) name += '*';
      collected[name] = await context.files.put(storedName(path, name), readInside(folder, path));
    }
  }
  return collected;
}

/** The files that match one of the globs; links are named and must not be followed. */
export async function* matchingFiles(folder: string, globs: readonly string[]): AsyncGenerator<InnerFile> {
  if (globs.length === 0) return;
  const matches = createGlobMatcher(globs.map((glob) => toInnerGlob(folder, glob)));
  for await (const file of walkInside(folder)) {
    if (!file.path.startsWith(ownPrefix) && matches(file.path)) yield file;
  }
}

function toInnerGlob(folder: string, glob: string): string {
  const inner = glob.startsWith(`${folder}/`) ? glob.slice(folder.length + 1) : glob.replace(/^glob:/, '');
  return toInnerPath(inner);
}

/** The hash of the path distinguishes files of the same name in different folders. */
const storedName = (path: string, name: string): string =>
  `${createHash('sha256').update(path).digest('hex').slice(0, 16)}-${name.split('/').at(-1)}`;

/** Parses the choice of a flow and fills in defaults. */
export const readNamespaceFilesChoice = (written: unknown): NamespaceFilesChoice =>
  namespaceFiles().parse(written);

export interface NamespaceFilesChoice {
  readonly enabled: boolean;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly namespaces?: readonly string[] | undefined;
  readonly ifExists: 'OVERWRITE' | 'FAIL' | 'WARN' | 'IGNORE';
  readonly folderPerNamespace: boolean;
}

/** Copies files of namespaces into the folder. */
export async function writeNamespaceFiles(
  context: Pick<TaskContext, 'namespaceFiles' | 'log' | 'run'>,
  folder: string,
  choice: NamespaceFilesChoice,
): Promise<void> {
  if (!choice.enabled) return;
  for (const namespace of choice.namespaces ?? [context.run.namespace]) {
    for (const path of await chosenFiles(context.namespaceFiles, namespace, choice)) {
      const target = choice.folderPerNamespace ? `${namespace}/${path}` : path;
      if (choice.ifExists !== 'OVERWRITE' && (await statInside(folder, toInnerPath(target)))) {
        const message = `The file "${target}" exists already in the working folder.`;
        if (choice.ifExists === 'FAIL') throw new TaskFailed(message, { retry: false });
        if (choice.ifExists === 'WARN') await context.log('WARN', message);
        continue;
      }
      await writeInside(folder, target, await context.namespaceFiles.read(namespace, path));
    }
  }
}

/** A pattern that starts with a name also matches in every folder. */
const alsoDeeper = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => (/^\w/.test(pattern) ? [pattern, `**/${pattern}`] : [pattern]));

async function chosenFiles(
  files: NamespaceFileStore,
  namespace: string,
  { include, exclude }: Pick<NamespaceFilesChoice, 'include' | 'exclude'>,
): Promise<readonly string[]> {
  const isIncluded = include?.length ? createGlobMatcher(alsoDeeper(include)) : () => true;
  const isExcluded = createGlobMatcher(alsoDeeper(exclude ?? []));
  return (await files.list(namespace)).filter((path) => isIncluded(path) && !isExcluded(path));
}
