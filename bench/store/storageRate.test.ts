import { openStore } from '@millrace/store';
import { temporaryFolder } from '@millrace/store/suite';
import { expect, it } from 'vitest';
import { storageRate } from './storageRate.ts';

it('runs whole executions through the store and counts them', async () => {
  const folder = temporaryFolder();
  const store = await openStore({ kind: 'sqlite', folder: folder.path });
  const rate = await storageRate({ store, durationMs: 50, inFlight: 4 });
  expect(rate.executions).toBeGreaterThan(0);
  expect(rate.perSecond).toBeGreaterThan(0);
  expect(rate.p99Ms).toBeGreaterThanOrEqual(rate.p50Ms);
  const { total } = await store.listExecutions({
    page: 1,
    size: 1,
    filters: [{ field: 'state', operation: 'EQUALS', value: 'SUCCESS' }],
  });
  expect(total).toBe(rate.executions);
  await store.close();
  folder.remove();
});
