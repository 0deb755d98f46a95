import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { z } from 'zod';
import type { Config } from '../config/schema.ts';
import { defaultPasswordCost, HashedPassword, hashPassword, verifyPassword } from './password.ts';

export interface Pair {
  readonly username: string;
  readonly password: string;
}

const Stored = z.object({ username: z.string(), password: HashedPassword, savedAt: z.number() });
type Stored = z.infer<typeof Stored>;

const settingKey = 'auth.credentials';
const configuredKey = 'auth.configured';
/** Another server may have saved credentials; this one follows within a second. */
const rereadAfterMs = 1_000;
/** Deriving a key takes memory and a core on purpose; more at once would let strangers take the machine. */
const maxChecks = 2;
const maxWaiting = 50;
const maxRemembered = 500;

/** The user name and password that requests need: from the configuration, or saved at run time. */
export class Credentials {
  readonly #store: Store;
  readonly #configured: Config['auth'];
  readonly #clock: () => number;
  readonly #cost: number;
  readonly #memoryKey = randomBytes(32);
  /** Pairs that were found right, so that a client that sends its password each time does not pay each time. */
  readonly #right = new Map<string, Promise<boolean>>();
  readonly #waiting: (() => void)[] = [];
  #checks = 0;
  #stored: Stored | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, configured: Config['auth'], clock: () => number, cost = defaultPasswordCost) {
    this.#store = store;
    this.#configured = configured;
    this.#clock = clock;
    this.#cost = cost;
  }

  /** Ends all sessions when the configured credentials have changed since the last start. */
  async open(): Promise<void> {
    await this.#read();
    if (!this.#configured) return;
    const { username, password } = this.#configured;
    const last = Stored.safeParse(await this.#store.getSetting(configuredKey)).data;
    if (last && last.username === username && (await verifyPassword(password, last.password))) return;
    const value: Stored = {
      username,
      password: await hashPassword(password, this.#cost),
      savedAt: this.#clock(),
    };
    await this.#store.commit([
      { op: 'setting.put', key: configuredKey, value },
      { op: 'session.delete', selection: { username } },
    ]);
  }

  get realm(): string {
    return this.#configured?.realm ?? 'Millrace';
  }

  get areConfigured(): boolean {
    return this.#configured !== undefined;
  }

  /** Whether requests need credentials; synchronous unless the cached value has expired. */
  areNeeded(): boolean | Promise<boolean> {
    if (this.#configured) return true;
    if (this.#clock() - this.#readAt < rereadAfterMs) return this.#stored !== undefined;
    return this.#read().then(() => this.#stored !== undefined);
  }

  /** The one user there is. */
  get username(): string | undefined {
    return this.#configured?.username ?? this.#stored?.username;
  }

  /** Takes the same time whether the user name or the password is wrong. */
  check(pair: Pair): Promise<boolean> {
    const key = this.#keyOf(pair);
    const known = this.#right.get(key);
    if (known) return known;
    const checking = this.#compare(pair);
    this.#right.set(key, checking);
    const evict = () => this.#right.delete(key);
    checking.then((isRight) => {
      if (!isRight) evict();
    }, evict);
    if (this.#right.size > maxRemembered) this.#right.delete([...this.#right.keys()][0] ?? '');
    return checking;
  }

  /** Whether a pair was found right before: such a request needs no attempt. */
  knows(pair: Pair): boolean {
    return this.#right.has(this.#keyOf(pair));
  }

  /** Passwords are not kept, not even in memory. */
  #keyOf({ username, password }: Pair): string {
    return createHmac('sha256', this.#memoryKey)
      .update(JSON.stringify([username, password]))
      .digest('base64');
  }

  async save({ username, password }: Pair): Promise<void> {
    if (this.#configured) {
      throw new AppError('illegal-state', 'the user name and password come from the configuration');
    }
    const former = this.#stored?.username;
    const stored: Stored = {
      username,
      password: await hashPassword(password, this.#cost),
      savedAt: this.#clock(),
    };
    await this.#store.commit([
      { op: 'setting.put', key: settingKey, value: stored },
      ...[...new Set([username, former])].flatMap((name) =>
        name === undefined ? [] : [{ op: 'session.delete', selection: { username: name } } as const],
      ),
    ]);
    this.#use(stored);
  }

  async #read(): Promise<void> {
    const stored = Stored.safeParse(await this.#store.getSetting(settingKey)).data;
    this.#use(stored);
  }

  #use(stored: Stored | undefined): void {
    if (stored?.password.hash !== this.#stored?.password.hash) this.#right.clear();
    this.#stored = stored;
    this.#readAt = this.#clock();
  }

  async #compare({ username, password }: Pair): Promise<boolean> {
    if (this.#configured) {
      const isUser = isSame(username, this.#configured.username);
      const isPassword = isSame(password, this.#configured.password);
      return isUser && isPassword;
    }
    const stored = this.#stored;
    if (!stored) return false;
    await this.#enter();
    try {
      const isPassword = await verifyPassword(password, stored.password);
      return isSame(username, stored.username) && isPassword;
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#checks < maxChecks) {
      this.#checks++;
      return;
    }
    if (this.#waiting.length >= maxWaiting) {
      throw new AppError('too-many-requests', 'too many people sign in at the same time');
    }
    // A check that ends hands its slot to the next one.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#checks--;
  }
}

/** In a time that does not depend on where two texts differ. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
