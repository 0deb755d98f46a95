import { describe, expect, it } from 'vitest';
import { splitMessage } from './splitMessage.ts';

describe('splitMessage', () => {
  it.each([
    ['a short one', 'short'],
    ['one long line', 'x'.repeat(25_001)],
    ['many lines', 'a line of text\n'.repeat(3_000)],
    ['characters outside the basic plane', '😀'.repeat(12_345)],
  ])('keeps all of %s in pieces of at most 10 KB', (_name, message) => {
    const pieces = splitMessage(message);
    expect(pieces.join('')).toBe(message);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(10_000);
    for (const piece of pieces) expect(() => encodeURIComponent(piece)).not.toThrow();
  });
});
