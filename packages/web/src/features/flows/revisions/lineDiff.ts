import { commonRuns } from './commonRuns.ts';

export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
  /** Line numbers on either side, from 1. */
  left?: number;
  right?: number;
}

/** The way from one text to the other, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  const change = (aTo: number, bTo: number) => {
    while (i < aTo) lines.push({ kind: 'removed', text: a[i] ?? '', left: ++i });
    while (j < bTo) lines.push({ kind: 'added', text: b[j] ?? '', right: ++j });
  };
  for (const run of commonRuns(a, b)) {
    change(run.a, run.b);
    for (let at = 0; at < run.length; at++)
      lines.push({ kind: 'same', text: a[i] ?? '', left: ++i, right: ++j });
  }
  change(a.length, b.length);
  return lines;
}

export interface LinePair {
  left?: DiffLine;
  right?: DiffLine;
}

/** The same lines as two columns: what replaced something stands beside it, what has no counterpart beside nothing. */
export function pairLines(lines: readonly DiffLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  // The first pair of the present run of changes that still has room on its right.
  let open = 0;
  for (const line of lines) {
    if (line.kind === 'same') {
      pairs.push({ left: line, right: line });
      open = pairs.length;
    } else if (line.kind === 'removed') pairs.push({ left: line });
    else {
      const beside = pairs[open];
      if (beside) beside.right = line;
      else pairs.push({ right: line });
      open++;
    }
  }
  return pairs;
}

/** Changed lines that follow each other without an unchanged one, as positions in the list of lines. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
}

export function hunksOf(lines: readonly Pick<DiffLine, 'kind'>[]): Hunk[] {
  const hunks: { start: number; end: number }[] = [];
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    const last = hunks.at(-1);
    if (last?.end === at) last.end = at + 1;
    else hunks.push({ start: at, end: at + 1 });
  }
  return hunks;
}

/** The newer text with one hunk as it was before. */
export function revertHunk(lines: readonly DiffLine[], { start, end }: Hunk): string {
  const isInside = (at: number) => at >= start && at < end;
  return lines
    .filter(({ kind }, at) => (isInside(at) ? kind !== 'added' : kind !== 'removed'))
    .map(({ text }) => text)
    .join('\n');
}

/** A part of a line; `isChanged` where the other side has something else. */
export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Less in common than this, and the marks would be more confusing than a whole line. */
const MIN_COMMON = 0.25;

/** The words of two lines that differ; undefined when the lines have too little in common. */
export function diffWords(before: string, after: string): { left: Piece[]; right: Piece[] } | undefined {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const runs = commonRuns(a, b);
  const common = runs.reduce(
    (sum, run) =>
      sum +
      a
        .slice(run.a, run.a + run.length)
        .join('')
        .trim().length,
    0,
  );
  const longest = Math.max(before.trim().length, after.trim().length);
  if (longest === 0 || common / longest < MIN_COMMON) return undefined;
  const side = (words: readonly string[], from: (run: (typeof runs)[number]) => number): Piece[] => {
    const pieces: Piece[] = [];
    let at = 0;
    const add = (to: number, isChanged: boolean) => {
      if (to > at) pieces.push({ text: words.slice(at, to).join(''), isChanged });
      at = to;
    };
    for (const run of runs) {
      add(from(run), true);
      add(from(run) + run.length, false);
    }
    add(words.length, true);
    return pieces;
  };
  return { left: side(a, (run) => run.a), right: side(b, (run) => run.b) };
}

const wordsOf = (line: string): string[] => line.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
