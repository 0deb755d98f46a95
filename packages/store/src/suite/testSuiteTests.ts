import type { FlowTestRecord } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { Conflict } from '../port/store.ts';
import type { Subject } from './opened.ts';
import { noon, unique } from './records.ts';

export function testSuiteTests(subject: Subject): void {
  const aTest = (wanted: Partial<FlowTestRecord> = {}): FlowTestRecord => ({
    namespace: unique('n'),
    id: 'orders_test',
    version: 1,
    flowId: 'orders',
    flowRevision: 1,
    source: 'id: "orders \\0"',
    disabled: false,
    testCaseIds: ['small'],
    deleted: false,
    updatedAt: noon,
    ...wanted,
  });

  describe('test suites of flows', () => {
    it('keeps every version, refuses one that exists, and hides deleted suites', async () => {
      const store = subject();
      const first = aTest();
      const { namespace, id } = first;
      const list = async (flowRevision?: number) => {
        const at = flowRevision === undefined ? {} : { flowRevision };
        const { results } = await store.listFlowTests({ page: 1, size: 10, sort: [], namespace, ...at });
        return results.map(({ test }) => test);
      };
      expect(await store.getFlowTest(namespace, id)).toBeUndefined();
      await store.commit([{ op: 'flowTest.insert', test: first }]);
      expect(await store.getFlowTest(namespace, id)).toEqual({ test: first });
      await expect(store.commit([{ op: 'flowTest.insert', test: first }])).rejects.toThrow(Conflict);
      const second = { ...first, version: 2, flowRevision: 3, source: 'second' };
      await store.commit([{ op: 'flowTest.insert', test: second }]);
      expect(await list()).toEqual([second]);
      expect(await list(2)).toEqual([first]);
      await store.commit([{ op: 'flowTest.insert', test: { ...second, version: 3, deleted: true } }]);
      expect(await list()).toEqual([]);
      expect((await store.getFlowTest(namespace, id))?.test.deleted).toBe(true);
    });

    it('stores the last result of a version', async () => {
      const store = subject();
      const test = aTest();
      const { namespace, id } = test;
      await store.commit([{ op: 'flowTest.insert', test }]);
      for (const state of ['FAILED', 'SUCCESS'])
        await store.commit([{ op: 'flowTest.result', namespace, id, version: 1, result: { state } }]);
      expect(await store.getFlowTest(namespace, id)).toEqual({ test, result: { state: 'SUCCESS' } });
    });

    it('lists the suites of a flow, and of a namespace with those below it', async () => {
      const store = subject();
      const namespace = unique('n');
      for (const test of [
        aTest({ namespace, id: 'a' }),
        aTest({ namespace, id: 'b', flowId: 'other' }),
        aTest({ namespace: `${namespace}.below`, id: 'c' }),
        aTest({ namespace: `${namespace}other`, id: 'd' }),
      ])
        await store.commit([{ op: 'flowTest.insert', test }]);
      const ids = async (query: object, page = 1) => {
        const { results, total } = await store.listFlowTests({
          page,
          size: 2,
          sort: [],
          namespace,
          ...query,
        });
        return [...results.map(({ test }) => test.id), total];
      };
      expect(await ids({})).toEqual(['a', 'b', 2]);
      expect(await ids({ flowId: 'orders' })).toEqual(['a', 1]);
      expect(await ids({ isPrefix: true })).toEqual(['a', 'b', 3]);
      expect(await ids({ isPrefix: true }, 2)).toEqual(['c', 3]);
    });
  });
}
