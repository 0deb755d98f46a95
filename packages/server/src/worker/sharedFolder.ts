import {
  collectOutputFiles,
  readNamespaceFilesChoice,
  type TaskContext,
  writeInputFiles,
  writeNamespaceFiles,
} from '@millrace/plugin-kit';
import { type FolderCacheParts, keepFolder, restoreFolder } from './folderCache.ts';

type Properties = Readonly<Record<string, unknown>>;

/**
 * Creates the folder that the children of a task share and writes its author's files. Cached files of an
 * earlier execution are written first, so that newer files replace them.
 */
export async function openSharedFolder(
  task: Properties,
  context: TaskContext,
  parts: FolderCacheParts,
): Promise<void> {
  const folder = await context.workingDirectory();
  await restoreFolder(task.cache, context, parts);
  if (task.namespaceFiles !== undefined)
    await writeNamespaceFiles(
      context,
      folder,
      readNamespaceFilesChoice(await context.render(task.namespaceFiles)),
    );
  if (task.inputFiles === undefined) return;
  // The catalogue has checked the shape when the flow was saved.
  const files = (await context.render(task.inputFiles)) as Parameters<typeof writeInputFiles>[2];
  await writeInputFiles(context, folder, files);
}

/** Stores the files that the author selected, as outputs of the task and in the cache. */
export async function collectSharedFolder(
  task: Properties,
  context: TaskContext,
  parts: FolderCacheParts,
): Promise<Properties | undefined> {
  await keepFolder(task.cache, context, parts);
  if (!Array.isArray(task.outputFiles)) return undefined;
  const folder = await context.workingDirectory();
  const globs = (await context.render(task.outputFiles)) as string[];
  return { outputFiles: await collectOutputFiles(context, folder, globs) };
}
