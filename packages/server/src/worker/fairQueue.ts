/**
 * First in, first out within a group, round robin between groups: an execution with ten thousand waiting
 * tasks does not delay the others.
 */
export class FairQueue<T> {
  /** The groups in round-robin order. */
  readonly #groups = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(group: string, item: T): void {
    const items = this.#groups.get(group);
    if (items) items.push(item);
    else this.#groups.set(group, [item]);
    this.#size++;
  }

  take(): T | undefined {
    for (const [group, items] of this.#groups) {
      const item = items.shift();
      this.#groups.delete(group);
      if (items.length > 0) this.#groups.set(group, items);
      if (item === undefined) continue;
      this.#size--;
      return item;
    }
    return undefined;
  }

  some(matches: (item: T) => boolean): boolean {
    for (const items of this.#groups.values()) if (items.some(matches)) return true;
    return false;
  }

  /** Removes matching items that have not been taken yet. */
  remove(group: string, matches: (item: T) => boolean): T[] {
    const items = this.#groups.get(group) ?? [];
    const removed = items.filter(matches);
    const kept = items.filter((item) => !matches(item));
    if (kept.length > 0) this.#groups.set(group, kept);
    else this.#groups.delete(group);
    this.#size -= removed.length;
    return removed;
  }
}
