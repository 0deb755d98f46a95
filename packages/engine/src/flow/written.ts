/**
 * Positions in the text of the entries of a list from which unreadable ones were left out. Findings about the
 * others must still point at the right line.
 */
const indexes = new WeakMap<object, number>();

/** Keeps the readable entries and records the original position of each entry that moved. */
export function keepRead<T extends object>(entries: readonly (T | undefined)[]): T[] {
  const kept: T[] = [];
  entries.forEach((entry, index) => {
    if (entry === undefined) return;
    if (kept.length !== index) indexes.set(entry, index);
    kept.push(entry);
  });
  return kept;
}

export const writtenIndex = (entry: unknown, index: number): number =>
  typeof entry === 'object' && entry !== null ? (indexes.get(entry) ?? index) : index;
