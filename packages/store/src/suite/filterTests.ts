import type { ExecutionRecord } from '@millrace/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter, FilterOperation } from '../port/filter.ts';
import type { Sort } from '../port/queries.ts';
import type { OpenedStore } from './opened.ts';
import { anExecution, day, insert, noon } from './records.ts';

/** Six executions, newest first: every case names the ones that must match. */
const executions: Record<string, ExecutionRecord> = {
  a: anExecution({
    id: 'a1',
    namespace: 'company',
    flowId: 'load',
    start: noon + 5 * day,
    labels: [
      { key: 'team', value: 'data' },
      { key: 'env', value: 'prod, eu' },
    ],
  }),
  b: anExecution({
    id: 'b2',
    namespace: 'company.team',
    flowId: 'load-all',
    start: noon + 4 * day,
    state: 'SUCCESS',
    end: noon + 4 * day + 50,
    labels: [{ key: 'team', value: 'data' }],
    trigger: { id: 'parent', type: 'core.flow.Subflow', variables: { executionId: 'a1' } },
  }),
  c: anExecution({
    id: 'c3',
    namespace: 'companyx',
    flowId: 'Clean',
    start: noon + 3 * day,
    state: 'FAILED',
    end: noon + 3 * day + 500,
  }),
  d: anExecution({
    id: 'd4',
    namespace: 'other.company',
    flowId: 'load',
    start: noon + 2 * day,
    state: 'RUNNING',
    labels: [{ key: 'team', value: 'ops' }],
    trigger: { id: 'schedule', type: 'core.trigger.Schedule', variables: { date: 'today' } },
  }),
  e: anExecution({
    id: 'e5',
    namespace: 'system',
    flowId: 'janitor',
    start: noon + day,
    state: 'WARNING',
    end: noon + day + 5,
  }),
  f: anExecution({
    id: 'f6',
    namespace: 'other.company.sub',
    flowId: 'load_all',
    start: noon,
    trigger: { id: 'parent', type: 'core.flow.Subflow', variables: { executionId: 'd4' } },
  }),
};

