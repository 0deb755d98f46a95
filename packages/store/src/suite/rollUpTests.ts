import { type ExecutionRecord, type StateType, stateTypes } from '@millrace/contract';
import { expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import type { OpenedStore } from './opened.ts';
import { anExecution, day, insert, moved, noon, update } from './records.ts';

const steps: StateType[] = [
  'RUNNING',
  'PAUSED',
  'SUCCESS',
  'FAILED',
  'RESTARTED',
  'KILLED',
  'RUNNING',
  'RUNNING',
];

export function rollUpTests(open: () => Promise<OpenedStore>): void {
  it('keeps totals equal to a recount through inserts, updates, conflicts, restarts and deletions', async () => {
    const { store, close } = await open();
    const live = new Map<string, { execution: ExecutionRecord; version: number }>();
    let turn = 0;
    for (let round = 0; round < 30; round++) {
      const work: Promise<void>[] = [];
      for (let i = 0; i < 5; i++, turn++) {
        const execution = anExecution({
          namespace: `n${turn % 3}`,
          flowId: `f${turn % 2}`,
          start: noon + (turn % 5) * day,
          state: turn % 7 === 0 ? 'SUCCESS' : 'CREATED',
        });
        live.set(execution.id, { execution, version: 1 });
        work.push(store.commit([insert(execution)]));
      }
      for (const [index, [id, { execution, version }]] of [...live].slice(0, -5).entries()) {
        if ((index + round) % 3 !== 0) continue;
        const next = moved(
          execution,
          steps[(index + round) % steps.length] ?? 'RUNNING',
          noon + 9 * day + turn,
        );
        live.set(id, { execution: next, version: version + 1 });
        work.push(store.commit([update(execution, next, version)]));
        // The same update again conflicts, in the same group or the next, and must not change the totals.
        work.push(expectConflict(store.commit([update(execution, next, version)])));
      }
      await Promise.all(work);
      const victim = [...live.keys()][round];
      if (round % 4 === 0 && victim !== undefined) {
        live.delete(victim);
        await store.commit([{ op: 'execution.delete', id: victim, logs: true, metrics: true }]);
      }
    }
    const left = [...live.values()].map(({ execution }) => execution);
    const total = async (filters: Filter[]) =>
      (await store.listExecutions({ filters, page: 1, size: 1 })).total;
    expect(await total([])).toBe(left.length);
    for (const state of stateTypes) {
      for (const namespace of ['n0', 'n1', 'n2']) {
        const expected = left.filter((each) => each.namespace === namespace && each.state.current === state);
        const filters: Filter[] = [
          { field: 'namespace', operation: 'EQUALS', value: namespace },
          { field: 'state', operation: 'EQUALS', value: state },
        ];
        expect([state, namespace, await total(filters)]).toEqual([state, namespace, expected.length]);
        // Not on a column of the roll-up: counted from the rows.
        expect(await total([...filters, { field: 'childFilter', operation: 'EQUALS', value: 'MAIN' }])).toBe(
          expected.length,
        );
      }
    }
    await close();
  });
}

async function expectConflict(commit: Promise<void>): Promise<void> {
  await expect(commit).rejects.toThrow('was changed by someone else meanwhile');
}
