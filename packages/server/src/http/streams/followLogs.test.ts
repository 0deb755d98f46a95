import { unpackLogs } from '@millrace/contract';
import type { LogFrontier, StoredLog } from '@millrace/store';
import { describe, expect, it } from 'vitest';
import { packLogs, presentLog, serializeLogs } from '../../views/presentLog.ts';
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
      logs.note({ logExecutionIds: ['e'] });
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

describe('log entries that a change brings along', () => {
  const stored: StoredLog[] = [];
  const reads: number[] = [];
  const listLogs = async ({ afterId = 0, limit = Number.POSITIVE_INFINITY }) => {
    reads.push(afterId);
    return stored.filter(({ id }) => id > afterId).slice(0, limit);
  };
  const changeWith = (...entries: StoredLog[]) => ({ logExecutionIds: ['e'], logsOf: () => entries });
  const takeFrom = async (logs: NewLogs) => {
    const ids: number[] = [];
    for await (const page of logs.read()) ids.push(...page.map(({ id }) => id));
    return ids;
  };

  it('are not read back, and those of the first read are not repeated', async () => {
    stored.splice(0, stored.length, entry(1), entry(2), entry(3));
    const logs = new NewLogs({ executionId: 'e' }, { listLogs });
    const pages = logs.read();
    expect((await pages.next()).value).toHaveLength(3);
    // Committed while the first page was on its way.
    logs.note(changeWith(entry(3)));
    logs.note(changeWith(entry(4), entry(5)));
    expect((await pages.next()).value).toEqual([entry(4), entry(5)]);
    expect((await pages.next()).done).toBe(true);
    logs.note(changeWith(entry(6)));
    expect([await takeFrom(logs), reads]).toEqual([[6], [0]]);
  });

  it('are read from the database after a gap, and by a follower that is far behind', async () => {
    stored.splice(0, stored.length);
    const logs = new NewLogs({ executionId: 'e' }, { listLogs });
    await takeFrom(logs);
    stored.push(entry(1), entry(2));
    logs.note({ logExecutionIds: [], hasGap: true });
    logs.note(changeWith(entry(2)));
    expect(await takeFrom(logs)).toEqual([1, 2]);
    const many = Array.from({ length: 12_000 }, (_, index) => entry(index + 3));
    stored.push(...many);
    for (let start = 0; start < many.length; start += 1_000)
      logs.note(changeWith(...many.slice(start, start + 1_000)));
    expect(await takeFrom(logs)).toEqual(many.map(({ id }) => id));
  });

  it('are those of the level that the follower asked for, as one list for all followers', async () => {
    stored.splice(0, stored.length);
    const change = changeWith(entry(1), { ...entry(2), level: 'ERROR' });
    const lists = await Promise.all(
      ['first', 'second'].map(async () => {
        const logs = new NewLogs({ executionId: 'e', minLevel: 'WARN' }, { listLogs });
        await takeFrom(logs);
        logs.note(change);
        return (await logs.read().next()).value;
      }),
    );
    expect(lists[0]).toEqual([{ ...entry(2), level: 'ERROR' }]);
    expect(lists[0]).toBe(lists[1]);
  });
});

it('log entries are sent as the lists present them', () => {
  const { executionId: _, ...ofTrigger } = entry(3);
  const entries: StoredLog[] = [
    {
      ...entry(1),
      taskId: 't',
      taskRunId: 'r',
      attemptNumber: 0,
      thread: 'main',
      message: 'a "quoted"\nline',
    },
    { ...entry(2), taskId: 't', taskRunId: 'r', attemptNumber: 1, at: 5, level: 'ERROR' },
    { ...entry(2), taskId: 't', taskRunId: 'r', attemptNumber: 0, at: 5 },
    { ...ofTrigger, triggerId: 'every' },
  ];
  expect(serializeLogs(entries)).toEqual(entries.map((one) => JSON.stringify(presentLog(one))));
  // Packed, entries that differ only in their messages are one.
  const packed = packLogs([...entries, entry(3), entry(4)]);
  expect(packed).toHaveLength(entries.length + 1);
  expect(unpackLogs(packed)).toEqual([...entries, entry(3), entry(4)].map(presentLog));
});
