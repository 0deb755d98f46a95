import { isIPv6 } from 'node:net';
import { AppError } from '@millrace/contract';

/** Too many failed attempts; the caller may try again after a while. */
export class TooManyAttempts extends AppError {
  readonly retryAfterSeconds: number;

  constructor(waitMs: number) {
    const seconds = Math.ceil(waitMs / 1_000);
    super('too-many-requests', `too many failed attempts, try again in ${seconds} s`);
    this.retryAfterSeconds = seconds;
  }
}

interface Record {
  readonly failures: number;
  readonly heldUntil: number;
}

export interface ThrottleLimits {
  /** Failures in a row before the first wait. */
  readonly free: number;
  /** The first wait; each further failure doubles it. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** The maximum number of tracked keys; the least recently used is evicted first. */
  readonly maxKeys: number;
}

export const passwordLimits: ThrottleLimits = {
  free: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 300_000,
  maxKeys: 10_000,
};

/** Keys and tokens are long and random, and a browser that was signed out sends several of them at once. */
export const keyLimits: ThrottleLimits = { ...passwordLimits, free: 30 };

/**
 * Failures against one account or one webhook, from all addresses together. The delay stays short because it
 * also applies to the owner.
 */
export const targetLimits: ThrottleLimits = {
  free: 20,
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
  maxKeys: 65_536,
};

/** Throttles guesses: after a few failures each further one doubles the wait. */
export class LoginThrottle {
  readonly #limits: ThrottleLimits;
  readonly #clock: () => number;
  readonly #records = new Map<string, Record>();

  constructor(limits: ThrottleLimits, clock: () => number) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Refuses an attempt or counts it as failed before it is judged, so that a hundred guesses at the same time are a
   * hundred failures. `succeed` takes the charge back.
   */
  charge(key: string): void {
    const wait = this.waitMs(key);
    if (wait > 0) throw new TooManyAttempts(wait);
    this.fail(key);
  }

  /** How long the failures before it delay the next attempt; 0 when it may be made now. */
  waitMs(key: string): number {
    if (this.#records.size === 0) return 0;
    return Math.max(0, (this.#records.get(key)?.heldUntil ?? 0) - this.#clock());
  }

  hasFailures(key: string): boolean {
    const known = this.#records.get(key);
    return known !== undefined && known.failures > 0 && !this.#isForgiven(known, this.#clock());
  }

  fail(key: string): void {
    const now = this.#clock();
    const { free, firstWaitMs, longestWaitMs, maxKeys } = this.#limits;
    const known = this.#records.get(key);
    const failures = (known && !this.#isForgiven(known, now) ? known.failures : 0) + 1;
    const wait = failures < free ? 0 : Math.min(firstWaitMs * 2 ** (failures - free), longestWaitMs);
    // Deleted first, so that the order of the map is the order of use.
    this.#records.delete(key);
    this.#records.set(key, { failures, heldUntil: now + wait });
    if (this.#records.size > maxKeys) this.#evictOldest();
  }

  /** Clears all failures of a key. */
  succeed(key: string): void {
    this.#records.delete(key);
  }

  /** Takes one charge back and keeps the failures of others. */
  takeBack(key: string): void {
    const known = this.#records.get(key);
    if (!known) return;
    const failures = known.failures - 1;
    if (failures <= 0) this.#records.delete(key);
    else {
      const heldUntil =
        failures < this.#limits.free ? Math.min(known.heldUntil, this.#clock()) : known.heldUntil;
      this.#records.set(key, { failures, heldUntil });
    }
  }

  get size(): number {
    return this.#records.size;
  }

  #isForgiven({ heldUntil }: Record, now: number): boolean {
    return now - heldUntil > 3 * this.#limits.longestWaitMs;
  }

  #evictOldest(): void {
    const [oldest] = this.#records.keys();
    if (oldest !== undefined) this.#records.delete(oldest);
  }
}

/** The address that a guess is charged to. One machine has a whole /64 of IPv6 addresses to guess from. */
export function addressKey(address: string): string {
  if (!address.includes(':')) return address;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = (plain.split('%', 1)[0] ?? '').toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
