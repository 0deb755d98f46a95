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
 * Makes the folder that the children of a task share and writes what its author wants to find there. What was kept of an
 * earlier execution comes first, so that everything newer lies over it.
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

/** Keeps what its author asked for, as the outputs of the task and for the next execution. */
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
