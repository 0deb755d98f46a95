import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commonRuns, diffLines, diffWords, hunksOf, revertHunk } from './lineDiff.ts';
import { conflictsIn, merge3, mergedText } from './merge3.ts';

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 })
  .map((lines) => lines.join('\n'));

describe('comparing texts', () => {
  it('leads from one text to the other and back, hunk by hunk', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (kind: string) =>
          lines
            .filter((line) => line.kind !== kind)
            .map((line) => line.text)
            .join('\n');
        expect(side('added')).toBe(before);
        expect(side('removed')).toBe(after);
        let reverted = after;
        // From the end, so that the places of the hunks before stay.
        for (const _ of hunksOf(lines)) {
          const rest = diffLines(before, reverted);
          const last = hunksOf(rest).at(-1);
          if (last) reverted = revertHunk(rest, last);
        }
        expect(reverted).toBe(before);
      }),
    );
  });

  it('compares two long texts with one change in little time', () => {
    const lines = Array.from({ length: 4_000 }, (_, index) => `line ${index}`);
    const changed = lines.with(3, 'first').with(2_000, 'other').toSpliced(3_900, 1);
    expect(commonRuns(lines, changed).reduce((sum, { length }) => sum + length, 0)).toBe(3_997);
  });

  it('A-7.2 marks the words that differ, and whole lines that have little in common', () => {
    const words = diffWords('message: "Hello World"', 'message: "Hello Ada"');
    expect(words?.left.filter(({ isChanged }) => isChanged)).toEqual([{ text: 'World', isChanged: true }]);
    expect(words?.right.filter(({ isChanged }) => isChanged)).toEqual([{ text: 'Ada', isChanged: true }]);
    expect(diffWords('type: core.log.Log', 'x')).toBeUndefined();
  });
});

describe('merging two texts that were made from the same one', () => {
  it('takes the changes of both sides', () => {
    const base = 'id: a\n\ntasks:\n  - one\n  - two\n\nend';
    const mine = base.replace('one', 'first');
    const theirs = base.replace('end', 'the end');
    const parts = merge3(base, mine, theirs);
    expect(conflictsIn(parts)).toBe(0);
    expect(mergedText(parts)).toBe('id: a\n\ntasks:\n  - first\n  - two\n\nthe end');
  });

  it('reports a conflict for different changes of the same lines, and takes the chosen side', () => {
    const parts = merge3('a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc');
    expect(conflictsIn(parts)).toBe(1);
    expect(mergedText(parts, ['theirs'])).toBe('a\ntheirs\nc');
    expect(mergedText(parts, ['both'])).toBe('a\nmine\ntheirs\nc');
  });

  it('is the other side when one changed nothing, and the same text when both made the same change', () => {
    fc.assert(
      fc.property(text, text, (base, side) => {
        expect(mergedText(merge3(base, base, side))).toBe(side);
        expect(mergedText(merge3(base, side, base))).toBe(side);
        expect(mergedText(merge3(base, side, side))).toBe(side);
        expect(conflictsIn(merge3(base, side, side))).toBe(0);
      }),
    );
  });

  it('with one side chosen for every conflict loses no line of that side', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const parts = merge3(base, mine, theirs);
        const count = conflictsIn(parts);
        const swapped = merge3(base, theirs, mine);
        expect(conflictsIn(swapped)).toBe(count);
        const all = parts.flatMap((part) => (part.kind === 'agreed' ? part.lines : part.mine));
        expect(
          mergedText(
            parts,
            Array.from({ length: count }, () => 'mine'),
          ),
        ).toBe(all.join('\n'));
      }),
    );
  });
});