const cases: [string, FilterOperation, Filter['value'], string][] = [
  ['namespace', 'EQUALS', 'company', 'a'],
  ['namespace', 'NOT_EQUALS', 'company', 'bcdef'],
  ['namespace', 'STARTS_WITH', 'company', 'ab'],
  ['namespace', 'STARTS_WITH', 'company.', 'b'],
  ['namespace', 'STARTS_WITH', '', 'abcdef'],
  ['namespace', 'PREFIX', 'other', 'df'],
  ['namespace', 'ENDS_WITH', 'company', 'd'],
  ['namespace', 'ENDS_WITH', 'team', 'b'],
  ['namespace', 'CONTAINS', 'company', 'abd'],
  ['namespace', 'CONTAINS', 'comp', ''],
  ['namespace', 'REGEX', '^company', 'abc'],
  ['namespace', 'REGEX', 'comp.*[xm]$', 'bc'],
  ['namespace', 'IN', ['company', 'system'], 'ae'],
  ['namespace', 'NOT_IN', ['company', 'system'], 'bcdf'],
  ['namespace', 'IN', [], ''],
  ['flowId', 'EQUALS', 'load', 'ad'],
  ['flowId', 'NOT_EQUALS', 'load', 'bcef'],
  ['flowId', 'CONTAINS', 'oad', 'abdf'],
  ['flowId', 'CONTAINS', '_', 'f'],
  ['flowId', 'STARTS_WITH', 'load', 'abdf'],
  ['flowId', 'STARTS_WITH', 'LOAD', ''],
  ['flowId', 'ENDS_WITH', 'all', 'bf'],
  ['flowId', 'IN', ['load', 'janitor'], 'ade'],
  ['flowId', 'NOT_IN', ['load', 'janitor'], 'bcf'],
  ['flowId', 'REGEX', '^load.all$', 'bf'],
  ['scope', 'EQUALS', ['USER'], 'abcdf'],
  ['scope', 'EQUALS', 'SYSTEM', 'e'],
  ['scope', 'EQUALS', ['USER', 'SYSTEM'], 'abcdef'],
  ['scope', 'NOT_EQUALS', ['USER'], 'e'],
  ['scope', 'NOT_EQUALS', ['USER', 'SYSTEM'], ''],
  ['state', 'EQUALS', 'CREATED', 'af'],
  ['state', 'NOT_EQUALS', 'CREATED', 'bcde'],
  ['state', 'IN', ['FAILED', 'WARNING'], 'ce'],
  ['state', 'NOT_IN', ['FAILED', 'WARNING'], 'abdf'],
  ['startDate', 'GREATER_THAN', noon + 3 * day, 'ab'],
  ['startDate', 'GREATER_THAN_OR_EQUAL_TO', noon + 3 * day, 'abc'],
  ['startDate', 'EQUALS', noon + 3 * day, 'c'],
  ['startDate', 'NOT_EQUALS', noon + 3 * day, 'abdef'],
  ['startDate', 'GREATER_THAN', new Date(noon + 3 * day).toISOString(), 'ab'],
  ['endDate', 'LESS_THAN', noon + 2 * day, 'ef'],
  ['endDate', 'LESS_THAN_OR_EQUAL_TO', noon + 2 * day, 'def'],
  ['labels', 'EQUALS', { team: 'data' }, 'ab'],
  ['labels', 'EQUALS', { team: 'data', env: 'prod, eu' }, 'a'],
  ['labels', 'EQUALS', { team: 'none' }, ''],
  ['labels', 'NOT_EQUALS', { team: 'data' }, 'cdef'],
  ['labels', 'NOT_EQUALS', { team: 'ops', env: 'prod, eu' }, 'bcef'],
  ['labels', 'IN', { team: 'ops', env: 'prod, eu' }, 'ad'],
  ['labels', 'IN', { team: ['ops', 'data'] }, 'abd'],
  ['labels', 'IN', { team: 'data', env: 'prod, eu' }, 'ab'],
  ['labels', 'NOT_IN', { team: ['ops', 'data'] }, 'cef'],
  ['labels', 'CONTAINS', { env: 'prod' }, 'a'],
  ['labels', 'CONTAINS', { team: 'a' }, 'ab'],
  ['labels', 'CONTAINS', { team: 'a', env: 'eu' }, 'a'],
  ['labels', 'CONTAINS', { team: '' }, 'abd'],
  ['triggerExecutionId', 'EQUALS', 'a1', 'b'],
  ['triggerExecutionId', 'NOT_EQUALS', 'a1', 'acdef'],
  ['triggerExecutionId', 'IN', ['a1', 'd4'], 'bf'],
  ['triggerExecutionId', 'NOT_IN', ['a1'], 'acdef'],
  ['triggerExecutionId', 'STARTS_WITH', 'd', 'f'],
  ['childFilter', 'EQUALS', 'CHILD', 'bf'],
  ['childFilter', 'EQUALS', 'MAIN', 'acde'],
  ['childFilter', 'NOT_EQUALS', 'MAIN', 'bf'],
  ['q', 'EQUALS', 'load', 'abdf'],
  ['q', 'EQUALS', 'ALL', 'bf'],
  ['q', 'EQUALS', 'comp lo', 'abdf'],
  ['q', 'EQUALS', 'team load', 'b'],
  ['q', 'EQUALS', 'company.te', 'b'],
  ['q', 'EQUALS', 'oad', ''],
  ['q', 'EQUALS', 'c3', 'c'],
  ['q', 'EQUALS', '*', 'abcdef'],
  ['q', 'EQUALS', 'C3 clean', 'c'],
  ['q', 'EQUALS', 'load d', 'd'],
  ['q', 'EQUALS', 'a a1', 'a'],
  ['q', 'NOT_EQUALS', 'load', 'ce'],
  ['q', 'NOT_EQUALS', 'c3', 'abdef'],
  ['q', 'REGEX', '^c', 'abc'],
];

