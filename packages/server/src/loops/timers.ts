/**
 * The clock may be set, or the machine sleep, while a timeout runs: it is looked at again after this at the latest. Much
 * longer delays would overflow too, and fire at once.
 */
const lookAgainMs = 30_000;

/** Calls back at dates. One timeout is armed for the earliest, however many dates there are. */
export class Timers<T> {
  readonly #fire: (value: T) => void;
  readonly #clock: () => number;
  /** A binary heap, the earliest first. */
  readonly #heap: { at: number; value: T }[] = [];
  #timeout: NodeJS.Timeout | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #isClosed = false;

  constructor(clock: () => number, fire: (value: T) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  get size(): number {
    return this.#heap.length;
  }

  add(at: number, value: T): void {
    if (this.#isClosed) return;
    this.#heap.push({ at, value });
    this.#rise(this.#heap.length - 1);
    this.#arm();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timeout);
    this.#heap.length = 0;
  }

  #arm(): void {
    const earliest = this.#heap[0]?.at;
    if (earliest === undefined || earliest >= this.#armedFor) return;
    clearTimeout(this.#timeout);
    this.#armedFor = earliest;
    const delayMs = Math.min(Math.max(earliest - this.#clock(), 0), lookAgainMs);
    this.#timeout = setTimeout(() => this.#fireDue(), delayMs);
  }

  #fireDue(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock();
    for (let next = this.#heap[0]; next && next.at <= now; next = this.#heap[0]) {
      this.#removeFirst();
      this.#fire(next.value);
    }
    this.#arm();
  }

  #removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink(0);
  }

  #rise(start: number): void {
    for (let i = start; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (this.#at(parent) <= this.#at(i)) return;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #sink(start: number): void {
    for (let i = start; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2];
      let least = i;
      if (this.#at(left) < this.#at(least)) least = left;
      if (this.#at(right) < this.#at(least)) least = right;
      if (least === i) return;
      this.#swap(i, least);
      i = least;
    }
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    // Both indexes were checked by `#at`.
    [this.#heap[a], this.#heap[b]] = [this.#heap[b]!, this.#heap[a]!];
  }
}
