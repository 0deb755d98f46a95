import { collectOutputFiles, type TaskContext, writeInputFiles } from '@millrace/plugins';

type Properties = Readonly<Record<string, unknown>>;

/** Makes the folder that the children of a task share and writes what its author wants to find there. */
export async function openSharedFolder(task: Properties, context: TaskContext): Promise<void> {
  const folder = await context.workingDirectory();
  if (task.inputFiles === undefined) return;
  // The catalogue has checked the shape when the flow was saved.
  const files = (await context.render(task.inputFiles)) as Parameters<typeof writeInputFiles>[2];
  await writeInputFiles(context, folder, files);
}

/** Keeps what its author asked for, as the outputs of the task. */
export async function collectSharedFolder(
  task: Properties,
  context: TaskContext,
): Promise<Properties | undefined> {
  if (!Array.isArray(task.outputFiles)) return undefined;
  const folder = await context.workingDirectory();
  const globs = (await context.render(task.outputFiles)) as string[];
  return { outputFiles: await collectOutputFiles(context, folder, globs) };
}