export function filterTests(open: () => Promise<OpenedStore>): void {
  describe('execution lists', () => {
    let opened: OpenedStore;
    beforeAll(async () => {
      opened = await open();
      await Promise.all(Object.values(executions).map((each) => opened.store.commit([insert(each)])));
    });
    afterAll(() => opened.close());

    const list = async (filters: Filter[], sort: Sort[] = [], page = 1, size = 25) => {
      const { results, total } = await opened.store.listExecutions({ filters, sort, page, size });
      return { names: results.map((each) => each.execution.id.charAt(0)).join(''), total };
    };

    it.each(cases)('%s %s %j leaves %j', async (field, operation, value, expected) => {
      const filter = { field, operation, value };
      expect(await list([filter])).toEqual({ names: expected, total: expected.length });
    });

    it('joins filters with and', async () => {
      const filters: Filter[] = [
        { field: 'namespace', operation: 'STARTS_WITH', value: 'company' },
        { field: 'labels', operation: 'EQUALS', value: { team: 'data' } },
        { field: 'startDate', operation: 'GREATER_THAN', value: noon },
        { field: 'state', operation: 'IN', value: ['SUCCESS', 'RUNNING'] },
      ];
      expect(await list(filters)).toEqual({ names: 'b', total: 1 });
    });

    it('counts exactly what only the roll-up, only the rows, or both can tell', async () => {
      const start: Filter = { field: 'startDate', operation: 'GREATER_THAN', value: noon };
      const load: Filter = { field: 'q', operation: 'EQUALS', value: 'load' };
      const main: Filter = { field: 'childFilter', operation: 'EQUALS', value: 'MAIN' };
      const data: Filter = { field: 'labels', operation: 'EQUALS', value: { team: 'data' } };
      const notB: Filter = { field: 'q', operation: 'NOT_EQUALS', value: 'b2' };
      expect(await list([load, start])).toEqual({ names: 'abd', total: 3 });
      expect(await list([load, main])).toEqual({ names: 'ad', total: 2 });
      expect(await list([load, main, start, notB])).toEqual({ names: 'ad', total: 2 });
      expect(await list([load, notB])).toEqual({ names: 'adf', total: 3 });
      expect(await list([data, start])).toEqual({ names: 'ab', total: 2 });
      expect(await list([data, load, main])).toEqual({ names: 'a', total: 1 });
      expect(await list([data, notB, start])).toEqual({ names: 'a', total: 1 });
    });

    it('counts a range of dates exactly, whole days and cut ones', async () => {
      const range = (from: number, to: number): Filter[] => [
        { field: 'startDate', operation: 'GREATER_THAN_OR_EQUAL_TO', value: from },
        { field: 'endDate', operation: 'LESS_THAN', value: to },
      ];
      expect(await list(range(noon + 1, noon + 4 * day))).toEqual({ names: 'cde', total: 3 });
      expect(await list(range(noon, noon + 4 * day + 1))).toEqual({ names: 'bcdef', total: 5 });
      expect(await list(range(noon, noon + 1))).toEqual({ names: 'f', total: 1 });
      expect(await list(range(noon + 5, noon))).toEqual({ names: '', total: 0 });
    });

    it.each([
      ['id', 'abcdef'],
      ['state.startDate', 'fedcba'],
      ['state.endDate', 'afdecb'],
      ['state.duration', 'afdebc'],
      ['namespace', 'abcdfe'],
      ['flowId', 'ceadbf'],
      ['state.current', 'afcdbe'],
    ])('sorts by %s', async (field, expected) => {
      const tie = [{ field, descending: false }];
      const [up, down] = [await list([], tie), await list([], [{ field, descending: true }])];
      const key = (name: string) => JSON.stringify(sortKey(executions[name], field));
      expect([...up.names].map(key)).toEqual([...expected].map(key));
      expect([...down.names].map(key)).toEqual([...expected].reverse().map(key));
    });

    it('sorts by several fields', async () => {
      const sort = [
        { field: 'flowId', descending: true },
        { field: 'state.startDate', descending: false },
      ];
      expect((await list([], sort)).names).toBe('fbdaec');
    });

    it('pages without gaps and tells the true total past the end', async () => {
      const pages = [await list([], [], 1, 4), await list([], [], 2, 4), await list([], [], 3, 4)];
      expect(pages.map((page) => page.names)).toEqual(['abcd', 'ef', '']);
      expect(pages.map((page) => page.total)).toEqual([6, 6, 6]);
    });
  });
}

function sortKey(execution: ExecutionRecord | undefined, field: string): unknown {
  if (execution === undefined) return undefined;
  const { current, histories } = execution.state;
  const start = histories[0]?.date ?? 0;
  const over = current !== 'CREATED' && current !== 'RUNNING';
  const end = over ? histories[histories.length - 1]?.date : undefined;
  const keys: Record<string, unknown> = {
    id: execution.id,
    'state.startDate': start,
    'state.endDate': end,
    'state.duration': end === undefined ? undefined : end - start,
    namespace: execution.namespace,
    flowId: execution.flowId,
    'state.current': current,
  };
  return keys[field];
}
