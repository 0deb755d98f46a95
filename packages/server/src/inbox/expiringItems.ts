import type { InboxItem } from '@millrace/contract';
import type { Store } from '@millrace/store';
import type { Auth } from '../auth/auth.ts';
import { readSecretExpirations } from '../secrets/secretExpirations.ts';

export interface ExpiringParts {
  readonly store: Store;
  readonly auth: Pick<Auth, 'tokens' | 'credentials'>;
  readonly secrets: { names(): readonly string[] };
}

/** Long enough before the date to create a new token or secret, also over a holiday. */
const noticeMs = 14 * 86_400_000;

/** API tokens and secrets that have expired or expire soon. They belong to no namespace. */
export async function findExpiring(now: number, parts: ExpiringParts): Promise<InboxItem[]> {
  const { store, auth, secrets } = parts;
  const { username } = auth.credentials;
  const [tokens, dates] = await Promise.all([
    username === undefined ? [] : auth.tokens.list(username),
    readSecretExpirations(store),
  ]);
  const isSoon = (expiresAt: number) => expiresAt - noticeMs <= now;
  // The second date brings an acknowledged item back.
  const since = (expiresAt: number) => iso(expiresAt <= now ? expiresAt : expiresAt - noticeMs);
  return [
    ...tokens.flatMap(({ id, name, expiresAt }): InboxItem[] => {
      const at = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
      return isSoon(at)
        ? [{ kind: 'token', key: `token/${id}`, name, expiresAt: iso(at), at: since(at) }]
        : [];
    }),
    ...secrets.names().flatMap((name): InboxItem[] => {
      const at = dates.get(name);
      return at !== undefined && isSoon(at)
        ? [{ kind: 'secret', key: `secret/${name}`, name, expiresAt: iso(at), at: since(at) }]
        : [];
    }),
  ];
}

const iso = (at: number): string => new Date(at).toISOString();
