import { expect, test } from 'vitest';
import { CappedLog } from './cappedLog.ts';
import type { LogEntry, LogFile } from './logFile.ts';

const uri = 'millrace:///the/rest.log';

function aLog(limits: { lines: number; characters: number }) {
  const stored: LogEntry[] = [];
  const filed: LogEntry[] = [];
  const file = { add: (entry: LogEntry) => void filed.push(entry), close: async () => uri };
  // `as`: of a file only these two are used.
  const log = new CappedLog(
    (entry) => void stored.push(entry),
    () => file as unknown as LogFile,
    limits,
  );
  let at = 0;
  const say = (message: string) => void log.add({ at: at++, level: 'INFO', message });
  return { log, say, stored, filed, messages: () => stored.map(({ message }) => message) };
}

test('[A18] a log within its limits is stored as it is, without a file', async () => {
  const { log, say, messages, filed } = aLog({ lines: 3, characters: 100 });
  for (const word of ['a', 'b', 'c']) say(word);
  expect(await log.close()).toBeUndefined();
  expect([messages(), filed]).toEqual([['a', 'b', 'c'], []]);
});

test.each([
  ['lines', { lines: 3, characters: 1_000_000 }, '3 lines'],
  ['characters', { lines: 1_000_000, characters: 20 }, '20 characters'],
])('[A18] beyond its %s a log shows its begin, what is left out, and its end', async (_, limits, said) => {
  const { log, say, stored, messages, filed } = aLog(limits);
  for (let n = 0; n < 5_000; n++) say(`line-${n}`);
  const before = messages();
  expect(before.slice(0, -1)).toEqual(['line-0', 'line-1', 'line-2'].slice(0, before.length - 1));
  expect(before.at(-1)).toMatch(new RegExp(`^This attempt has logged ${said}\\. `));
  expect(await log.close()).toBe(uri);
  const kept = before.length - 1;
  expect(filed.map(({ message }) => message)).toEqual(
    Array.from({ length: 5_000 - kept }, (__, n) => `line-${n + kept}`),
  );
  const after = messages().slice(before.length);
  expect(after[0]).toMatch(
    new RegExp(`^… 3,99\\d lines with 3\\d,\\d{3} characters are left out here; they are in ${uri}$`),
  );
  expect(after.slice(1)).toEqual(Array.from({ length: 1_000 }, (__, n) => `line-${n + 4_000}`));
  // In the order of time, which is how a log is read.
  expect(stored.map(({ at }) => at)).toEqual(stored.map(({ at }) => at).sort((a, b) => a - b));
});

test('[A18] a message larger than the end of a log may be is only in the file', async () => {
  const { log, say, messages, filed } = aLog({ lines: 1, characters: 100 });
  for (const word of ['first', 'x'.repeat(2_000_000), 'last']) say(word);
  await log.close();
  expect(messages()).toEqual([
    'first',
    expect.stringMatching(/^This attempt/),
    expect.stringMatching(/^… 1 lines with 2,000,000 characters/),
    'last',
  ]);
  expect(filed).toHaveLength(2);
});
