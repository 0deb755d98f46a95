import type { LogEntry, LogLevel } from '@millrace/contract';
import { describe, expect, test } from 'vitest';
import { markHits, paletteColour, readAnsi } from './AnsiText.tsx';
import { placeMarks, RowKeys } from './LogList.tsx';
import { asText, filterLines, findHits, nextHit, readLine } from './logLine.ts';
import { aLogEntry } from './testing/aLogEntry.ts';
import { mergeEntries } from './useLogLines.ts';

const lines = (...given: Partial<LogEntry>[]) =>
  given.map((entry, index) => readLine(aLogEntry(entry), index));

test.each([
  ['plain', 'plain', false],
  ['two\nlines', 'two', true],
  ['ends\n', 'ends', false],
  ['\u001b[31mred\u001b[0m text', 'red text', false],
  [undefined, '', false],
])('the row of %j shows %j', (message, head, hasMore) => {
  expect(readLine(aLogEntry({ message }), 0)).toMatchObject({ head, hasMore });
});

test.each<[LogLevel, number | undefined, number[]]>([
  ['TRACE', undefined, [0, 1, 2]],
  ['INFO', undefined, [1, 2]],
  ['ERROR', undefined, [2]],
  ['TRACE', 1, [2]],
  ['INFO', 0, [1]],
])('from %s, attempt %s: lines %j', (minLevel, attempt, numbers) => {
  const log = lines(
    { level: 'DEBUG', attemptNumber: 0 },
    { level: 'INFO', attemptNumber: 0 },
    { level: 'ERROR', attemptNumber: 1 },
  );
  expect(filterLines(log, { minLevel, attempt }).map((line) => line.number)).toEqual(numbers);
});

test('a search finds any case, later lines of a message, and task ids', () => {
  const log = lines(
    { message: 'Alpha' },
    { message: 'x\nALPHABET' },
    { message: 'y', taskId: 'alpha_task' },
    { message: 'z' },
  );
  expect(findHits(log, ' alpha')).toEqual([0, 1, 2]);
  expect(findHits(log, ' ')).toEqual([]);
});

test.each([
  [[], 0, 1, undefined],
  [[2, 5, 9], 5, 1, 9],
  [[2, 5, 9], 9, 1, 2],
  [[2, 5, 9], 5, -1, 2],
  [[2, 5, 9], 2, -1, 9],
  [[2, 5, 9], -1, 1, 2],
] as const)('of the hits %j, from %i by %i comes %s', (hits, from, step, found) => {
  expect(nextHit(hits, from, step)).toBe(found);
});

describe('mergeEntries', () => {
  const a = aLogEntry({ message: 'a' });
  const b = aLogEntry({ message: 'b' });

  test('what was listed and comes again is not added twice', () => {
    const merged = mergeEntries([a, b]);
    expect([a, b, aLogEntry({ message: 'c' })].map(merged.add)).toEqual([false, false, true]);
    expect(merged.entries).toHaveLength(3);
  });

  test('equal lines count as often as they were written', () => {
    const merged = mergeEntries([a]);
    expect([a, a].map(merged.add)).toEqual([false, true]);
  });

  test('a stream that begins again brings nothing new but what it adds', () => {
    const merged = mergeEntries([a]);
    [a, b].map(merged.add);
    merged.restart();
    expect([a, b, b].map(merged.add)).toEqual([false, false, true]);
  });
});

test.each([
  [[], 100, 10, []],
  [[0, 1, 2, 99], 100, 10, [0, 0.9]],
  [[5], 10, 10, [0.5]],
  [[5], 0, 10, []],
])('marks for %j of %i', (indexes, total, slots, marks) => {
  expect(placeMarks(indexes, total, slots)).toEqual(marks);
});

test('escape sequences become looks; markup stays text', () => {
  expect(readAnsi('a \u001b[1;31mred\u001b[0m <b>')).toEqual([
    { text: 'a ' },
    { text: 'red', style: { color: 'var(--ansi-red)', fontWeight: 700 } },
    { text: ' <b>' },
  ]);
  expect(readAnsi('\u001b[38;2;1;2;3mtrue')).toEqual([{ text: 'true', style: { color: 'rgb(1, 2, 3)' } }]);
});

test.each([
  [16, 'rgb(0, 0, 0)'],
  [196, 'rgb(255, 0, 0)'],
  [231, 'rgb(255, 255, 255)'],
  [244, 'rgb(128, 128, 128)'],
])('terminal colour %i', (index, colour) => {
  expect(paletteColour(index)).toBe(colour);
});

test('copied text has the form of the download, without colour codes', () => {
  expect(asText(lines({ message: '\u001b[32mok\u001b[0m', level: 'WARN' }))).toBe(
    '2026-03-01T08:00:00.000Z WARN ok',
  );
});

test.each([
  [['plain text'], '', ['plain text']],
  [['plain text'], 'TEXT', ['plain ', '[text]']],
  [['aXa'], 'a', ['[a]', 'X', '[a]']],
  [['Wrote ', 'partition', ' 9 in'], 'partition 9', ['Wrote ', '[partition]', '[ 9]', ' in']],
  [['aa', 'aa'], 'aa', ['[aa]', '[aa]']],
  [['nothing'], 'else', ['nothing']],
])('in %j the search %j marks %j', (texts, search, marked) => {
  const chunks = markHits(
    texts.map((text) => ({ text })),
    search,
  );
  expect(chunks.map(({ text, isHit }) => (isHit ? `[${text}]` : text))).toEqual(marked);
});

test('rows in sight keep their names, and names go over to others only when none of them stays', () => {
  const keys = new RowKeys();
  const namesOf = (first: number, last: number) => {
    keys.draw(first, last);
    return Array.from({ length: last - first + 1 }, (_, place) => keys.keyOf(first + place));
  };
  expect(namesOf(0, 3)).toEqual([0, 1, 2, 3]);
  expect(namesOf(2, 5)).toEqual([2, 3, 4, 5]);
  expect(namesOf(900, 904)).toEqual([2, 3, 4, 5, 6]);
  expect(namesOf(899, 902)).toEqual([1, 2, 3, 4]);
  expect(namesOf(0, 2)).toEqual([1, 2, 3]);
});
