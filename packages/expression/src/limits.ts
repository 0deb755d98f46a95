/** Upper bounds of one evaluation. They count work instead of reading a clock, so that rendering stays pure. */
export interface Limits {
  /** Characters of template source. */
  readonly maxSource: number;
  /** Characters of output, and of any single text built on the way. */
  readonly maxText: number;
  /** Items of any single list or map built on the way. */
  readonly maxItems: number;
  /** Units of work: loop rounds, calls, values visited, characters matched (scaled). */
  readonly maxSteps: number;
  /** Nesting of values when they are printed, compared or copied. */
  readonly maxDepth: number;
  /** Nesting of render(), macros and blocks. */
  readonly maxCalls: number;
  /** Calls of the host (secrets, files, HTTP …) in one rendering. */
  readonly maxHostCalls: number;
  /** Passes of recursive rendering before it is considered endless. */
  readonly maxPasses: number;
}

export const defaultLimits: Limits = {
  maxSource: 1_000_000,
  maxText: 10_000_000,
  maxItems: 1_000_000,
  maxSteps: 5_000_000,
  maxDepth: 500,
  maxCalls: 64,
  maxHostCalls: 2_000,
  maxPasses: 100,
};
