/** Items that two lists have in common, one after the other. */
export interface Run {
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
