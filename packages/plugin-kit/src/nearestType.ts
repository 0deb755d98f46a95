import { editDistance, shortType } from '@millrace/engine';

/** How much of a name may differ before another name is no longer meant. */
const maxShare = 0.34;

/** The most likely intended name: similar spelling, or the same class in another package. */
export function nearestType(written: string, names: readonly string[]): string | undefined {
  const wanted = shortType(written);
  const wantedClass = classOf(wanted);
  let best: { name: string; cost: number } | undefined;
  for (const name of names) {
    const isSameClass = classOf(name) === wantedClass && wantedClass.length > 6;
    const limit = best?.cost ?? maxShare;
    // The distance is at least the difference of the lengths.
    const least = Math.abs(name.length - wanted.length) / Math.max(name.length, wanted.length);
    if (least * (isSameClass ? 0.5 : 1) >= limit) continue;
    const share =
      editDistance(wanted.toLowerCase(), name.toLowerCase()) / Math.max(name.length, wanted.length);
    const cost = isSameClass ? share * 0.5 : share;
    if (cost < limit) best = { name, cost };
  }
  return best?.name;
}

const classOf = (type: string): string => type.slice(type.lastIndexOf('.') + 1).toLowerCase();
