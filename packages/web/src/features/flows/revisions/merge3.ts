import { commonRuns } from './lineDiff.ts';

/** A part of a merged text. */
export type MergePart =
  | { readonly kind: 'agreed'; readonly lines: readonly string[]; readonly from: 'both' | 'mine' | 'theirs' }
  /** Both sides changed the same lines in different ways. */
  | {
      readonly kind: 'conflict';
      readonly base: readonly string[];
      readonly mine: readonly string[];
      readonly theirs: readonly string[];
    };

export type MergeChoice = 'mine' | 'theirs' | 'both';

/** Merges two texts that were made from the same one: a change of one side is taken, different ones are a conflict. */
export function merge3(base: string, mine: string, theirs: string): MergePart[] {
  const [o, a, b] = [base.split('\n'), mine.split('\n'), theirs.split('\n')];
  const [inMine, inTheirs] = [placesIn(o, a), placesIn(o, b)];
  const parts: MergePart[] = [];
  let [i, m, t] = [0, 0, 0];
  while (i < o.length || m < a.length || t < b.length) {
    const stable = countStable(i, m, t);
    if (stable > 0) {
      parts.push({ kind: 'agreed', lines: o.slice(i, i + stable), from: 'both' });
      [i, m, t] = [i + stable, m + stable, t + stable];
      continue;
    }
    let next = i;
    while (next < o.length && !(at(inMine, next) >= m && at(inTheirs, next) >= t)) next += 1;
    const [toMine, toTheirs] =
      next < o.length ? [at(inMine, next), at(inTheirs, next)] : [a.length, b.length];
    parts.push(resolve(o.slice(i, next), a.slice(m, toMine), b.slice(t, toTheirs)));
    [i, m, t] = [next, toMine, toTheirs];
  }
  return parts;

  /** How many lines of the base are unchanged on both sides from here. */
  function countStable(from: number, mineAt: number, theirsAt: number): number {
    let count = 0;
    while (
      from + count < o.length &&
      inMine[from + count] === mineAt + count &&
      inTheirs[from + count] === theirsAt + count
    )
      count += 1;
    return count;
  }
}

const at = (places: readonly (number | undefined)[], index: number): number => places[index] ?? -1;

/** Where each line of the base is in a side; undefined for lines that it does not have any more. */
function placesIn(base: readonly string[], side: readonly string[]): (number | undefined)[] {
  const places: (number | undefined)[] = base.map(() => undefined);
  for (const { a, b, length } of commonRuns(base, side))
    for (let step = 0; step < length; step++) places[a + step] = b + step;
  return places;
}

function resolve(base: readonly string[], mine: readonly string[], theirs: readonly string[]): MergePart {
  if (isSame(mine, theirs)) return { kind: 'agreed', lines: mine, from: 'both' };
  if (isSame(base, mine)) return { kind: 'agreed', lines: theirs, from: 'theirs' };
  if (isSame(base, theirs)) return { kind: 'agreed', lines: mine, from: 'mine' };
  return { kind: 'conflict', base, mine, theirs };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, index) => line === other[index]);

export const conflictsIn = (parts: readonly MergePart[]): number =>
  parts.filter(({ kind }) => kind === 'conflict').length;

/** The merged text; a conflict without a choice is taken from `mine`. */
export function mergedText(
  parts: readonly MergePart[],
  choices: readonly (MergeChoice | undefined)[] = [],
): string {
  let conflict = 0;
  return parts
    .flatMap((part) => {
      if (part.kind === 'agreed') return part.lines;
      const choice = choices[conflict++] ?? 'mine';
      if (choice === 'both') return [...part.mine, ...part.theirs];
      return choice === 'mine' ? part.mine : part.theirs;
    })
    .join('\n');
}

/** What the user decided when another user saved the same flow meanwhile. */
export interface MergeDecision {
  readonly theirs: { readonly source: string; readonly revision: number };
  /** Absent when the text shall overwrite the other one. */
  readonly merged?: string;
}
