import { describe, expect, it } from 'vitest';
import type { SessionRecord, SessionToken } from '../port/session.ts';
import type { Subject } from './opened.ts';
import { noon, unique } from './records.ts';

const aSession = (wanted: Partial<SessionRecord> = {}): SessionRecord => ({
  id: unique('s'),
  username: unique('user'),
  createdAt: noon,
  endsAt: noon + 1_000,
  ...wanted,
});
const aToken = (kind: SessionToken['kind'], expiresAt = noon + 1_000): SessionToken => ({
  hash: unique('hash'),
  kind,
  expiresAt,
});

export function sessionTests(subject: Subject): void {
  describe('sessions', () => {
    it('finds a session by either of its tokens', async () => {
      const store = subject();
      const session = aSession({ username: 'ünï\u0000@x' });
      const [access, refresh] = [aToken('access'), aToken('refresh')];
      await store.commit([{ op: 'session.open', session, tokens: [access, refresh] }]);
      expect(await store.getSessionToken(access.hash)).toEqual({ ...access, session });
      expect(await store.getSessionToken(refresh.hash)).toEqual({ ...refresh, session });
      expect(await store.getSessionToken('nothing')).toBeUndefined();
    });

    it('remembers the first use of a refresh token and adds its successors', async () => {
      const store = subject();
      const session = aSession();
      const [old, next, other] = [aToken('refresh'), aToken('refresh'), aToken('refresh')];
      await store.commit([{ op: 'session.open', session, tokens: [old] }]);
      const renew = (usedAt: number, token: SessionToken) =>
        store.commit([
          { op: 'session.renew', sessionId: session.id, usedHash: old.hash, usedAt, tokens: [token] },
        ]);
      await renew(noon + 1, next);
      await renew(noon + 2, other);
      expect(await store.getSessionToken(old.hash)).toMatchObject({ usedAt: noon + 1 });
      expect(await store.getSessionToken(next.hash)).toEqual({ ...next, session });
      expect(await store.getSessionToken(other.hash)).toEqual({ ...other, session });
    });

    it('ends one session, all of a user, or those that expired', async () => {
      const store = subject();
      const username = unique('user');
      const open = async (session: SessionRecord) => {
        const token = aToken('access', session.endsAt);
        await store.commit([{ op: 'session.open', session, tokens: [token] }]);
        return async () => (await store.getSessionToken(token.hash)) !== undefined;
      };
      const first = aSession({ username });
      const isThere = [
        await open(first),
        await open(aSession({ username })),
        await open(aSession()),
        await open(aSession({ endsAt: 500 })),
      ];
      const there = () => Promise.all(isThere.map((look) => look()));
      await store.commit([{ op: 'session.delete', selection: { id: first.id } }]);
      expect(await there()).toEqual([false, true, true, true]);
      await store.commit([{ op: 'session.delete', selection: { username } }]);
      expect(await there()).toEqual([false, false, true, true]);
      await store.commit([{ op: 'session.delete', selection: { endedBefore: 501 } }]);
      expect(await there()).toEqual([false, false, true, false]);
    });

    it('does not bring a session back that ends while it is renewed', async () => {
      const store = subject();
      const session = aSession();
      const [old, next] = [aToken('refresh'), aToken('refresh')];
      await store.commit([{ op: 'session.open', session, tokens: [old] }]);
      await Promise.all([
        store.commit([{ op: 'session.delete', selection: { id: session.id } }]),
        store.commit([
          {
            op: 'session.renew',
            sessionId: session.id,
            usedHash: old.hash,
            usedAt: noon,
            tokens: [next],
          },
        ]),
      ]);
      expect(await store.getSessionToken(next.hash)).toBeUndefined();
    });
  });
}
