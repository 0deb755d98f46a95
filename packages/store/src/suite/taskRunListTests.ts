import type { StateType } from '@millrace/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import type { Sort } from '../port/queries.ts';
import type { OpenedStore } from './opened.ts';
import { anExecution, aTaskRun, day, insert, noon } from './records.ts';

const rows: [string, string, number, StateType, string][] = [
  ['t1', 'shop', 0, 'SUCCESS', 'data'],
  ['t2', 'shop', 1, 'FAILED', 'data'],
  ['t3', 'shop.web', 2, 'SUCCESS', 'ops'],
  ['t4', 'other', 3, 'RUNNING', 'ops'],
];

export function taskRunListTests(open: () => Promise<OpenedStore>): void {
  describe('lists of task runs', () => {
    let opened: OpenedStore;
    beforeAll(async () => {
      opened = await open();
      for (const [id, namespace, days, state, team] of rows) {
        const execution = anExecution({
          id: `x${id}`,
          namespace,
          flowId: `flow${id}`,
          labels: [{ key: 'team', value: team }],
          ...(id === 't3'
            ? { trigger: { id: 'p', type: 'core.flow.Subflow', variables: { executionId: 'xt1' } } }
            : {}),
        });
        const date = noon + days * day;
        const taskRun = aTaskRun(execution.id, {
          id,
          state: { current: state, histories: [{ state, date }] },
        });
        await opened.store.commit([insert(execution), { op: 'taskRun.put', taskRun }]);
      }
    });
    afterAll(() => opened.close());

    const list = async (filters: Filter[], sort?: Sort[], page = 1, size = 10) => {
      const found = await opened.store.searchTaskRuns({
        filters,
        page,
        size,
        ...(sort === undefined ? {} : { sort }),
      });
      return [found.results.map(({ taskRun }) => taskRun.id).join(' '), found.total];
    };

    it('are the newest first, in pages, with their namespace and flow', async () => {
      expect(await list([])).toEqual(['t4 t3 t2 t1', 4]);
      expect(await list([], undefined, 2, 3)).toEqual(['t1', 4]);
      const { results } = await opened.store.searchTaskRuns({ filters: [], page: 1, size: 1 });
      expect(results[0]).toMatchObject({
        namespace: 'other',
        flowId: 'flowt4',
        taskRun: { id: 't4', executionId: 'xt4' },
      });
      expect(await list([], [{ field: 'taskId', descending: false }])).toEqual(['t1 t2 t3 t4', 4]);
    });

    const cases: [string, Filter['operation'], Filter['value'], string][] = [
      ['namespace', 'STARTS_WITH', 'shop', 't3 t2 t1'],
      ['flowId', 'EQUALS', 'flowt2', 't2'],
      ['state', 'IN', ['FAILED', 'RUNNING'], 't4 t2'],
      ['labels', 'EQUALS', { team: 'ops' }, 't4 t3'],
      ['q', 'EQUALS', 'web', 't3'],
      ['q', 'EQUALS', 'xt2', 't2'],
      ['startDate', 'GREATER_THAN', noon + day, 't4 t3'],
      ['endDate', 'LESS_THAN', noon + day, 't1'],
      ['childFilter', 'EQUALS', 'CHILD', 't3'],
      ['triggerExecutionId', 'EQUALS', 'xt1', 't3'],
    ];
    it.each(cases)('%s %s %j', async (field, operation, value, expected) => {
      expect(await list([{ field, operation, value }])).toEqual([expected, expected.split(' ').length]);
    });

    it('of one flow in a state that users filter by are found wherever they are, in pages', async () => {
      const states = ['FAILED', 'SUCCESS', 'WARNING'] as const;
      const taskRuns = Array.from({ length: 90 }, (_, i) => {
        const execution = anExecution({ namespace: 'rare', flowId: i % 2 === 0 ? 'even' : 'odd' });
        const state = states[i % 3] ?? 'FAILED';
        // Some start in the same half hour, most in separate half hours, days apart.
        const date = noon + (i < 30 ? i * 1_000 : i * day);
        const taskRun = aTaskRun(execution.id, {
          id: `r${i}`,
          state: { current: state, histories: [{ state, date }] },
        });
        return { i, ops: [insert(execution), { op: 'taskRun.put', taskRun } as const] };
      });
      await opened.store.commit(taskRuns.flatMap(({ ops }) => ops));
      const even: Filter[] = [
        { field: 'namespace', operation: 'EQUALS', value: 'rare' },
        { field: 'flowId', operation: 'EQUALS', value: 'even' },
      ];
      const pages = async (wanted: string[], descending: boolean, size: number): Promise<string[]> => {
        const filters: Filter[] = [...even, { field: 'state', operation: 'IN', value: wanted }];
        const all: string[] = [];
        for (let page = 1; ; page++) {
          const sort = [{ field: 'state.startDate', descending }];
          const [ids, total] = await list(filters, sort, page, size);
          expect(total).toBe(expected(wanted).length);
          if (ids === '') return all;
          all.push(...String(ids).split(' '));
        }
      };
      const expected = (wanted: string[]): string[] =>
        taskRuns.flatMap(({ i }) => (i % 2 === 0 && wanted.includes(states[i % 3] ?? '') ? [`r${i}`] : []));
      for (const wanted of [['FAILED'], ['FAILED', 'WARNING'], ['KILLED']]) {
        expect(await pages(wanted, false, 4)).toEqual(expected(wanted));
        expect(await pages(wanted, true, 7)).toEqual(expected(wanted).reverse());
        expect(await pages(wanted, true, 100)).toEqual(expected(wanted).reverse());
      }
    });

    it('refuse to be sorted by what is not a field', async () => {
      await expect(list([], [{ field: 'data', descending: true }])).rejects.toMatchObject({
        code: 'illegal-argument',
      });
    });
  });
}
