import { type FlowStore, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { isSameText, namespaceOf, withNamespace } from './flowText.ts';
import { type GitFolder, isYaml } from './gitFolder.ts';

export interface FlowSyncRow {
  readonly gitPath: string | null;
  readonly syncState: 'ADDED' | 'UPDATED' | 'UNCHANGED' | 'DELETED';
  readonly flowId: string;
  readonly namespace: string;
  readonly revision: number | null;
}

interface FlowSync {
  readonly folder: GitFolder;
  readonly namespace: string;
  readonly includeChildNamespaces: boolean;
  readonly ignoreInvalidFlows: boolean;
  readonly delete: boolean;
  readonly dryRun: boolean;
}

interface ReadFlow {
  readonly file: string;
  readonly source: string;
  readonly namespace: string;
  readonly id: string;
}

/** Syncs the flows of a namespace with the folder. Validates every file before it saves any. */
export async function syncFlowFiles(context: TaskContext, sync: FlowSync): Promise<FlowSyncRow[]> {
  const read = await readFlows(context, sync);
  const rows: FlowSyncRow[] = [];
  for (const flow of read) rows.push(await saveFlow(context.flows, flow, sync));
  if (sync.delete) rows.push(...(await deleteOthers(context, read, sync)));
  return rows;
}

async function readFlows(context: TaskContext, sync: FlowSync): Promise<ReadFlow[]> {
  const { folder, includeChildNamespaces } = sync;
  const files = (await folder.list()).filter(
    (file) => isYaml(file) && (includeChildNamespaces || !file.includes('/')),
  );
  const read: ReadFlow[] = [];
  const problems: string[] = [];
  const names = new Map<string, string>();
  for (const file of files) {
    const namespace = namespaceOf(file, sync.namespace);
    const source = withNamespace(await folder.text(file), namespace);
    const checked = await context.flows.check(source);
    const earlier = checked.problem === undefined ? names.get(`${namespace}/${checked.id}`) : undefined;
    const problem = checked.problem ?? (earlier && `has the same flow id as ${folder.pathOf(earlier)}`);
    if (problem !== undefined) problems.push(`${folder.pathOf(file)}: ${problem}`);
    else if (checked.problem === undefined) {
      names.set(`${namespace}/${checked.id}`, file);
      read.push({ file, source, namespace, id: checked.id });
    }
  }
  if (problems.length === 0) return read;
  if (!sync.ignoreInvalidFlows)
    throw new TaskFailed(`No flow was changed, because of invalid files: ${problems.join('; ')}`, {
      retry: false,
    });
  for (const problem of problems) await context.log('WARN', `Skipped an invalid flow: ${problem}`);
  return read;
}

async function saveFlow(
  flows: FlowStore,
  { file, source, namespace, id }: ReadFlow,
  { folder, dryRun }: FlowSync,
): Promise<FlowSyncRow> {
  const before = await flows.find(namespace, id);
  const about = { gitPath: folder.pathOf(file), flowId: id, namespace };
  if (before && isSameText(before.source, source))
    return { ...about, syncState: 'UNCHANGED', revision: before.revision };
  const syncState = before ? 'UPDATED' : 'ADDED';
  if (dryRun) return { ...about, syncState, revision: (before?.revision ?? 0) + 1 };
  return { ...about, syncState, revision: (await flows.save(source)).revision };
}

/** The flow that runs this task is never deleted: it could not finish. */
async function deleteOthers(
  { flows, run }: TaskContext,
  kept: readonly ReadFlow[],
  { namespace, includeChildNamespaces: children, dryRun }: FlowSync,
): Promise<FlowSyncRow[]> {
  const names = new Set(kept.map((flow) => `${flow.namespace}/${flow.id}`));
  names.add(`${run.namespace}/${run.flowId}`);
  const rows: FlowSyncRow[] = [];
  for (const flow of await flows.list(namespace, { children })) {
    if (names.has(`${flow.namespace}/${flow.id}`)) continue;
    if (!dryRun) await flows.delete(flow.namespace, flow.id);
    const { id: flowId, revision } = flow;
    rows.push({ gitPath: null, syncState: 'DELETED', flowId, namespace: flow.namespace, revision });
  }
  return rows;
}
