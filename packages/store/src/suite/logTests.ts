import { logLevels } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import type { Filter } from '../port/filter.ts';
import type { StoredLog } from '../port/queries.ts';
import type { Subject } from './opened.ts';
import { aLog, noon, unique } from './records.ts';

export function logTests(subject: Subject): void {
  const search = (filters: readonly Filter[], page = 1, size = 100) =>
    subject().searchLogs({ filters, page, size });
  const within = (namespace: string): Filter => ({
    field: 'namespace',
    operation: 'EQUALS',
    value: namespace,
  });

  describe('logs', () => {
    it('keeps every field and gives rising ids in the order of commits', async () => {
      const store = subject();
      const executionId = unique('e');
      const logs = Array.from({ length: 50 }, (_, index) =>
        aLog({
          executionId,
          taskId: 'task',
          taskRunId: 'run',
          attemptNumber: 0,
          triggerId: 'trigger',
          thread: 'main',
          at: noon - index,
          message: `line ${index}`,
        }),
      );
      await Promise.all(logs.map((log) => store.commit([{ op: 'log.insert', log }])));
      const stored = await store.listLogs({ executionId });
      expect(stored.map(({ id: _, ...log }) => log)).toEqual(logs);
      const ids = stored.map((log) => log.id);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
      expect(new Set(ids).size).toBe(50);
    });

    it('counts all matches, also when there are very many', async () => {
      const store = subject();
      const namespace = unique('many');
      const log = aLog({ namespace, message: 'one of very many' });
      for (const size of [4_000, 4_000, 2_100]) {
        await store.commit(Array.from({ length: size }, () => ({ op: 'log.insert' as const, log })));
      }
      for (const filter of [
        { field: 'q', operation: 'EQUALS', value: 'very' },
        { field: 'endDate', operation: 'LESS_THAN', value: noon + 1 },
      ] as const) {
        const totalOf = async () => (await search([within(namespace), filter], 1, 1)).total;
        // The first page may be returned before the rows are counted; its total is a lower bound.
        expect(await totalOf()).toBeGreaterThanOrEqual(2_000);
        await expect.poll(totalOf).toBe(10_100);
      }
    });

    it('finds a rare word behind very many entries, and words of any length', async () => {
      const store = subject();
      const namespace = unique('words');
      const [rare, long, huge] = [unique('rare'), unique('l').repeat(60), unique('h').repeat(200)];
      const oldest = `${rare} ${long} ${huge}`;
      const others = Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' ');
      await store.commit([
        { op: 'log.insert', log: aLog({ namespace, at: noon - 2, message: oldest }) },
        { op: 'log.insert', log: aLog({ namespace, at: noon - 1, message: `${others} ${rare} ${others}` }) },
        ...Array.from({ length: 2_100 }, () => ({
          op: 'log.insert' as const,
          log: aLog({ namespace, message: 'nothing of interest' }),
        })),
      ]);
      const found = async (value: string) =>
        (await search([{ field: 'q', operation: 'EQUALS', value }])).total;
      expect(await found(rare)).toBe(2);
      expect(await found(rare.slice(0, -1))).toBe(2);
      expect(await found(rare.slice(1))).toBe(0);
      for (const word of [long, huge, huge.slice(0, 550), `${huge} `, `${rare}-${long}`]) {
        expect(await found(word)).toBe(1);
      }
      expect(await found(`${long}x`)).toBe(0);
      expect(await found(`${huge}x`)).toBe(0);
    });

    it('finds two words that are seldom in one entry, each of them common, the newest first', async () => {
      const store = subject();
      const namespace = unique('pairs');
      const [seldom, often] = [unique('seldom'), unique('often')];
      const messages = Array.from({ length: 5_000 }, (_, i) => {
        const second = i < 2_400 ? i % 2 === 0 : i % 2 === 1;
        return `${i % 20 === 0 ? `${seldom}y` : 'none'} ${second ? `${often}ly` : 'none'} n${i}`;
      });
      for (const at of [0, 2_500]) {
        const logs = messages.slice(at, at + 2_500).map((message) => aLog({ namespace, message }));
        await store.commit(logs.map((log) => ({ op: 'log.insert', log })));
      }
      const both = messages
        .filter((message) => message.includes(seldom) && message.includes(often))
        .reverse();
      expect(both).toHaveLength(120);
      const query = { field: 'q', operation: 'EQUALS', value: `${often} ${seldom}` } as const;
      for (const filters of [[query], [query, within(namespace)]]) {
        for (const page of [1, 3, 5]) {
          const { results, total } = await search(filters, page, 25);
          expect(results.map(({ message }) => message)).toEqual(both.slice((page - 1) * 25, page * 25));
          expect(total).toBeLessThanOrEqual(120);
        }
        await expect.poll(async () => (await search(filters, 1, 25)).total).toBe(120);
      }
      const word = { ...query, value: often };
      const rare = [word, within(namespace), { field: 'level', operation: 'EQUALS', value: 'WARN' } as const];
      expect((await search(rare, 1, 25)).total).toBe(0);
    });

    it('continues after an id, in pages, and sees what is new', async () => {
      const store = subject();
      const executionId = unique('e');
      const say = (message: string) =>
        store.commit([{ op: 'log.insert', log: aLog({ executionId, message }) }]);
      for (const message of ['a', 'b', 'c']) await say(message);
      const first = await store.listLogs({ executionId, limit: 2 });
      expect(first.map((log) => log.message)).toEqual(['a', 'b']);
      const afterId = first[1]?.id ?? 0;
      expect((await store.listLogs({ executionId, afterId })).map((log) => log.message)).toEqual(['c']);
      await say('d');
      expect((await store.listLogs({ executionId, afterId })).map((log) => log.message)).toEqual(['c', 'd']);
    });

    it('never gives an id again after a deletion, so that a follower misses nothing', async () => {
      const store = subject();
      const executionId = unique('e');
      const say = () => store.commit([{ op: 'log.insert', log: aLog({ executionId }) }]);
      await say();
      const before = (await store.listLogs({ executionId }))[0]?.id ?? 0;
      await store.commit([{ op: 'execution.delete', id: executionId, logs: true, metrics: false }]);
      await say();
      expect(await store.listLogs({ executionId, afterId: before })).toHaveLength(1);
    });

    it('selects by level, task, task run and attempt; the task wins over the task run', async () => {
      const store = subject();
      const executionId = unique('e');
      await store.commit(
        logLevels.flatMap((level) =>
          ['a', 'b'].flatMap((task) =>
            [0, 1].map((attemptNumber) => ({
              op: 'log.insert' as const,
              log: aLog({ executionId, level, taskId: task, taskRunId: `${task}1`, attemptNumber }),
            })),
          ),
        ),
      );
      const count = async (query: object) => (await store.listLogs({ executionId, ...query })).length;
      expect(await count({})).toBe(20);
      expect(await count({ minLevel: 'TRACE' })).toBe(20);
      expect(await count({ minLevel: 'WARN' })).toBe(8);
      expect(await count({ taskId: 'a' })).toBe(10);
      expect(await count({ taskRunId: 'b1' })).toBe(10);
      expect(await count({ taskRunId: 'b1', attempt: 1 })).toBe(5);
      expect(await count({ taskId: 'a', taskRunId: 'b1', attempt: 1 })).toBe(10);
      expect(await count({ minLevel: 'ERROR', taskRunId: 'b1', attempt: 1 })).toBe(1);
    });

    it('searches with filters, newest first, with the true total past the end', async () => {
      const store = subject();
      const namespace = unique('logs');
      await store.commit(
        logLevels.map((level, index) => ({
          op: 'log.insert' as const,
          log: aLog({
            namespace,
            level,
            at: noon + index,
            flowId: `flow${index}`,
            triggerId: `trigger${index}`,
          }),
        })),
      );
      const found = async (...filters: Filter[]) =>
        (await search([within(namespace), ...filters])).results.map((log) => log.level);
      expect(await found()).toEqual([...logLevels].reverse());
      expect(await found({ field: 'level', operation: 'EQUALS', value: 'WARN' })).toEqual(['ERROR', 'WARN']);
      expect(await found({ field: 'level', operation: 'NOT_EQUALS', value: 'DEBUG' })).toEqual(['TRACE']);
      expect(await found({ field: 'startDate', operation: 'GREATER_THAN', value: noon + 3 })).toEqual([
        'ERROR',
      ]);
      expect(await found({ field: 'endDate', operation: 'LESS_THAN', value: noon + 1 })).toEqual(['TRACE']);
      expect(await found({ field: 'flowId', operation: 'EQUALS', value: 'flow2' })).toEqual(['INFO']);
      expect(await found({ field: 'triggerId', operation: 'IN', value: ['trigger0', 'trigger4'] })).toEqual([
        'ERROR',
        'TRACE',
      ]);
      expect(await search([within(namespace)], 3, 10)).toEqual({ results: [], total: 5 });
    });

    it('finds every word at the beginning of a token, in the message and the names', async () => {
      const store = subject();
      const namespace = unique('words');
      const messages = ['Loaded 42 rows from Table-One', 'Failed: Ünïcode Ärger', 'loading'];
      await store.commit(
        messages.map((message, index) => ({
          op: 'log.insert' as const,
          log: aLog({ namespace, message, taskId: `task${index}`, at: noon + index }),
        })),
      );
      const cases: [string, number[]][] = [
        ['load', [2, 0]],
        ['LOAD rows', [0]],
        ['oad', []],
        ['ünïc ärg', [1]],
        ['table-one', [0]],
        ['table_on', [0]],
        ['42', [0]],
        ['task1', [1]],
        [`${namespace} loading`, [2]],
        ['*', [2, 1, 0]],
        ['--', [2, 1, 0]],
        ['"; DROP TABLE logs; --', []],
      ];
      const check = async () => {
        for (const [q, expected] of cases) {
          const page = await search([within(namespace), { field: 'q', operation: 'EQUALS', value: q }]);
          expect([q, page.results.map((log) => messages.indexOf(log.message))]).toEqual([q, expected]);
          expect(page.total).toBe(expected.length);
        }
      };
      await check();
      const without = await search([
        within(namespace),
        { field: 'q', operation: 'NOT_EQUALS', value: 'load' },
      ]);
      expect(without.results.map((log) => log.message)).toEqual([messages[1]]);
      const pattern = await search([
        within(namespace),
        { field: 'q', operation: 'REGEX', value: '^Loaded \\d+' },
      ]);
      expect(pattern.total).toBe(1);
    });

    it('walks all entries once, also those of one millisecond, while others arrive', async () => {
      const store = subject();
      const namespace = unique('walked');
      const insert = (messages: readonly string[], at: number) =>
        store.commit(
          messages.map((message) => ({ op: 'log.insert' as const, log: aLog({ namespace, message, at }) })),
        );
      await insert(['b', 'c', 'd'], noon);
      await insert(['a'], noon - 1);
      await insert(['e'], noon + 1);
      const walked: string[] = [];
      for (let after: StoredLog | undefined; ; ) {
        const filters = [within(namespace)];
        const page = await store.walkLogs({ filters, limit: 2, ...(after && { after }) });
        walked.push(...page.map(({ message }) => message));
        if (walked.length === 2) await insert(['before the page'], noon - 2);
        if (walked.length === 4) await insert(['f'], noon + 2);
        after = page.at(-1);
        if (!after) break;
      }
      expect(walked.join('')).toBe('abcdef');
    });

    it('sorts by every field it offers', async () => {
      const namespace = unique('sorted');
      await subject().commit(
        ['b', 'a', 'c'].map((name, index) => ({
          op: 'log.insert' as const,
          log: aLog({ namespace, flowId: name, executionId: name, message: name, at: noon - index }),
        })),
      );
      for (const [field, expected] of [
        ['flowId', 'abc'],
        ['executionId', 'abc'],
        ['timestamp', 'cab'],
      ] as const) {
        const sorted = await subject().searchLogs({
          filters: [within(namespace)],
          page: 1,
          size: 10,
          sort: [{ field, descending: false }],
        });
        expect(sorted.results.map((log) => log.message).join('')).toBe(expected);
      }
    });
  });
}
