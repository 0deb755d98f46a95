import { AppError } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { isReachableByOthers } from '../config/reach.ts';
import type { Config } from '../config/schema.ts';
import type { ProcessLog } from '../processLog.ts';
import { Attempts, addressKey, keyLimits, passwordLimits } from './attempts.ts';
import { Credentials, isSame, type Pair } from './credentials.ts';
import { type OpenSession, Sessions } from './sessions.ts';
import { dropSetupToken, readSetupToken } from './setupToken.ts';

interface Parts {
  readonly store: Store;
  readonly config: Config;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly newId: () => string;
}

/** Who may come in. */
export class Auth {
  readonly credentials: Credentials;
  readonly sessions: Sessions;
  readonly #passwords: Attempts;
  readonly #keys: Attempts;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const { store, config, clock, newId } = parts;
    this.#parts = parts;
    this.credentials = new Credentials(store, config.auth, clock);
    this.sessions = new Sessions(store, clock, newId);
    this.#passwords = new Attempts(passwordLimits, clock);
    this.#keys = new Attempts(keyLimits, clock);
  }

  /** Reads what is stored; says how the first password is set when strangers could come first. */
  async open(): Promise<void> {
    await this.credentials.open();
    if ((await this.credentials.areNeeded()) || !isReachableByOthers(this.#parts.config)) return;
    const token = await readSetupToken(this.#parts.store);
    this.#parts.log.warn(
      `Nobody has to sign in here. Whoever sets the first password needs this setup token: ${token}`,
    );
  }

  /** Whether a user name and password are right. Guesses are charged to the address they come from. */
  async checkPassword(pair: Pair, address: string): Promise<boolean> {
    if (this.credentials.knows(pair)) return this.credentials.check(pair);
    const key = addressKey(address);
    this.#passwords.charge(key);
    const isRight = await this.credentials.check(pair);
    if (isRight) this.#passwords.succeed(key);
    else this.#parts.log.warn('Somebody gave a wrong user name or password.', { address });
    return isRight;
  }

  /** The session of an access token. Unknown tokens count against the address; good ones always pass. */
  async findSession(secret: string, address: string) {
    const found = await this.sessions.find(secret);
    if (found?.session.username === this.credentials.username) return found;
    this.#keys.charge(`session ${addressKey(address)}`);
    return undefined;
  }

  async renewSession(secret: string, address: string): Promise<OpenSession | undefined> {
    const renewed = await this.sessions.renew(secret);
    if (renewed?.session.username === this.credentials.username) return renewed;
    this.#keys.charge(`session ${addressKey(address)}`);
    return undefined;
  }

  /** Runs what a key opens, such as the one in the path of a webhook; `isWrongKey` says which failures are guesses. */
  async withKey<T>(
    { subject, address }: { subject: string; address: string },
    work: () => Promise<T>,
    isWrongKey: (error: unknown) => boolean,
  ): Promise<T> {
    const key = `${subject} ${addressKey(address)}`;
    this.#keys.check(key);
    try {
      return await work();
    } catch (error) {
      if (isWrongKey(error)) this.#keys.fail(key);
      throw error;
    }
  }

  /** Sets the password. The first one of a server that others can reach needs the token from its log. */
  async savePassword(
    pair: Pair,
    { setupToken, address }: { setupToken: string | undefined; address: string },
  ): Promise<void> {
    const { store, config, log } = this.#parts;
    const isFirst = !(await this.credentials.areNeeded());
    if (isFirst && isReachableByOthers(config)) {
      const key = `setup ${addressKey(address)}`;
      this.#passwords.charge(key);
      if (!isSame(setupToken ?? '', await readSetupToken(store))) {
        throw new AppError('unauthorized', 'the setup token from the log of the server is needed');
      }
      this.#passwords.succeed(key);
    }
    await this.credentials.save(pair);
    if (isFirst) await dropSetupToken(store);
    log.info('The user name and password were set.', { address });
  }
}
