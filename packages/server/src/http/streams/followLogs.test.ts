import type { LogFrontier, StoredLog } from '@millrace/store';
import { describe, expect, it } from 'vitest';
import { NewLogs } from './followLogs.ts';

const entry = (id: number): StoredLog => ({
  id,
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'f',
  executionId: 'e',
  at: 0,
  level: 'INFO',
  message: `line ${id}`,
});

/** A store with several writers: ids become visible when their transaction commits. */
function aStore() {
  let visible: number[] = [];
  let frontier: LogFrontier = { lastId: 0, oldestOpen: 1, next: 1 };
  let now = 0;
  const asked: number[] = [];
  const store = {
    listLogs: async ({ afterId = 0, limit = Number.POSITIVE_INFINITY }) => {
      asked.push(afterId);
      return visible
        .filter((id) => id > afterId)
        .slice(0, limit)
        .map(entry);
    },
    logFrontier: async () => frontier,
  };
  const logs = new NewLogs({ executionId: 'e' }, store, () => now);
  return {
    asked,
    commit: (...ids: number[]) => {
      visible = [...visible, ...ids].sort((a, b) => a - b);
    },
    at: (time: number, next: LogFrontier) => {
      [now, frontier] = [time, next];
    },
    read: async () => {
      const ids: number[] = [];
      for await (const page of logs.read()) ids.push(...page.map(({ id }) => id));
      return ids;
    },
  };
}

describe('log entries that processes commit out of order', () => {
  it('are each read once, however late a lower id appears', async () => {
    const { commit, at, read } = aStore();
    at(0, { lastId: 5, oldestOpen: 10, next: 12 });
    commit(4, 5);
    expect(await read()).toEqual([4, 5]);
    at(60_000, { lastId: 7, oldestOpen: 10, next: 14 });
    commit(7);
    expect(await read()).toEqual([7]);
    commit(1, 2);
    expect(await read()).toEqual([1, 2]);
    expect(await read()).toEqual([]);
  });

  it('are not read again once no transaction can add to them', async () => {
    const { asked, commit, at, read } = aStore();
    at(0, { lastId: 2_500, oldestOpen: 10, next: 10 });
    commit(...Array.from({ length: 2_500 }, (_, index) => index + 1));
    expect(await read()).toHaveLength(2_500);
    at(1_000, { lastId: 2_600, oldestOpen: 11, next: 11 });
    expect(await read()).toEqual([]);
    asked.length = 0;
    commit(2_600);
    expect([await read(), asked]).toEqual([[2_600], [2_500]]);
  });
});
