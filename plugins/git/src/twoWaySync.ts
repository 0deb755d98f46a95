import { createHash } from 'node:crypto';
import { messageOf, type TaskContext, TaskFailed } from '@millrace/plugin-kit';
import { isSameText, withNamespace, withoutRevision } from './flowText.ts';
import { type GitFolder, idOfFile, isYaml } from './gitFolder.ts';
import { idIn } from './syncDashboardFiles.ts';

export type ObjectKind = 'FLOW' | 'FILE' | 'DASHBOARD';
export type ObjectAction = 'ADDED' | 'UPDATED' | 'UNCHANGED' | 'DELETED' | 'KEPT' | 'SKIPPED';

export interface ObjectRow {
  readonly file: string;
  readonly key: string;
  readonly kind: ObjectKind;
  readonly action: ObjectAction;
}

export interface TwoWayOptions {
  readonly sourceOfTruth: 'GIT' | 'KESTRA';
  readonly whenMissingInSource: 'DELETE' | 'KEEP' | 'FAIL';
  readonly onInvalidSyntax: 'SKIP' | 'WARN' | 'FAIL';
  readonly protectedNamespaces: readonly string[];
  readonly dryRun: boolean;
}

/** One object on both sides. A side that does not have it is undefined. */
interface Item {
  readonly kind: ObjectKind;
  readonly key: string;
  readonly namespace?: string;
  readonly file: string;
  readonly inGit: boolean;
  readonly onServer: boolean;
  isSame(): Promise<boolean>;
  /** Why the text in Git cannot be saved. */
  problem(): Promise<string | undefined>;
  toGit(): Promise<void>;
  toServer(): Promise<void>;
  removeFromGit(): Promise<void>;
  removeFromServer(): Promise<void>;
}

interface Decision {
  readonly item: Item;
  readonly action: ObjectAction;
}

/** Decides about every object before it changes the target, so that a failed decision changes nothing. */
export async function syncObjects(
  context: TaskContext,
  items: readonly Item[],
  options: TwoWayOptions,
): Promise<ObjectRow[]> {
  const decisions: Decision[] = [];
  const problems: string[] = [];
  for (const item of items) {
    const decision = await decide(context, item, options);
    if ('problem' in decision) problems.push(decision.problem);
    else decisions.push({ item, ...decision });
  }
  if (problems.length > 0)
    throw new TaskFailed(`Nothing was changed: ${problems.join('; ')}`, { retry: false });
  for (const decision of decisions) await apply(decision, options);
  return decisions.map(({ item: { file, key, kind }, action }) => ({ file, key, kind, action }));
}

async function decide(
  context: TaskContext,
  item: Item,
  { sourceOfTruth, whenMissingInSource, onInvalidSyntax, protectedNamespaces }: TwoWayOptions,
): Promise<{ readonly action: ObjectAction } | { readonly problem: string }> {
  const isGit = sourceOfTruth === 'GIT';
  const [inSource, inTarget] = isGit ? [item.inGit, item.onServer] : [item.onServer, item.inGit];
  if (!inSource) {
    if (whenMissingInSource === 'FAIL')
      return {
        problem: `${item.kind.toLowerCase()} "${item.key}" is missing in ${isGit ? 'Git' : 'this server'}`,
      };
    const isProtected = isGit && isWithinAny(item.namespace, protectedNamespaces);
    const isRunning =
      isGit && item.kind === 'FLOW' && item.key === `${context.run.namespace}/${context.run.flowId}`;
    return { action: whenMissingInSource === 'KEEP' || isProtected || isRunning ? 'KEPT' : 'DELETED' };
  }
  if (isGit) {
    const problem = await item.problem();
    if (problem !== undefined) {
      if (onInvalidSyntax === 'FAIL') return { problem: `${item.file}: ${problem}` };
      if (onInvalidSyntax === 'WARN') await context.log('WARN', `Skipped ${item.file}: ${problem}`);
      return { action: 'SKIPPED' };
    }
  }
  if (!inTarget) return { action: 'ADDED' };
  return { action: (await item.isSame()) ? 'UNCHANGED' : 'UPDATED' };
}

const isWithinAny = (namespace: string | undefined, above: readonly string[]): boolean =>
  namespace !== undefined && above.some((each) => namespace === each || namespace.startsWith(`${each}.`));

