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
    const durationMs = stage.options.seconds * 1000;
    // Without events before and after, so that a growing database or a busier machine favors neither.
    const before = await storageRate({ store, durationMs: durationMs / 2, withEvents: false });
    const { perSecond } = await storageRate({ store, durationMs });
    const after = await storageRate({ store, durationMs: durationMs / 2, withEvents: false });
    const without = (before.perSecond + after.perSecond) / 2;
    return { storagePerSecond: perSecond, eventShare: (perSecond / without) * 100 };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
