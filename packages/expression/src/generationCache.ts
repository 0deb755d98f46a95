/**
 * A bounded cache in two generations: a hit among the young costs one lookup, and when the young are half of the
 * capacity the old are dropped at once. Nearly as good as least-recently-used, without reordering at every hit.
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