/** A dry run still changes the checked-out files, because it does not push them. */
async function apply({ item, action }: Decision, { sourceOfTruth, dryRun }: TwoWayOptions): Promise<void> {
  const toServer = sourceOfTruth === 'GIT';
  if (toServer && dryRun) return;
  if (action === 'DELETED') await (toServer ? item.removeFromServer() : item.removeFromGit());
  else if (action === 'ADDED' || action === 'UPDATED') await (toServer ? item.toServer() : item.toGit());
}

/** The flows and files of one namespace, on both sides. */
export async function namespaceItems(
  context: TaskContext,
  namespace: string,
  folders: { readonly flows: GitFolder; readonly files: GitFolder },
): Promise<Item[]> {
  return [
    ...(await flowItems(context, namespace, folders.flows)),
    ...(await fileItems(context, namespace, folders.files)),
  ];
}

async function flowItems({ flows }: TaskContext, namespace: string, folder: GitFolder): Promise<Item[]> {
  const stored = new Map((await flows.list(namespace, { children: false })).map((flow) => [flow.id, flow]));
  const files = new Map<string, string>();
  for (const file of (await folder.list()).filter(isYaml)) {
    files.set(idIn(await folder.text(file)) ?? idOfFile(file), file);
  }
  return [...new Set([...stored.keys(), ...files.keys()])].sort().map((id) => {
    const file = files.get(id) ?? `${id}.yml`;
    const source = stored.get(id)?.source ?? '';
    const gitSource = async () => withNamespace(await folder.text(file), namespace);
    return {
      kind: 'FLOW',
      key: `${namespace}/${id}`,
      namespace,
      file: folder.pathOf(file),
      inGit: files.has(id),
      onServer: stored.has(id),
      isSame: async () => isSameText(source, await gitSource()),
      problem: async () => (await flows.check(await gitSource())).problem,
      toGit: () => folder.write(file, withoutRevision(source)),
      toServer: async () => void (await flows.save(await gitSource())),
      removeFromGit: () => folder.remove(file),
      removeFromServer: async () => void (await flows.delete(namespace, id)),
    };
  });
}

async function fileItems(
  { namespaceFiles }: TaskContext,
  namespace: string,
  folder: GitFolder,
): Promise<Item[]> {
  const stored = new Set(await namespaceFiles.list(namespace));
  const files = new Set(await folder.list());
  return [...new Set([...stored, ...files])].sort().map((path) => ({
    kind: 'FILE',
    key: `${namespace}/${path}`,
    namespace,
    file: folder.pathOf(path),
    inGit: files.has(path),
    onServer: stored.has(path),
    isSame: async () =>
      (await digest(await namespaceFiles.read(namespace, path))) === (await digest(folder.stream(path))),
    problem: async () => undefined,
    toGit: async () => folder.write(path, await namespaceFiles.read(namespace, path)),
    toServer: () => namespaceFiles.write(namespace, path, folder.stream(path)),
    removeFromGit: () => folder.remove(path),
    removeFromServer: async () => void (await namespaceFiles.delete(namespace, path)),
  }));
}

async function digest(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

export async function dashboardItems({ dashboards }: TaskContext, folder: GitFolder): Promise<Item[]> {
  const stored = new Map((await dashboards.list()).map(({ id, source }) => [id, source]));
  const files = new Map<string, string>();
  for (const file of (await folder.list()).filter(isYaml)) {
    files.set(idIn(await folder.text(file)) ?? idOfFile(file), file);
  }
  return [...new Set([...stored.keys(), ...files.keys()])].sort().map((id) => {
    const file = files.get(id) ?? `${id}.yml`;
    const source = stored.get(id) ?? '';
    const gitSource = async () => {
      const text = await folder.text(file);
      return idIn(text) === undefined ? `id: ${id}\n${text}` : text;
    };
    return {
      kind: 'DASHBOARD',
      key: id,
      file: folder.pathOf(file),
      inGit: files.has(id),
      onServer: stored.has(id),
      isSame: async () => source.trim() === (await gitSource()).trim(),
      problem: async () => dashboards.check(await gitSource()).catch(messageOf),
      toGit: () => folder.write(file, source.endsWith('\n') ? source : `${source}\n`),
      toServer: async () => dashboards.save(id, await gitSource()),
      removeFromGit: () => folder.remove(file),
      removeFromServer: async () => void (await dashboards.delete(id)),
    };
  });
}
