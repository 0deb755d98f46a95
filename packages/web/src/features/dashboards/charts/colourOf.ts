import { logLevels, stateTypes } from '@millrace/contract';

const families = ['sky', 'green', 'amber', 'violet', 'cyan', 'brown', 'slate', 'red', 'iron'];

/** The custom property of a value's colour: states and levels have theirs, other words always get the same one. */
export function colourOf(value: string): string {
  if (stateTypes.some((state) => state === value)) return `--mr-chart-${value.toLowerCase()}`;
  if (logLevels.some((level) => level === value)) return `--mr-chart-${value.toLowerCase()}`;
  let hash = 0;
  for (const letter of value) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return `--mr-${families[hash % families.length]}-solid`;
}
