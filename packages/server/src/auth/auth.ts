import { createHash } from 'node:crypto';
import { AppError } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { isReachableByOthers } from '../config/publicAddress.ts';
import type { Config } from '../config/schema.ts';
import type { ProcessLog } from '../processLog.ts';
import { ApiTokens } from './apiTokens.ts';
import { Credentials, isSame, type Pair } from './credentials.ts';
import { KnownAddresses } from './knownAddresses.ts';
import {
  addressKey,
  keyLimits,
  LoginThrottle,
  passwordLimits,
  TooManyAttempts,
  targetLimits,
} from './loginThrottle.ts';
import { type OpenSession, Sessions } from './sessions.ts';
import { dropSetupToken, readSetupToken } from './setupToken.ts';

interface Parts {
  readonly store: Store;
  readonly config: Config;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly passwordCost?: number | undefined;
}

/** Where a request comes from. */
export interface Client {
  readonly address: string;
  /** The request came through an untrusted proxy, so its address is shared by all clients of the proxy. */
  readonly isProxied: boolean;
}

/** The user of an accepted call, and the id of the API token that it came with. */
interface Caller {
  readonly username?: string | undefined;
  readonly tokenId?: string | undefined;
}

interface KeyUse {
  /** The object that the key belongs to. */
  readonly subject: string;
  readonly key: string;
  readonly client: Client;
}

/** A random key of this length cannot be guessed. */
const unguessableLength = 16;

