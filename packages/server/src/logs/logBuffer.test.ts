import { AppError } from '@millrace/contract';
import { Conflict, type Op, type Store } from '@millrace/store';
import { describe, expect, it, test } from 'vitest';
import { silentLog } from '../testing/silentLog.ts';
import { LogBuffer } from './logBuffer.ts';

const line = (message: string) => ({
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'f',
  executionId: 'e',
  at: 0,
  level: 'INFO' as const,
  message,
});

const messagesOf = (ops: readonly Op[]) =>
  ops.flatMap((op) => (op.op === 'log.insert' ? [op.log.message] : []));
const away = () => new AppError('unavailable', 'The database is away.');

/** Stores commits unless `before` throws, and fails after the commit when `after` throws. */
function aStore(before: (unit: readonly Op[]) => void, after: () => void = () => {}) {
  const stored: Op[] = [];
  const marks = new Set<string>();
  const commit = async (unit: readonly Op[]) => {
    before(unit);
    const keys = unit.flatMap((op) => (op.op === 'setting.put' && op.mustBeNew ? [op.key] : []));
    if (keys.some((key) => marks.has(key))) throw new Conflict('A mark');
    for (const key of keys) marks.add(key);
    stored.push(...unit);
    after();
  };
  // `as`: a buffer only commits.
  return { store: { commit } as unknown as Store, stored: () => messagesOf(stored) };
}

describe('a store that cannot be written for a while', () => {
  it('keeps the rows, lets their writers wait, and stores each once and in order', async () => {
    let isAway = true;
    let tries = 0;
    const { store, stored } = aStore(() => {
      tries++;
      if (isAway) throw away();
    });
    const buffer = new LogBuffer(store, silentLog);
    void buffer.addLog('e', line('first'));
    const flushed = buffer.flush();
    let full = buffer.addLog('e', line('x'));
    for (let lines = 0; full === undefined && lines < 100; lines++)
      full = buffer.addLog('e', line('x'.repeat(100_000)));
    let hasRoom = false;
    void full?.then(() => {
      hasRoom = true;
    });
    await expect.poll(() => tries).toBeGreaterThan(1);
    expect([stored(), hasRoom]).toEqual([[], false]);
    isAway = false;
    await Promise.all([flushed, full]);
    expect(stored()[0]).toBe('first');
    expect(new Set(stored()).size).toBe(3);
    await buffer.close();
  });

  it('stores nothing twice when the answer to a commit is lost', async () => {
    let answers = 0;
    const { store, stored } = aStore(
      () => {},
      () => {
        if (++answers === 1) throw away();
      },
    );
    const buffer = new LogBuffer(store, silentLog);
    void buffer.addLog('e', line('one'));
    void buffer.addLog('e', line('two'));
    await buffer.flush();
    expect(stored()).toEqual(['one', 'two']);
    await buffer.close();
  });

  it('drops only the row that the database refuses, and reports it', async () => {
    const errors: string[] = [];
    const { store, stored } = aStore((unit) => {
      if (messagesOf(unit).includes('bad')) throw new Error('invalid byte sequence');
    });
    const buffer = new LogBuffer(store, { ...silentLog, error: (message) => void errors.push(message) });
    for (const message of ['one', 'two', 'bad', 'three', 'four']) void buffer.addLog('e', line(message));
    await buffer.flush();
    expect(stored()).toEqual(['one', 'two', 'three', 'four']);
    expect(errors).toEqual([expect.stringContaining('dropped')]);
    await buffer.close();
  });

  it('hands out rows of one task run, and takes back what could not be stored before what came since', async () => {
    const { store, stored } = aStore(() => {});
    const buffer = new LogBuffer(store, silentLog);
    for (const [message, taskRunId] of [
      ['one', 'a'],
      ['two', 'b'],
      ['three', 'a'],
    ] as const)
      void buffer.addLog('e', { ...line(message), taskRunId });
    const taken = await buffer.take('e', 'a');
    expect(messagesOf(taken)).toEqual(['one', 'three']);
    buffer.putBack('e', taken);
    await buffer.flush();
    expect(stored()).toEqual(['one', 'three', 'two']);
    await buffer.close();
  });
});

test.each([
  ['empty lines', '', 100_000],
  ['long lines', 'x'.repeat(100_000), 200],
])(
  '[A18] a task that writes a flood of %s has to wait before it fills the memory',
  async (_, message, most) => {
    const written: Op[] = [];
    const commit = async (ops: readonly Op[]) => void written.push(...ops);
    // `as`: a buffer only commits.
    const buffer = new LogBuffer({ commit } as unknown as Store, silentLog);
    let lines = 1;
    let full = buffer.addLog('e', line(message));
    for (; full === undefined && lines <= most; lines++) full = buffer.addLog('e', line(message));
    expect(lines).toBeLessThan(most);
    await full;
    expect(messagesOf(written)).toHaveLength(lines);
    expect(buffer.addLog('e', line(message))).toBeUndefined();
    await buffer.close();
  },
);
