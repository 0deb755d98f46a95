import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter, Sort } from '../port/store.ts';
import type { OpenedStore } from './opened.ts';
import { anExecution, insert, noon } from './records.ts';

/** More than a list looks at one after the other; see `findMatches`. */
const count = 5_300;
const parent = { id: 'parent', type: 'core.flow.Subflow', variables: { executionId: 'another' } };
const label = (operation: Filter['operation'], value: Record<string, string | string[]>): Filter => ({
  field: 'labels',
  operation,
  value,
});
const wide = label('EQUALS', { wide: 'yes' });
const child: Filter = { field: 'childFilter', operation: 'EQUALS', value: 'CHILD' };

/** Numbered in the order of time. All have a wide label, the three oldest a parent, every tenth another label. */
export function longListTests(open: () => Promise<OpenedStore>): void {
  describe('lists of more executions than can be counted for a page', () => {
    let opened: OpenedStore;
    beforeAll(async () => {
      opened = await open();
      const executions = Array.from({ length: count }, (_, i) =>
        anExecution({
          id: `x${i}`,
          flowId: i % 2 === 0 ? 'even' : 'odd',
          start: noon + i,
          labels: [
            { key: 'wide', value: 'yes' },
            { key: 'also', value: i === 40 ? 'once' : 'often' },
            ...(i % 10 === 0 ? [{ key: 'tenth', value: `t${(i / 10) % 3}` }] : []),
          ],
          ...(i < 3 ? { trigger: parent } : {}),
        }),
      );
      for (let at = 0; at < count; at += 500) {
        await opened.store.commit(executions.slice(at, at + 500).map(insert));
      }
    });
    afterAll(() => opened.close());

    const list = async (filters: Filter[], { page = 1, size = 3, sort = [] as Sort[] } = {}) => {
      const { results, total } = await opened.store.listExecutions({ filters, sort, page, size });
      return { numbers: results.map(({ execution }) => Number(execution.id.slice(1))), total };
    };

    it.each<[string, Filter[], number[], number]>([
      ['a label that all have', [wide], [5299, 5298, 5297], count],
      ['two of them', [wide, label('EQUALS', { also: 'often' })], [5299, 5298, 5297], count - 1],
      ['a rare one among them', [wide, label('EQUALS', { also: 'once' })], [40], 1],
      ['one of several', [label('IN', { wide: 'yes', tenth: 't0' })], [5299, 5298, 5297], count],
      ['one of few', [label('IN', { also: 'once', tenth: 't1' })], [5290, 5260, 5230], 177],
      ['a part of a value', [label('CONTAINS', { also: 'n' })], [5299, 5298, 5297], count],
      ['a part of a rare value', [label('CONTAINS', { also: 'onc' })], [40], 1],
      ['a part no value has', [label('CONTAINS', { also: 'x' })], [], 0],
      ['without a label', [label('NOT_EQUALS', { tenth: 't0' })], [5299, 5298, 5297], count - 177],
      ['a common label and a rare parent', [wide, child], [2, 1, 0], 3],
      ['a rare parent', [child], [2, 1, 0], 3],
      ['a pattern', [{ field: 'q', operation: 'REGEX', value: '^x5[0-9]$' }], [59, 58, 57], 10],
    ])(
      'finds by %s, and tells the true number at the latest on the next page',
      async (_, filters, numbers, total) => {
        const first = await list(filters);
        expect(first.numbers).toEqual(numbers);
        expect(first.total).toBeGreaterThanOrEqual(numbers.length);
        await expect.poll(async () => (await list(filters)).total).toBe(total);
      },
    );

    it('pages on where matches are frequent, to the end and beyond', async () => {
      expect((await list([wide], { page: 212, size: 25 })).numbers).toEqual(
        Array.from({ length: 25 }, (_, i) => 24 - i),
      );
      expect((await list([wide], { page: 213, size: 25 })).numbers).toEqual([]);
      expect((await list([child], { page: 2, size: 2 })).numbers).toEqual([0]);
      expect(await list([child], { page: 3, size: 2 })).toEqual({ numbers: [], total: 3 });
    });

    it('keeps the order asked for', async () => {
      const by = (field: string, descending: boolean) => ({ sort: [{ field, descending }] });
      expect((await list([wide], by('state.startDate', false))).numbers).toEqual([0, 1, 2]);
      expect((await list([wide], by('flowId', false))).numbers).toEqual([0, 2, 4]);
      expect((await list([wide], by('flowId', true))).numbers).toEqual([5299, 5297, 5295]);
      expect((await list([child], by('flowId', true))).numbers).toEqual([1, 2, 0]);
      expect((await list([], by('state.current', false))).numbers).toEqual([0, 1, 2]);
      const several = [
        { field: 'flowId', descending: true },
        { field: 'state.startDate', descending: false },
      ];
      expect((await list([wide], { sort: several })).numbers).toEqual([1, 3, 5]);
    });
  });
}
