import { createHash } from 'node:crypto';
import { readDuration } from '@millrace/engine';
import { matchingFiles, readInside, type TaskContext, writeInside } from '@millrace/plugin-kit';
import { z } from 'zod';
import { type InternalStorage, readText } from '../files/internalStorage.ts';
import { folderCache } from './outputCache.ts';

export interface FolderCacheParts {
  readonly files: InternalStorage;
  readonly clock: () => number;
}

type Context = Pick<TaskContext, 'run' | 'render' | 'log' | 'workingDirectory'>;

const Settings = z.object({ patterns: z.array(z.string()), ttl: z.string().optional() });
/** The date comes first because the cleanup reads only the beginning of the file. */
const Kept = z.object({
  expiresAt: z.number().optional(),
  files: z.array(z.object({ path: z.string(), uri: z.string() })),
});
const maxListBytes = 10_000_000;

/** Restores the files that an earlier execution cached into the folder, unless they have expired. */
export async function restoreFolder(
  cache: unknown,
  context: Context,
  { files, clock }: FolderCacheParts,
): Promise<void> {
  if (!Settings.safeParse(cache).success) return;
  const list = [...placeOf(context), 'list.json'];
  const uri = `millrace:///${list.join('/')}`;
  if ((await files.sizeOf(uri)) === undefined) return;
  const kept = Kept.safeParse(JSON.parse(await readText(await files.read(uri), maxListBytes)));
  if (!kept.success || (kept.data.expiresAt ?? Number.POSITIVE_INFINITY) <= clock()) return;
  const folder = await context.workingDirectory();
  for (const file of kept.data.files) {
    // Another execution may be replacing the files at this moment; a cache miss is not an error.
    const content = await files.read(file.uri).catch(() => undefined);
    if (content) await writeInside(folder, file.path, content);
  }
  await context.log(
    'DEBUG',
    `${kept.data.files.length} files of an earlier execution were put into the folder.`,
  );
}

/** Caches matching files for the next execution. The list is written last, so it names only stored files. */
export async function keepFolder(
  cache: unknown,
  context: Context,
  { files, clock }: FolderCacheParts,
): Promise<void> {
  const settings = Settings.safeParse(cache);
  if (!settings.success) return;
  const { patterns, ttl } = settings.data;
  const [place, folder] = [placeOf(context), await context.workingDirectory()];
  const ttlMs = ttl === undefined ? undefined : readDuration(String(await context.render(ttl)));
  const globs = (await context.render(patterns)) as string[]; // texts stay texts
  const generation = context.run.taskRunId;
  const kept: { path: string; uri: string }[] = [];
  for await (const { path, isLink } of matchingFiles(folder, globs)) {
    if (isLink) continue;
    const uri = await files.put([...place, generation, String(kept.length)], readInside(folder, path));
    kept.push({ path, uri });
  }
  const list: z.infer<typeof Kept> = {
    ...(ttlMs === undefined ? {} : { expiresAt: clock() + ttlMs }),
    files: kept,
  };
  await files.put([...place, 'list.json'], JSON.stringify(list));
  const current = new Set(kept.map(({ uri }) => uri));
  for await (const { uri } of files.walk(place)) {
    if (!uri.endsWith('/list.json') && !current.has(uri)) await files.delete(uri);
  }
}

/** One for each task of a flow, and inside a loop for each value. */
function placeOf({ run }: Context): string[] {
  const about = [run.tenantId, run.namespace, run.flowId, run.taskId, run.value ?? null];
  return [...folderCache, createHash('sha256').update(JSON.stringify(about)).digest('hex')];
}
