import { setImmediate as turn } from 'node:timers/promises';
import type { Store } from '@millrace/store';
import type { InternalStorage } from '../files/internalStorage.ts';
import { executionFolder } from '../files/internalStorage.ts';
import type { RetentionRule } from './retentionRules.ts';

/** The folder of an execution's files, as their path names it. */
export interface FilesOf {
  readonly namespace: string;
  readonly flowId: string;
  readonly executionId: string;
}

const idsPerQuestion = 500;
/** Bounds one sweep; the next one continues with what is left. */
const foldersPerSweep = 10_000;

/**
 * Removes files whose execution does not exist any more: retention and deletions remove rows first, and a crash in
 * between leaves the files. Only files older than their namespace keeps executions are removed, so neither a file that
 * is being written nor an upload for an execution that is about to start is ever touched. Returns the number of folders.
 */
export async function sweepOrphanedFiles(
  { store, files }: { readonly store: Store; readonly files: InternalStorage },
  rules: readonly RetentionRule[],
  now: number,
  options: {
    /** Runs a removal, or returns undefined when nothing may be removed at the moment. */
    readonly whileUnlocked: <T>(remove: () => Promise<T>) => Promise<T | undefined>;
    readonly isEnding: () => boolean;
  },
): Promise<number> {
  let removed = 0;
  const candidates = new Map<string, FilesOf>();
  const settle = async (): Promise<void> => {
    const found = new Set((await store.listStates([...candidates.keys()])).map(({ id }) => id));
    const orphans = [...candidates.values()].filter(({ executionId }) => !found.has(executionId));
    candidates.clear();
    for (const orphan of orphans) {
      const before = now - (keepOf(orphan.namespace, rules) ?? Number.POSITIVE_INFINITY);
      const isRemoved = await options.whileUnlocked(async () => {
        if (!(await isUntouched(files, orphan, before))) return false;
        await files.deleteBelow(executionFolder(orphan));
        return true;
      });
      if (isRemoved) removed++;
    }
    await turn();
  };
  for await (const { key, modifiedAt } of files.walk([])) {
    const owner = executionOfFile(key);
    const keepMs = owner && keepOf(owner.namespace, rules);
    if (owner && keepMs !== undefined && modifiedAt < now - keepMs) candidates.set(owner.executionId, owner);
    if (candidates.size >= idsPerQuestion) await settle();
    if (options.isEnding() || removed >= foldersPerSweep) return removed;
  }
  await settle();
  return removed;
}

async function isUntouched(
  files: Pick<InternalStorage, 'walk'>,
  orphan: FilesOf,
  before: number,
): Promise<boolean> {
  for await (const { modifiedAt } of files.walk(executionFolder(orphan)))
    if (modifiedAt >= before) return false;
  return true;
}

const idShape = /^[0-9A-Za-z]{22}$/;

/** `company/team/hello/executions/<id>/…`; undefined for files of namespaces and for everything else. */
export function executionOfFile(key: string): FilesOf | undefined {
  const parts = key.split('/');
  let at = parts.findIndex(
    (part, index) => part === 'executions' && index >= 2 && idShape.test(parts[index + 1] ?? ''),
  );
  if (at < 0) return undefined;
  // A namespace may end with "executions" and have a flow whose id looks like that of an execution.
  if (parts[at + 2] === 'executions' && idShape.test(parts[at + 3] ?? '')) at += 2;
  const above = parts.slice(0, at);
  // Files of namespaces lie below "_files", and marks of servers below ".servers".
  if (above.some((part) => /^[_.]/.test(part))) return undefined;
  return {
    namespace: above.slice(0, -1).join('.'),
    flowId: above.at(-1) ?? '',
    executionId: parts[at + 1] ?? '',
  };
}

/** Undefined for a namespace whose executions are kept forever. */
function keepOf(namespace: string, rules: readonly RetentionRule[]): number | undefined {
  const isIn = (scope: string) => namespace === scope || namespace.startsWith(`${scope}.`);
  return rules.find(({ within, except }) => (within === undefined || isIn(within)) && !except.some(isIn))
    ?.keepMs;
}
