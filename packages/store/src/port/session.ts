/** A user's session. It ends at `endsAt`, however often it is renewed. */
export interface SessionRecord {
  readonly id: string;
  readonly username: string;
  readonly createdAt: number;
  readonly endsAt: number;
}

/**
 * The hash of a browser's token. An `access` token grants access to the API; a `refresh` token renews the
 * session once.
 */
export interface SessionToken {
  readonly hash: string;
  readonly kind: 'access' | 'refresh';
  readonly expiresAt: number;
}

export type SessionSelection =
  | { readonly id: string }
  | { readonly username: string }
  /** Sessions that have ended, and tokens that have expired, before this moment. */
  | { readonly endedBefore: number };

export type SessionOp =
  | { op: 'session.open'; session: SessionRecord; tokens: readonly SessionToken[] }
  /** Marks the refresh token as used and adds its successors; only the time of its first use is stored. */
  | {
      op: 'session.renew';
      sessionId: string;
      usedHash: string;
      usedAt: number;
      tokens: readonly SessionToken[];
    }
  | { op: 'session.delete'; selection: SessionSelection };
