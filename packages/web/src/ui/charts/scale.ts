/** The end of a scale that holds a value and can be halved to a number that reads well. */
export function scaleTop(highest: number): number {
  // Half of one is no count.
  if (highest <= 0 || highest === 1) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= highest) ?? 10;
  return step * power;
}

/** A few places, the first and the last among them, evenly spread over so many. */
export function spread(count: number, wanted: number): number[] {
  if (count <= wanted) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: wanted }, (_, index) => Math.round(((count - 1) * index) / (wanted - 1)));
}
