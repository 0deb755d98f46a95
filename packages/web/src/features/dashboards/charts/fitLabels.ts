/** Pixels of a letter on an axis, on average; of the scales beside the bars; and of the shortest label worth reading. */
const letter = 6.6;
const beside = 64;
const shortest = 68;
const slanted = 110;

/** How the names under bars fit a width: whole, cut, or slanted. The tooltip has them whole. */
export function fitLabels(labels: readonly string[], width: number): Record<string, unknown> {
  const each = (width - beside) / Math.max(1, labels.length);
  const longest = Math.max(0, ...labels.map((label) => label.length)) * letter;
  if (longest <= each - 8) return { interval: 0, rotate: 0 };
  if (each >= shortest) return { interval: 0, rotate: 0, formatter: cutTo(each - 8) };
  return { interval: each < 14 ? 'auto' : 0, rotate: 38, formatter: cutTo(slanted) };
}

/** What tells names with dots apart is their end; of other words people read the beginning. */
const cutTo = (width: number) => {
  const letters = Math.max(2, Math.floor(width / letter));
  return (label: string): string =>
    label.length <= letters
      ? label
      : label.includes('.')
        ? `…${label.slice(1 - letters)}`
        : `${label.slice(0, letters - 1)}…`;
};
