import { createMasker } from '@millrace/plugin-kit';
import { expect, test } from 'vitest';
import { LineSplitter, maxPieceLength } from './lineSplitter.ts';

function split(bytes: Uint8Array, chunkSize: number, masker = createMasker()): string[] {
  const splitter = new LineSplitter(masker);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += chunkSize) {
    lines.push(...splitter.push(bytes.subarray(at, at + chunkSize)).map(({ text }) => text));
  }
  lines.push(...splitter.end().map(({ text }) => text));
  return lines;
}

const bytes = (text: string) => Buffer.from(text);

test.each<[string, Uint8Array, string[]]>([
  ['lines', bytes('a\nb\n'), ['a', 'b']],
  ['no line feed at the end', bytes('a\nb'), ['a', 'b']],
  ['empty lines', bytes('\n\na\n'), ['', '', 'a']],
  ['carriage returns', bytes('a\r\nb\r\n'), ['a', 'b']],
  ['characters of several bytes', bytes('żółć\n日本語\n🎉\n'), ['żółć', '日本語', '🎉']],
  ['broken UTF-8', Uint8Array.from([0x61, 0xff, 0xfe, 0x62, 0x0a, 0xc3]), ['a\uFFFD\uFFFDb', '\uFFFD']],
  ['NUL', Uint8Array.from([0x61, 0, 0x62, 0x0a]), ['a\uFFFDb']],
  ['nothing', bytes(''), []],
])('%s, however they are chopped', (_, stream, expected) => {
  for (const size of [1, 2, 3, 1000]) expect(split(stream, size)).toEqual(expected);
});

test('a line of 10 MB comes in pieces and keeps every character', () => {
  const line = 'x'.repeat(10 * 1024 * 1024);
  const pieces = split(bytes(`${line}\nnext\n`), 65_536);
  expect(Math.max(...pieces.map(({ length }) => length))).toBe(maxPieceLength);
  expect(pieces.at(-1)).toBe('next');
  expect(pieces.slice(0, -1).join('')).toBe(line);
});

test.each([-20, -10, -5, -1, 0, 1, 5])('a secret at %i of a cut does not slip through', (shift) => {
  const secret = 'correct-horse-battery';
  const before = 'x'.repeat(maxPieceLength + shift);
  for (const size of [1000, 16_384, 16_400, 65_536]) {
    const pieces = split(bytes(`${before}${secret}${'y'.repeat(60_000)}`), size, createMasker([secret]));
    expect(pieces.join('')).toBe(`${before}**masked*${'*'.repeat(12)}${'y'.repeat(60_000)}`);
  }
});

test('a protocol line is taken whole even when it is long', () => {
  const line = `::{"outputs":{"a":"${'x'.repeat(1_000_000)}"}}::`;
  expect(split(bytes(`${line}\n`), 65_536)).toEqual([line]);
});

test('a protocol line without end is cut after all', () => {
  const pieces = split(bytes(`::{${'x'.repeat(9 * 1024 * 1024)}`), 65_536);
  expect(pieces.length).toBeGreaterThan(500);
  expect(pieces.join('')).toHaveLength(9 * 1024 * 1024 + 3);
});
