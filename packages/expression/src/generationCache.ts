/**
 * A bounded cache with two generations: a hit in the young generation costs one lookup, and when it holds
 * half of the capacity the old generation is evicted at once. The hit rate is close to LRU, without
 * reordering at every hit.
 */
export class GenerationCache<K, V> {
  private readonly generationSize: number;
  private young = new Map<K, V>();
  private old = new Map<K, V>();

  constructor(capacity: number) {
    this.generationSize = Math.ceil(capacity / 2);
  }

  get(key: K): V | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young;
    const old = this.old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.young.size >= this.generationSize) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
  }
}
