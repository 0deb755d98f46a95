/** A stretch of a text, and whether it is part of what was searched for. */
export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

export const wordsOf = (query: string): string[] => fold(query).split(/\s+/).filter(Boolean);

/**
 * The score of a text: every word must be in it, and the beginning of the text counts more than the beginning of a
 * word, that more than the middle of one. Undefined when a word is missing; the higher, the better.
 */
export function scoreOf(text: string, words: readonly string[]): number | undefined {
  const folded = fold(text);
  let score = 0;
  for (const word of words) {
    const at = folded.indexOf(word);
    if (at < 0) return undefined;
    score += at === 0 ? 4 : startsWord(folded, word) ? 2 : 1;
  }
  // Of two equal ones the shorter text has less beside what was asked for.
  return score - folded.length / 1_000;
}

/** The text in pieces, so that the words stand out. */
export function piecesOf(text: string, words: readonly string[]): Piece[] {
  const folded = fold(text);
  // Folding may change the length of rare letters; a mark in the wrong place is worse than none.
  if (folded.length !== text.length || words.length === 0) return [{ text, isHit: false }];
  const isHit = new Array<boolean>(text.length).fill(false);
  for (const word of words)
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length))
      isHit.fill(true, at, at + word.length);
  const pieces: Piece[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && isHit[at] === isHit[start]) continue;
    pieces.push({ text: text.slice(start, at), isHit: isHit[start] ?? false });
    start = at;
  }
  return pieces;
}

/** Without case and accents: users rarely type them in a search. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  return false;
}
