import { describe, expect, it } from 'vitest';
import { piecesOf, scoreOf, wordsOf } from './match.ts';

describe('finding by name', () => {
  it('wants every word, in any order, whatever its case and accents', () => {
    expect(scoreOf('Zeitpläne und Auslöser', wordsOf('ausloser ZEITPL'))).toBeDefined();
    expect(scoreOf('Executions', wordsOf('exec nothing'))).toBeUndefined();
  });

  it('prefers the beginning of the text to that of a word, and that to the middle of one', () => {
    const ranked = ['Subflows', 'Create flow', 'Flows'].sort(
      (a, b) => (scoreOf(b, ['flow']) ?? 0) - (scoreOf(a, ['flow']) ?? 0),
    );
    expect(ranked).toEqual(['Flows', 'Create flow', 'Subflows']);
  });

  it('marks each occurrence of each word', () => {
    expect(piecesOf('log to log', ['log', 't'])).toEqual([
      { text: 'log', isHit: true },
      { text: ' ', isHit: false },
      { text: 't', isHit: true },
      { text: 'o ', isHit: false },
      { text: 'log', isHit: true },
    ]);
    expect(piecesOf('nothing', [])).toEqual([{ text: 'nothing', isHit: false }]);
  });
});
