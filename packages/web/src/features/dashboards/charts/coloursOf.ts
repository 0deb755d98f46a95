import { logLevels, stateTypes } from '@millrace/contract';

const families = ['sky', 'green', 'amber', 'violet', 'cyan', 'brown', 'slate', 'red', 'iron'];

/**
 * The custom property of each value's colour: states and levels have theirs. Another word gets the same one in every
 * chart, unless a word of this chart has it already.
 */
export function coloursOf(values: readonly string[]): ReadonlyMap<string, string> {
  const free = new Set(families);
  return new Map(
    [...new Set(values)].map((value) => {
      if (hasOwn(value)) return [value, `--mr-chart-${value.toLowerCase()}`];
      if (free.size === 0) for (const family of families) free.add(family);
      const from = hashOf(value) % families.length;
      const inTurn = [...families.slice(from), ...families.slice(0, from)];
      const family = inTurn.find((one) => free.has(one)) ?? 'slate';
      free.delete(family);
      return [value, `--mr-${family}-solid`];
    }),
  );
}

const hasOwn = (value: string): boolean =>
  stateTypes.some((state) => state === value) || logLevels.some((level) => level === value);

function hashOf(value: string): number {
  let hash = 0;
  for (const letter of value) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
