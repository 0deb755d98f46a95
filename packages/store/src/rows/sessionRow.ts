import type { SessionRecord, SessionToken } from '../port/session.ts';
import type { StoredSessionToken } from '../port/store.ts';
import { decodeText, encodeText } from './text.ts';
import type { Row, SqlValue } from './value.ts';

export const encodeSession = ({ id, username, createdAt, endsAt }: SessionRecord): SqlValue[] => [
  id,
  encodeText(username),
  createdAt,
  endsAt,
];

export const encodeSessionToken = (sessionId: string, token: SessionToken): SqlValue[] => [
  token.hash,
  sessionId,
  token.kind,
  token.expiresAt,
];

export const decodeSessionToken = (row: Row): StoredSessionToken => ({
  hash: String(row.hash),
  // `as`: only tokens of these kinds are written.
  kind: String(row.kind) as SessionToken['kind'],
  expiresAt: Number(row.expires_at),
  ...(row.used_at === null ? {} : { usedAt: Number(row.used_at) }),
  session: {
    id: String(row.id),
    username: decodeText(String(row.username)),
    createdAt: Number(row.created_at),
    endsAt: Number(row.ends_at),
  },
});
