import { createHmac, randomBytes } from 'node:crypto';

const maxProofs = 10_000;

/** The addresses that presented the right secret, without the secret itself; kept in memory only. */
export class KnownAddresses {
  readonly #key = randomBytes(32);
  readonly #known = new Set<string>();

  of(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64');
  }

  has(proof: string): boolean {
    return this.#known.has(proof);
  }

  add(proof: string): void {
    // Deleted first, so that the order of the set is the order of use.
    this.#known.delete(proof);
    this.#known.add(proof);
    if (this.#known.size <= maxProofs) return;
    const [oldest] = this.#known;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
