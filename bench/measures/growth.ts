/** One figure over time. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

/**
 * How much a figure grows from the end of the warm-up to the end, in percent of its middle: along the line that fits the
 * samples best, so that a single peak does not decide. What shrinks grows by 0.
 */
export function growthOf(samples: readonly Sample[]): number {
  const counted = afterWarmUp(samples);
  const [first, last] = [counted[0], counted.at(-1)];
  if (!first || !last || counted.length < 3) return 0;
  const meanAt = mean(counted.map(({ atMs }) => atMs));
  const meanValue = mean(counted.map(({ value }) => value));
  const sum = (of: (sample: Sample) => number) => counted.reduce((total, sample) => total + of(sample), 0);
  const slope =
    sum(({ atMs, value }) => (atMs - meanAt) * (value - meanValue)) / sum(({ atMs }) => (atMs - meanAt) ** 2);
  return meanValue === 0 ? 0 : Math.max(0, ((slope * (last.atMs - first.atMs)) / meanValue) * 100);
}

/** The first third is for caches to fill and code to get hot. */
export const afterWarmUp = <T>(samples: readonly T[]): readonly T[] =>
  samples.slice(Math.floor(samples.length / 3));

/** The lowest of each few samples in a row: of a heap that is what a collection leaves. */
export function lowest(samples: readonly Sample[], inARow: number): Sample[] {
  const low: Sample[] = [];
  for (let start = 0; start + inARow <= samples.length; start += inARow) {
    const few = samples.slice(start, start + inARow);
    low.push(few.reduce((least, sample) => (sample.value < least.value ? sample : least)));
  }
  return low;
}

export function middleOf(samples: readonly Sample[]): number {
  const sorted = samples.map(({ value }) => value).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / Math.max(values.length, 1);
