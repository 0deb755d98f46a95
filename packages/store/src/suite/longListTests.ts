import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import type { Sort } from '../port/queries.ts';
import type { OpenedStore } from './opened.ts';
import { anExecution, insert, noon } from './records.ts';

/** More rows than a list collects or samples; see `listExecutions`. */
const count = 5_300;
const parent = { id: 'parent', type: 'core.flow.Subflow', variables: { executionId: 'another' } };
const label = (operation: Filter['operation'], value: Record<string, string | string[]>): Filter => ({
  field: 'labels',
  operation,
  value,
});
const wide = label('EQUALS', { wide: 'yes' });
const child: Filter = { field: 'childFilter', operation: 'EQUALS', value: 'CHILD' };

/** From 1000 on three start at the same time, from 3000 on sixty: more than a page and its neighbors. */
const startOf = (i: number): number =>
  noon + (i >= 1_000 && i < 1_300 ? i - (i % 3) : i >= 3_000 && i < 3_060 ? 3_000 : i);
const stateOf = (i: number): 'FAILED' | 'WARNING' | 'CREATED' =>
  i % 7 === 0 ? 'FAILED' : i % 11 === 0 ? 'WARNING' : 'CREATED';
const namespaceOf = (i: number): string => `company.${i % 3 === 0 ? 'one' : 'two'}`;

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
          namespace: namespaceOf(i),
          state: stateOf(i),
          start: startOf(i),
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
      await opened.analyze?.();
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

    const filter = (field: string, operation: Filter['operation'], value: Filter['value']): Filter => ({
      field,
      operation,
      value,
    });
    const words = (text: string): Filter => filter('q', 'EQUALS', text);
    const failed = filter('state', 'IN', ['FAILED']);
    const bad = filter('state', 'IN', ['FAILED', 'WARNING']);
    const one = filter('namespace', 'EQUALS', 'company.one');
    const odd = filter('flowId', 'EQUALS', 'odd');
    const early = filter('startDate', 'LESS_THAN', startOf(2_500));
    const isFailed = (i: number): boolean => stateOf(i) === 'FAILED';
    const isBad = (i: number): boolean => stateOf(i) !== 'CREATED';
    const isOne = (i: number): boolean => namespaceOf(i) === 'company.one';
    const isOdd = (i: number): boolean => i % 2 === 1;
    it.each<[string, Filter[], (i: number) => boolean]>([
      ['a label', [wide], () => true],
      ['a label and a state', [wide, failed], isFailed],
      ['a label and states', [wide, bad], isBad],
      ['a label, a state and a namespace', [wide, failed, one], (i) => isFailed(i) && isOne(i)],
      [
        'a label, states and namespaces',
        [wide, bad, filter('namespace', 'IN', ['company.one', 'x'])],
        (i) => isBad(i) && isOne(i),
      ],
      ['a label, a flow and its namespace', [wide, odd, one], (i) => isOdd(i) && isOne(i)],
      [
        'a label, a flow, a namespace and states',
        [wide, odd, one, bad],
        (i) => isOdd(i) && isOne(i) && isBad(i),
      ],
      ['a label and a flow of any namespace', [wide, odd], isOdd],
      [
        'two labels, states and a date',
        [wide, label('EQUALS', { also: 'often' }), bad, early],
        (i) => isBad(i) && i < 2_500 && i !== 40,
      ],
      ['one of two labels of one key', [label('IN', { also: ['often', 'once'] }), one], isOne],
      [
        'one of two labels that many have both',
        [label('IN', { wide: 'yes', also: 'often' }), failed],
        isFailed,
      ],
      ['a part of a namespace', [wide, filter('namespace', 'CONTAINS', 'one')], isOne],
      ['a namespace without rows', [wide, filter('namespace', 'EQUALS', 'company')], () => false],
      ['no state at all', [wide, filter('state', 'IN', [])], () => false],
      ['words of two flows', [words('one')], isOne],
      ['words of a namespace and a flow', [words('two odd')], (i) => !isOne(i) && isOdd(i)],
      ['words of all flows', [words('company')], () => true],
      ['words of flows, before a date', [words('odd'), early], (i) => isOdd(i) && i < 2_500],
      ['words of flows, in a state', [words('one'), failed], (i) => isOne(i) && isFailed(i)],
      ['the beginning of ids', [words('x52')], (i) => `x${i}`.startsWith('x52')],
      ['a flow and the beginning of ids', [words('even x5')], (i) => !isOdd(i) && `x${i}`.startsWith('x5')],
      ['words in no row', [words('one x9 x8')], () => false],
    ])('has every page of %s in order, whatever began at once', async (_, filters, matches) => {
      const all = Array.from({ length: count }, (_, i) => count - 1 - i).filter(matches);
      for (const descending of [true, false]) {
        const expected = descending ? all : [...all].reverse();
        const last = Math.max(1, Math.ceil(all.length / 25));
        const middle = Math.ceil(expected.findIndex((i) => i === 3_003 || i === 1_008) / 25);
        for (const page of new Set([1, 2, Math.max(1, middle), middle + 1, last, last + 1])) {
          const sort = [{ field: 'state.startDate', descending }];
          const { numbers, total } = await list(filters, { page, size: 25, sort });
          expect(numbers).toEqual(expected.slice((page - 1) * 25, page * 25));
          expect(total).toBeLessThanOrEqual(all.length);
          expect(total).toBeGreaterThanOrEqual(numbers.length === 0 ? 0 : (page - 1) * 25 + numbers.length);
        }
      }
    });

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
      expect((await list([wide], by('flowId', false))).numbers).toEqual([0, 6, 12]);
      expect((await list([wide], by('flowId', true))).numbers).toEqual([5299, 5297, 5293]);
      expect((await list([child], by('flowId', true))).numbers).toEqual([1, 2, 0]);
      expect((await list([], by('state.current', false))).numbers).toEqual([1, 2, 3]);
      const several = [
        { field: 'flowId', descending: true },
        { field: 'state.startDate', descending: false },
      ];
      expect((await list([wide], { sort: several })).numbers).toEqual([1, 3, 5]);
    });
  });
}
