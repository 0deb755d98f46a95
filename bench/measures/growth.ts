/** One figure over time. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

/**
 * The growth of a figure from the end of the warm-up to the end, in percent of its mean: along the best-fit
 * line, so that a single peak does not decide. A shrinking figure has growth 0. Below the `floor` a figure is
 * noise: growth is relative to at least the floor, because 1 ms that becomes 2 ms would otherwise have
 * doubled.
 */
export function growthOf(samples: readonly Sample[], floor = 0): number {
  const counted = afterWarmUp(samples);
  const [first, last] = [counted[0], counted.at(-1)];
  if (!first || !last || counted.length < 3) return 0;
  const meanAt = mean(counted.map(({ atMs }) => atMs));
  const meanValue = mean(counted.map(({ value }) => value));
  const sum = (of: (sample: Sample) => number) => counted.reduce((total, sample) => total + of(sample), 0);
  const slope =
    sum(({ atMs, value }) => (atMs - meanAt) * (value - meanValue)) / sum(({ atMs }) => (atMs - meanAt) ** 2);
  const against = Math.max(meanValue, floor);
  return against === 0 ? 0 : Math.max(0, ((slope * (last.atMs - first.atMs)) / against) * 100);
}

/** Skips the first third, in which caches fill and code is compiled. */
export const afterWarmUp = <T>(samples: readonly T[]): readonly T[] =>
  samples.slice(Math.floor(samples.length / 3));

/**
 * The growth of a heap's floor, in percent: the lowest sample of the second half after the warm-up against
 * that of the first. Only the size after a full collection counts, and at a low load those are minutes apart.
 */
export function floorGrowthOf(samples: readonly Sample[]): number {
  const counted = afterWarmUp(samples).map(({ value }) => value);
  const middle = Math.floor(counted.length / 2);
  if (middle === 0) return 0;
  const [first, second] = [Math.min(...counted.slice(0, middle)), Math.min(...counted.slice(middle))];
  return Math.max(0, (second / first - 1) * 100);
}

/** Subtracts from each sample the other sample taken at the same time. */
export const beyond = (samples: readonly Sample[], others: readonly Sample[]): Sample[] =>
  samples.map(({ atMs, value }, index) => ({
    atMs,
    value: Math.max(0, value - (others[index]?.value ?? 0)),
  }));

export function middleOf(samples: readonly Sample[]): number {
  const sorted = samples.map(({ value }) => value).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / Math.max(values.length, 1);
