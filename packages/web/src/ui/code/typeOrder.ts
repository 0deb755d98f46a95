/** What Monaco knows of an entry of the list of completions when it orders the list. Monaco publishes none of it. */
export interface RankedEntry {
  readonly textLabel: string;
  /** The score, an offset, and the places of the typed letters in the label, the last one first. */
  readonly score: readonly number[];
  readonly completion: { readonly sortText?: string };
}

/** The mark of entries that go first, at the beginning of their sort text. */
export const goesFirst = '0';

const typeName = /^\w+(\.\w+)*\.[A-Z]\w*$/;

/**
 * Orders the names of types: a negative number when the first one goes before the second one, and 0 for what Monaco
 * decides. Monaco takes a point for each letter in front of the typed word, so that `query` led to the types with the
 * shortest groups instead of the usual ones.
 */
export function compareTypes(a: RankedEntry, b: RankedEntry): number {
  if (!typeName.test(a.textLabel) || !typeName.test(b.textLabel)) return 0;
  const [left, right] = [fitOf(a), fitOf(b)];
  if (left.isWord !== right.isWord) return left.isWord ? -1 : 1;
  if (!left.isWord) return 0;
  const [first, second] = [placeOf(a), placeOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return Number(right.isWhole) - Number(left.isWhole);
}

/** Whether the typed letters stand together at the beginning of a word of the name, and are all of that word. */
function fitOf({ textLabel, score }: RankedEntry): { readonly isWord: boolean; readonly isWhole: boolean } {
  const [, offset = 0, ...places] = score;
  const [end = 0, start = 0] = [places[0], places.at(-1)].map((place) => (place ?? 0) + offset);
  const isTogether = places.length > 0 && end - start + 1 === places.length;
  const begins = start === 0 || textLabel[start - 1] === '.' || /[A-Z]/.test(textLabel[start] ?? '');
  return {
    isWord: isTogether && begins,
    isWhole: end + 1 === textLabel.length || textLabel[end + 1] === '.',
  };
}

const placeOf = ({ completion: { sortText = '' } }: RankedEntry): string =>
  sortText.startsWith(goesFirst) ? sortText : '1';
