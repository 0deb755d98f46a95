/**
 * The clock may be set, or the machine sleep, while a timeout runs: it is looked at again after this at the latest. Much
 * longer delays would overflow too, and fire at once.
 */
const recheckMs = 30_000;

interface Entry<T> {
  readonly at: number;
  readonly key: string;
  readonly value: T;
  /** Its position in the heap. */
  index: number;
}

/** Calls back at dates. One timeout is armed for the earliest, however many dates there are. */
export class Timers<T> {
  readonly #fire: (value: T) => void;
  readonly #clock: () => number;
  /** A binary heap, the earliest first. */
  readonly #heap: Entry<T>[] = [];
  readonly #byKey = new Map<string, Set<Entry<T>>>();
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

  add(at: number, key: string, value: T): void {
    if (this.#isClosed) return;
    const entry = { at, key, value, index: this.#heap.length };
    this.#heap.push(entry);
    this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(entry));
    this.#rise(entry.index);
    this.#arm();
  }

  /** Removes every date that was added under this key. */
  cancel(key: string): void {
    for (const entry of this.#byKey.get(key) ?? []) this.#remove(entry);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timeout);
    this.#heap.length = 0;
    this.#byKey.clear();
  }

  #arm(): void {
    const earliest = this.#heap[0]?.at;
    if (earliest === undefined || earliest >= this.#armedFor) return;
    clearTimeout(this.#timeout);
    this.#armedFor = earliest;
    const delayMs = Math.min(Math.max(earliest - this.#clock(), 0), recheckMs);
    this.#timeout = setTimeout(() => this.#fireDue(), delayMs);
  }

  #fireDue(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock();
    for (let next = this.#heap[0]; next && next.at <= now; next = this.#heap[0]) {
      this.#remove(next);
      this.#fire(next.value);
    }
    this.#arm();
  }

  #remove(entry: Entry<T>): void {
    const entries = this.#byKey.get(entry.key);
    entries?.delete(entry);
    if (entries?.size === 0) this.#byKey.delete(entry.key);
    const last = this.#heap.pop();
    if (last === undefined || last === entry) return;
    this.#heap[entry.index] = last;
    last.index = entry.index;
    this.#rise(last.index);
    this.#sink(last.index);
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
    const [first, second] = [this.#heap[a]!, this.#heap[b]!];
    this.#heap[a] = second;
    this.#heap[b] = first;
    second.index = a;
    first.index = b;
  }
}
