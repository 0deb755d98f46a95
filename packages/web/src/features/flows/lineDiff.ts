export interface DiffLine {
  kind: 'same' | 'removed' | 'added';
  text: string;
  /** Line numbers on either side, from 1. */
  left?: number;
  right?: number;
}

/** The shortest way from one text to the other, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const kept = longestCommonTail(a, b);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '', left: ++i, right: ++j });
    } else if (j >= b.length || (i < a.length && at(kept, i + 1, j) >= at(kept, i, j + 1))) {
      lines.push({ kind: 'removed', text: a[i] ?? '', left: ++i });
    } else {
      lines.push({ kind: 'added', text: b[j] ?? '', right: ++j });
    }
  }
  return lines;
}

const at = (table: Uint32Array[], i: number, j: number): number => table[i]?.[j] ?? 0;

/** `table[i][j]`: how many lines `a` from i and `b` from j have in common, in order. */
function longestCommonTail(a: readonly string[], b: readonly string[]): Uint32Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row)
        row[j] =
          a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  return table;
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
