import { shortType } from '@millrace/engine';

/** How much of a name may differ before another name is no longer meant. */
const maxShare = 0.34;

/** The name that was most likely meant: spelled alike, or the same class in another package. */
export function nearestType(written: string, names: readonly string[]): string | undefined {
  const wanted = shortType(written);
  const wantedClass = classOf(wanted);
  let best: { name: string; cost: number } | undefined;
  for (const name of names) {
    const isSameClass = classOf(name) === wantedClass && wantedClass.length > 6;
    const limit = best?.cost ?? maxShare;
    // Only as many letters can be alike as the shorter name has.
    const least = Math.abs(name.length - wanted.length) / Math.max(name.length, wanted.length);
    if (least * (isSameClass ? 0.5 : 1) >= limit) continue;
    const share = distance(wanted.toLowerCase(), name.toLowerCase()) / Math.max(name.length, wanted.length);
    const cost = isSameClass ? share * 0.5 : share;
    if (cost < limit) best = { name, cost };
  }
  return best?.name;
}

const classOf = (type: string): string => type.slice(type.lastIndexOf('.') + 1).toLowerCase();

/** How many letters have to be added, removed, replaced or swapped with the next one. */
function distance(a: string, b: string): number {
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
