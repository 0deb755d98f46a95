import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@millrace/store';
import type { Figures } from '../report/figures.ts';
import { storageRate } from '../store/storageRate.ts';
import type { Stage } from './stage.ts';

/**
 * The rate of the database alone with the writes of B1: the baseline that cancels out the machine's speed.
 */
export async function measureStorage(stage: Stage): Promise<Figures> {
  stage.say('storage alone');
  const folder = mkdtempSync(join(tmpdir(), 'millrace-'));
  const url = await stage.createDatabase();
  const store = await openStore(url === undefined ? { kind: 'sqlite', folder } : { kind: 'postgres', url });
  try {
    await storageRate({ store, durationMs: 1000 });
    const { perSecond } = await storageRate({ store, durationMs: stage.options.seconds * 1000 });
    return { storagePerSecond: perSecond };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
