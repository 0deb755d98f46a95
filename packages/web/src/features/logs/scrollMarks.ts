/** Groups places in a list into at most `slots` marks on its scrollbar, each from 0 to 1. */
export function placeMarks(indexes: readonly number[], total: number, slots: number): number[] {
  if (total === 0) return [];
  const marks: number[] = [];
  let last = -1;
  for (const index of indexes) {
    const slot = Math.floor((index / total) * slots);
    if (slot === last) continue;
    last = slot;
    marks.push(slot / slots);
  }
  return marks;
}
