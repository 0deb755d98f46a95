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

/** Items that two lists have in common, one after the other. */
interface Run {
  readonly a: number;
  readonly b: number;
  readonly length: number;
}

/** Up to here the exact table is computed; larger lists are split at items that occur once in both. */
const MAX_TABLE = 4_000_000;

/** The runs that two lists share, in order. Time and memory stay bounded for lists of any length. */
export function commonRuns(a: readonly string[], b: readonly string[]): Run[] {
  const pairs: [number, number][] = [];
  collect(a, b, { aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }, pairs);
  const runs: { a: number; b: number; length: number }[] = [];
  for (const [i, j] of pairs) {
    const last = runs.at(-1);
    if (last && last.a + last.length === i && last.b + last.length === j) last.length += 1;
    else runs.push({ a: i, b: j, length: 1 });
  }
  return runs;
}

interface Area {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

function collect(a: readonly string[], b: readonly string[], area: Area, pairs: [number, number][]): void {
  let { aFrom, aTo, bFrom, bTo } = area;
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) pairs.push([aFrom++, bFrom++]);
  const tail: [number, number][] = [];
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) tail.push([--aTo, --bTo]);
  if (aFrom < aTo && bFrom < bTo) {
    const rest = { aFrom, aTo, bFrom, bTo };
    if ((aTo - aFrom) * (bTo - bFrom) <= MAX_TABLE) longestCommon(a, b, rest, pairs);
    else splitAtUnique(a, b, rest, pairs);
  }
  pairs.push(...tail.reverse());
}

/** The longest common subsequence of a small area. */
function longestCommon(
  a: readonly string[],
  b: readonly string[],
  area: Area,
  pairs: [number, number][],
): void {
  const { aFrom, aTo, bFrom, bTo } = area;
  const width = bTo - bFrom + 1;
  const table = new Uint32Array((aTo - aFrom + 1) * width);
  const at = (i: number, j: number): number => table[(i - aFrom) * width + (j - bFrom)] ?? 0;
  for (let i = aTo - 1; i >= aFrom; i--)
    for (let j = bTo - 1; j >= bFrom; j--)
      table[(i - aFrom) * width + (j - bFrom)] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  let [i, j] = [aFrom, bFrom];
  while (i < aTo && j < bTo) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
}

function splitAtUnique(
  a: readonly string[],
  b: readonly string[],
  area: Area,
  pairs: [number, number][],
): void {
  let { aFrom, bFrom } = area;
  for (const [i, j] of uniqueInOrder(a, b, area)) {
    collect(a, b, { aFrom, aTo: i, bFrom, bTo: j }, pairs);
    pairs.push([i, j]);
    [aFrom, bFrom] = [i + 1, j + 1];
  }
  // Without such an item the rest counts as replaced.
  if (aFrom > area.aFrom) collect(a, b, { ...area, aFrom, bFrom }, pairs);
}

/** The items that occur once on both sides, as many as are in the same order. */
function uniqueInOrder(a: readonly string[], b: readonly string[], area: Area): [number, number][] {
  const places = new Map<string, { i: number; j: number }>();
  const twice = -2;
  for (let i = area.aFrom; i < area.aTo; i++) {
    const item = a[i] ?? '';
    places.set(item, { i: places.has(item) ? twice : i, j: -1 });
  }
  for (let j = area.bFrom; j < area.bTo; j++) {
    const place = places.get(b[j] ?? '');
    if (place) place.j = place.j === -1 ? j : twice;
  }
  const both = [...places.values()].filter(({ i, j }) => i >= 0 && j >= 0).sort((x, y) => x.i - y.i);
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [index, { j }] of both.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((both[ends[middle] ?? 0]?.j ?? 0) < j) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const chosen: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const place = both[index];
    if (place) chosen.unshift([place.i, place.j]);
  }
  return chosen;
}
