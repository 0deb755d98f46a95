/** How much of a name may differ before another name is no longer meant. */
const maxShare = 0.4;

/** The name that was most likely meant; undefined when none is similar. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  let best: { name: string; cost: number } | undefined;
  const wanted = written.toLowerCase();
  for (const name of names) {
    const length = Math.max(name.length, wanted.length);
    const limit = best?.cost ?? maxShare + Number.EPSILON;
    // The distance is at least the difference of the lengths.
    if (Math.abs(name.length - wanted.length) / length >= limit) continue;
    const cost = editDistance(wanted, name.toLowerCase()) / length;
    if (cost < limit) best = { name, cost };
  }
  return best?.name;
}

/** The edit distance: characters to add, remove, replace or swap with the next one. */
export function editDistance(a: string, b: string): number {
  let [before, current] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      next[column] = Math.min(
        (current[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (current[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, current] = [current, next];
  }
  return current[b.length] ?? 0;
}
