import { describe, expect, it } from 'vitest';
import { findRetired } from './words.mjs';

describe('retired words', () => {
  it('are found in comments and prose, with the line and the words to write', () => {
    const code = 'const a = 1;\n/** Whoever asks is told. */\nconst b = 2; // begins an\u0065w\n';
    expect(findRetired(code, true)).toEqual([
      '2 says "Whoever"; write: the caller, the client, any server',
      '3 says "anew"; write: again',
    ]);
    expect(findRetired('The execution goes on.', false)).toHaveLength(1);
  });

  it('are found in quoted sentences, not in names and single words', () => {
    expect(findRetired("it('goes on after a restart', () => {", true)).toHaveLength(1);
    expect(findRetired("const nobody = 'nobody';", true)).toEqual([]);
  });
});
