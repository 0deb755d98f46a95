import { createHash, randomBytes } from 'node:crypto';
import type { SessionRecord, SessionToken, Store } from '@millrace/store';

/** How long an access token opens the API before it has to be renewed. */
export const accessMs = 15 * 60_000;
/** How long a browser may be away before its user has to sign in again. */
const idleMs = 7 * 86_400_000;
/** However often it is renewed, a session ends after this time. */
const longestMs = 30 * 86_400_000;
/**
 * Two tabs that renew at the same moment present the same token, and so does a page reloaded before the
 * response to its renewal arrived; neither is an attack.
 */
const reuseGraceMs = 30_000;
const sweepEveryMs = 3_600_000;

/** The two secrets that a browser receives. The store holds only their hashes. */
export interface OpenSession {
  readonly session: SessionRecord;
  readonly access: { readonly secret: string; readonly expiresAt: number };
  readonly refresh: { readonly secret: string; readonly expiresAt: number };
}

/** Sessions are rows, so that they outlive a restart and every server knows them. */
export class Sessions {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #newId: () => string;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(store: Store, clock: () => number, newId: () => string) {
    this.#store = store;
    this.#clock = clock;
    this.#newId = newId;
  }

  async open(username: string): Promise<OpenSession> {
    const now = this.#clock();
    const session = { id: this.#newId(), username, createdAt: now, endsAt: now + longestMs };
    const { opened, tokens } = this.#issue(session);
    await this.#store.commit([{ op: 'session.open', session, tokens }, ...this.#sweep(now)]);
    return opened;
  }

  /** The session that an access token belongs to, if both are still good. */
  async find(secret: string): Promise<{ session: SessionRecord; expiresAt: number } | undefined> {
    const token = await this.#read(secret, 'access');
    return token && { session: token.session, expiresAt: token.expiresAt };
  }

  /**
   * Exchanges a refresh token for new tokens. A token reused after the grace period may be stolen, so the
   * session ends.
   */
  async renew(secret: string): Promise<OpenSession | undefined> {
    const now = this.#clock();
    const token = await this.#read(secret, 'refresh');
    if (!token) return undefined;
    const { session } = token;
    if (token.usedAt !== undefined && now - token.usedAt > reuseGraceMs) {
      await this.close(session.id);
      return undefined;
    }
    const { opened, tokens } = this.#issue(session);
    await this.#store.commit([
      { op: 'session.renew', sessionId: session.id, usedHash: token.hash, usedAt: now, tokens },
    ]);
    // It may have been closed in between; tokens without a session are worth nothing.
    return (await this.find(opened.access.secret)) ? opened : undefined;
  }

  /** The session of either token, however old: for those who sign out. */
  async sessionOf(secret: string): Promise<SessionRecord | undefined> {
    return (await this.#store.getSessionToken(hashOf(secret)))?.session;
  }

  async close(id: string): Promise<void> {
    await this.#store.commit([{ op: 'session.delete', selection: { id } }]);
  }

  async closeAll(username: string): Promise<void> {
    await this.#store.commit([{ op: 'session.delete', selection: { username } }]);
  }

  async #read(secret: string, kind: SessionToken['kind']) {
    const now = this.#clock();
    const token = await this.#store.getSessionToken(hashOf(secret));
    const isGood = token?.kind === kind && token.expiresAt > now && token.session.endsAt > now;
    return isGood ? token : undefined;
  }

  #issue(session: SessionRecord): { opened: OpenSession; tokens: SessionToken[] } {
    const now = this.#clock();
    const make = (lifeMs: number) => ({
      secret: randomBytes(32).toString('base64url'),
      expiresAt: Math.min(now + lifeMs, session.endsAt),
    });
    const [access, refresh] = [make(accessMs), make(idleMs)];
    return {
      opened: { session, access, refresh },
      tokens: [
        { hash: hashOf(access.secret), kind: 'access', expiresAt: access.expiresAt },
        { hash: hashOf(refresh.secret), kind: 'refresh', expiresAt: refresh.expiresAt },
      ],
    };
  }

  /** Expired sessions are removed when new ones open, not by a separate loop. */
  #sweep(now: number) {
    if (now - this.#sweptAt < sweepEveryMs) return [];
    this.#sweptAt = now;
    return [{ op: 'session.delete', selection: { endedBefore: now } } as const];
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
