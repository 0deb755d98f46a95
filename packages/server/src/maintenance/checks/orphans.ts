import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openInspector } from '@millrace/store';
import { executionOfFile } from '../orphanedFiles.ts';
import type { Check } from './check.ts';
import { storeConfigOf } from './database.ts';

const idsPerQuestion = 500;
const examplesShown = 5;

/** Folders `…/executions/<id>` in internal storage whose execution does not exist: wasted space. */
export const checkOrphans: Check = async ({ config }) => {
  const inspector = await openInspector(storeConfigOf(config));
  const orphans: string[] = [];
  let batch: { id: string; path: string }[] = [];
  const settle = async (): Promise<void> => {
    const known = await inspector.existing(batch.map(({ id }) => id));
    orphans.push(...batch.filter(({ id }) => !known.has(id)).map(({ path }) => path));
    batch = [];
  };
  try {
    for await (const found of executionFolders(config.storage.path ?? join(config.data, 'storage'))) {
      batch.push(found);
      if (batch.length === idsPerQuestion) await settle();
    }
    await settle();
  } finally {
    await inspector.close();
  }
  const examples = orphans.slice(0, examplesShown).join(', ');
  return [
    orphans.length === 0
      ? { check: 'files', status: 'ok', message: 'Every folder of files belongs to an execution.' }
      : {
          check: 'files',
          status: 'warning',
          message: `${orphans.length} folders of files belong to no execution and can be deleted: ${examples}${orphans.length > examplesShown ? ' …' : ''}`,
        },
  ];
};

/** Recognizes execution folders like the server does before it removes one. */
async function* executionFolders(
  root: string,
  below: readonly string[] = [],
): AsyncIterable<{ id: string; path: string }> {
  const entries = await opendir(join(root, ...below)).catch(() => undefined);
  for await (const entry of entries ?? []) {
    if (!entry.isDirectory()) continue;
    const parts = [...below, entry.name];
    const owner = executionOfFile([...parts, 'file'].join('/'));
    const isFlow = owner && (await isFolder(join(root, ...parts, 'executions')));
    if (owner && !isFlow) yield { id: owner.executionId, path: join(root, ...parts) };
    else yield* executionFolders(root, parts);
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
