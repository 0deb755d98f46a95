import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { openInspector } from '@millrace/store';
import type { Check } from './check.ts';
import { storeConfigOf } from './database.ts';

const idsPerQuestion = 500;
const examplesShown = 5;

/** Folders `…/executions/<id>` in internal storage whose execution does not exist: space that nobody needs. */
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

async function* executionFolders(folder: string): AsyncIterable<{ id: string; path: string }> {
  const entries = await opendir(folder).catch(() => undefined);
  if (entries === undefined) return;
  for await (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    if (entry.name !== 'executions') yield* executionFolders(path);
    else
      for await (const run of await opendir(path))
        if (run.isDirectory()) yield { id: run.name, path: join(path, run.name) };
  }
}
