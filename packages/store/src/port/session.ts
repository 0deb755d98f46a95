/** Somebody is signed in until `endsAt`, however often the session is renewed. */
export interface SessionRecord {
  readonly id: string;
  readonly username: string;
  readonly createdAt: number;
  readonly endsAt: number;
}

/** What a browser holds, as a hash. An `access` token opens the API, a `refresh` token renews the session once. */
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
  /** Marks the refresh token that was presented and adds its successors; the first use is the one that is kept. */
  | {
      op: 'session.renew';
      sessionId: string;
      usedHash: string;
      usedAt: number;
      tokens: readonly SessionToken[];
    }
  | { op: 'session.delete'; selection: SessionSelection };
