import { type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { parse } from 'yaml';
import { type GitFolder, idOfFile, isYaml } from './gitFolder.ts';

export interface DashboardSyncRow {
  readonly gitPath: string | null;
  readonly dashboardId: string;
  readonly syncState: 'ADDED' | 'UPDATED' | 'UNCHANGED' | 'DELETED';
}

interface DashboardSync {
  readonly folder: GitFolder;
  readonly delete: boolean;
  readonly dryRun: boolean;
}

/** Syncs the dashboards with the folder. Validates every file before it saves any. */
export async function syncDashboardFiles(
  context: TaskContext,
  { folder, dryRun, delete: deletesOthers }: DashboardSync,
): Promise<DashboardSyncRow[]> {
  const read = await readDashboards(context, folder);
  const existing = new Map((await context.dashboards.list()).map(({ id, source }) => [id, source]));
  const rows: DashboardSyncRow[] = [];
  for (const { file, id, source } of read) {
    const before = existing.get(id);
    const syncState =
      before === undefined ? 'ADDED' : before.trim() === source.trim() ? 'UNCHANGED' : 'UPDATED';
    rows.push({ gitPath: folder.pathOf(file), dashboardId: id, syncState });
    if (!dryRun && syncState !== 'UNCHANGED') await context.dashboards.save(id, source);
  }
  if (!deletesOthers) return rows;
  const kept = new Set(read.map(({ id }) => id));
  for (const id of [...existing.keys()].filter((each) => !kept.has(each))) {
    if (!dryRun) await context.dashboards.delete(id);
    rows.push({ gitPath: null, dashboardId: id, syncState: 'DELETED' });
  }
  return rows;
}

async function readDashboards(context: TaskContext, folder: GitFolder) {
  const read: { file: string; id: string; source: string }[] = [];
  const problems: string[] = [];
  for (const file of (await folder.list()).filter(isYaml)) {
    const text = await folder.text(file);
    const id = idIn(text) ?? idOfFile(file);
    const source = idIn(text) === undefined ? `id: ${id}\n${text}` : text;
    const problem = await context.dashboards.check(source);
    if (problem === undefined) read.push({ file, id, source });
    else problems.push(`${folder.pathOf(file)}: ${problem}`);
  }
  if (problems.length > 0)
    throw new TaskFailed(`No dashboard was changed, because of invalid files: ${problems.join('; ')}`, {
      retry: false,
    });
  return read;
}

/** The id that the text names itself. */
export function idIn(source: string): string | undefined {
  try {
    const id: unknown = parse(source)?.id;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
