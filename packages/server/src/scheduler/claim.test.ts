import { AppError } from '@millrace/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';
import { Claim } from './claim.ts';
import { settled } from './evaluationEnd.ts';
import {
  aListener,
  definitions,
  logOf,
  resetSources,
  rowOf,
  trigger,
  until,
} from './testing/pollingTriggers.ts';

afterEach(resetSources);

describe.each(databases)('the claim of a trigger on $name', (database) => {
  const server = sharedServer(database, { definitions });

  test('that was handed back is not taken again by the worker that renews it', async () => {
    const id = anId();
    const source = aListener(id);
    await server().saveFlow(aFlow(id, trigger('Listen', id)));
    await until(() => expect(source.state.starts).toBe(1));
    const row = await rowOf(server(), id);
    const { store } = server().product;
    const claim = new Claim(row!, store);
    await claim.write((put) => store.commit([put((held) => settled(held, { now: 1, nextAt: 2 }))]));
    await claim.renew(Date.now());
    expect(claim.row.nextAt).toBe(2);
  });

  test('frees its trigger although the commit of the end fails and then loses its response', async () => {
    const id = anId();
    const source = aListener(id);
    await server().saveFlow(aFlow(id, trigger('Listen', id)));
    await until(() => expect(source.state.starts).toBe(1));
    const { store } = server().product;
    let commits = 0;
    const commit: typeof store.commit = async (unit) => {
      commits++;
      if (commits === 1) throw new AppError('unavailable', 'the commit was not stored');
      await store.commit(unit);
      if (commits === 2) throw new AppError('unavailable', 'the response of the commit was lost');
    };
    const claim = new Claim((await rowOf(server(), id))!, { ...store, commit });
    const about = { tenantId: 'main', namespace: 'company.team', flowId: id, triggerId: 'look' };
    const log = { ...about, at: 1, level: 'ERROR' as const, message: 'the source is down' };
    const end = { now: Date.now(), nextAt: Date.now() + 60_000, failures: 1 };
    await claim.writeEnd((row) => settled(row, end), [{ op: 'log.insert', log }]);
    // More when the test run injects further faults.
    expect(commits).toBeGreaterThanOrEqual(3);
    const row = await rowOf(server(), id);
    expect(row).toMatchObject({ nextAt: end.nextAt, memo: { failures: 1 } });
    expect(row?.evaluationStartedAt).toBeUndefined();
    expect(await logOf(server(), id)).toEqual(['ERROR the source is down']);
  });
});