/** Authentication: credentials, sessions, API tokens and keys. */
export class Auth {
  readonly credentials: Credentials;
  readonly sessions: Sessions;
  readonly tokens: ApiTokens;
  readonly #passwords: LoginThrottle;
  readonly #keys: LoginThrottle;
  readonly #targets: LoginThrottle;
  readonly #proofs = new KnownAddresses();
  /** Keys that are being compared now. */
  readonly #judged = new Set<string>();
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const { store, config, clock, newId, passwordCost } = parts;
    this.#parts = parts;
    this.credentials = new Credentials(store, config.auth, clock, passwordCost);
    this.sessions = new Sessions(store, clock, newId);
    this.tokens = new ApiTokens(store, clock, newId);
    this.#passwords = new LoginThrottle(passwordLimits, clock);
    this.#keys = new LoginThrottle(keyLimits, clock);
    this.#targets = new LoginThrottle(targetLimits, clock);
  }

  /** Reads the stored credentials; logs how to set the first password when the server is public. */
  async open(): Promise<void> {
    await this.credentials.open();
    if ((await this.credentials.areNeeded()) || !isReachableByOthers(this.#parts.config)) return;
    const token = await readSetupToken(this.#parts.store);
    this.#parts.log.warn(
      `Authentication is off. Setting the first password requires this setup token: ${token}`,
    );
  }

  /**
   * Whether a user name and password are right. A guess is counted before it is checked, for its address and
   * for the account. A throttled address is refused. While the account is throttled, only addresses without
   * failures are checked: their right password passes, so that guesses from elsewhere cannot lock the owner
   * out.
   */
  checkPassword(pair: Pair, client: Client): Promise<boolean> {
    return this.#judgePair(pair, client, this.credentials);
  }

  /** The same for a pair that the configuration names, such as the one of the management port. */
  checkPair(pair: Pair, expected: Pair, client: Client): Promise<boolean> {
    const isRight = isSame(JSON.stringify(pair), JSON.stringify(expected));
    return this.#judgePair(pair, client, { knows: () => isRight, check: async () => isRight });
  }

  async #judgePair(
    pair: Pair,
    client: Client,
    credentials: Pick<Credentials, 'knows' | 'check'>,
  ): Promise<boolean> {
    const address = addressKey(client.address);
    const account = `account ${bucketOf(pair.username)}`;
    const proof = this.#proofs.of('password', pair.username, pair.password, address);
    const isProven = this.#proofs.has(proof);
    const accountWait = isProven ? 0 : this.#targets.waitMs(account);
    const isHeld = this.#passwords.waitMs(address) > 0 || accountWait > 0;
    // The same pair in several requests at once is one guess.
    if (credentials.knows(pair) && (isProven || !isHeld)) {
      const isRight = await credentials.check(pair);
      if (isRight && !isProven && !client.isProxied) this.#proofs.add(proof);
      return isRight;
    }
    if (accountWait > 0 && this.#passwords.hasFailures(address)) throw new TooManyAttempts(accountWait);
    this.#passwords.charge(address);
    const isCharged = accountWait === 0 && !isProven;
    if (isCharged) this.#targets.fail(account);
    const isRight = await credentials.check(pair);
    if (isRight) {
      this.#passwords.succeed(address);
      if (isCharged) this.#targets.takeBack(account);
      if (!client.isProxied) this.#proofs.add(proof);
      return true;
    }
    this.#parts.log.warn('A user name or password was wrong.', { address: client.address });
    if (accountWait > 0) throw new TooManyAttempts(accountWait);
    return false;
  }

  /** The session of an access token. Unknown tokens count against the address; good ones always pass. */
  async findSession(secret: string, { address }: Client) {
    const found = await this.sessions.find(secret);
    if (found?.session.username === this.credentials.username) return found;
    this.#keys.charge(`session ${addressKey(address)}`);
    return undefined;
  }

  /** The owner of an API token. Unknown and expired tokens count against the address; good ones always pass. */
  async findToken(token: string, { address }: Client) {
    const found = await this.tokens.find(token);
    if (found?.username === this.credentials.username) return found;
    this.#keys.charge(`token ${addressKey(address)}`);
    return undefined;
  }

  /**
   * The reason why a caller whose call was accepted before may not continue it now; undefined when the caller may. A call
   * from a time without authentication continues.
   */
  async refusalOf({ username, tokenId }: Caller): Promise<string | undefined> {
    if (username === undefined || !(await this.credentials.areNeeded())) return undefined;
    if (username !== this.credentials.username) return `the user "${username}" no longer exists`;
    if (tokenId === undefined || (await this.tokens.isValid(tokenId, username))) return undefined;
    return `an API token of the user "${username}" was revoked or has expired`;
  }

  async renewSession(secret: string, { address }: Client): Promise<OpenSession | undefined> {
    const renewed = await this.sessions.renew(secret);
    if (renewed?.session.username === this.credentials.username) return renewed;
    this.#keys.charge(`session ${addressKey(address)}`);
    return undefined;
  }

  /**
   * Finds the object of a key, such as the one in the path of a webhook; undefined when the key is wrong. A
   * guess is counted before it is checked, for its address and for the subject. The right key passes despite
   * guesses from the same address when it is too long to be guessed, or came from this address before.
   */
  async openWithKey<T>({ subject, key, client }: KeyUse, find: () => Promise<T | undefined>) {
    const address = `key ${addressKey(client.address)}`;
    const target = `key ${bucketOf(subject)}`;
    const proof = this.#proofs.of('key', subject, key, address);
    const isProven = this.#proofs.has(proof);
    const wait = isProven ? 0 : Math.max(this.#keys.waitMs(address), this.#targets.waitMs(target));
    // The same key in several requests at once is one guess.
    const isCharged = !isProven && wait === 0 && !this.#judged.has(proof);
    if (isCharged) {
      this.#judged.add(proof);
      this.#keys.fail(address);
      this.#targets.fail(target);
    }
    try {
      const found = await find();
      const isGuess = found === undefined || (!isProven && key.length < unguessableLength);
      if (wait > 0 && isGuess) throw new TooManyAttempts(wait);
      if (found === undefined) return undefined;
      if (isCharged) {
        this.#keys.takeBack(address);
        this.#targets.takeBack(target);
      }
      if (!client.isProxied) this.#proofs.add(proof);
      return found;
    } finally {
      if (isCharged) this.#judged.delete(proof);
    }
  }

  /** Sets the password. The first one of a server that others can reach needs the token from its log. */
  async savePassword(
    pair: Pair,
    { setupToken, client }: { setupToken: string | undefined; client: Client },
  ): Promise<void> {
    const { store, config, log } = this.#parts;
    const isFirst = !(await this.credentials.areNeeded());
    if (isFirst && isReachableByOthers(config)) {
      // The token is too long to be guessed: the right one passes although others guess from the same address.
      if (!isSame(setupToken ?? '', await readSetupToken(store))) {
        this.#passwords.charge(`setup ${addressKey(client.address)}`);
        throw new AppError('unauthorized', 'the setup token from the log of the server is needed');
      }
    }
    await this.credentials.save(pair);
    if (isFirst) await dropSetupToken(store);
    log.info('The user name and password were set.', { address: client.address });
  }
}

/** Accounts and subjects share a fixed number of counters, so that inventing names cannot push one out. */
const bucketOf = (name: string): number => createHash('sha256').update(name).digest().readUInt16BE();
