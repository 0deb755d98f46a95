/** Adjacent spans of time. */
export class Spans {
  readonly starts: readonly number[];
  readonly end: number;

  constructor(starts: readonly number[], end: number) {
    this.starts = starts;
    this.end = end;
  }

  get count(): number {
    return this.starts.length;
  }

  endOf(index: number): number {
    return this.starts[index + 1] ?? this.end;
  }

  widthOf(index: number): number {
    return this.endOf(index) - (this.starts[index] ?? 0);
  }

  /** Counts one more in the span of an instant. */
  add(counts: number[], at: number): void {
    if (at >= this.end || at < (this.starts[0] ?? this.end)) return;
    let [low, high] = [0, this.count - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    counts[low] = (counts[low] ?? 0) + 1;
  }

  /** How many milliseconds of each span lie after an instant. */
  overlaps(after: number): (readonly [number, number])[] {
    return this.starts.flatMap((start, index) => {
      const ms = this.endOf(index) - Math.max(start, after);
      return ms > 0 ? [[index, ms] as const] : [];
    });
  }
}
