import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError, type tokens } from '@millrace/contract';
import { Conflict, type Store, type StoredDocument } from '@millrace/store';
import { z } from 'zod';
import { readDate } from '../readDate.ts';
import { dataOf, StoredDate } from '../storedDocument.ts';

/*
 * A token is `mlr_ID_SECRET`. The store holds a SHA-256 hash of the secret, which is too long to be guessed, so
 * that no stored value signs in. A token belongs to the user who created it and ends with this user name.
 */

const Stored = z.object({
  name: z.string(),
  username: z.string(),
  hash: z.string(),
  createdAt: StoredDate,
  expiresAt: StoredDate.optional(),
  lastUsedAt: StoredDate.optional(),
});
type Stored = Readonly<z.infer<typeof Stored>>;

const kind = 'auth.token';
const maxTokens = 500;
/** A token that is used all the time is written this often. */
const recordUseEveryMs = 3_600_000;

export class ApiTokens {
  readonly #store: Store;
  readonly #clock: () => number;
  readonly #newId: () => string;

  constructor(store: Store, clock: () => number, newId: () => string) {
    this.#store = store;
    this.#clock = clock;
    this.#newId = newId;
  }

  async create(
    { name, expiresAt }: { readonly name: string; readonly expiresAt?: string | null | undefined },
    username: string,
  ): Promise<tokens.ApiToken & { token: string }> {
    const [id, secret, now] = [this.#newId(), randomBytes(32).toString('base64url'), this.#clock()];
    const expires = expiresAt == null ? undefined : readDate(expiresAt);
    if (expires !== undefined && expires <= now)
      throw new AppError('illegal-argument', `expiresAt must be in the future, got "${expiresAt}"`);
    const known = await this.#read();
    if (known.length >= maxTokens)
      throw new AppError('illegal-state', `there are ${maxTokens} tokens; revoke some of them first`);
    if (known.some(([, token]) => token.username === username && token.name === name))
      throw new AppError('illegal-argument', `there is already a token with the name "${name}"`);
    const data: Stored = {
      name,
      username,
      hash: hashOf(secret),
      createdAt: now,
      ...(expires === undefined ? {} : { expiresAt: expires }),
    };
    await this.#store.commit([
      { op: 'document.put', document: { kind, id, at: now, data }, expectVersion: 0 },
    ]);
    return { ...present(id, data), token: `mlr_${id}_${secret}` };
  }

  /** The tokens of a user, the newest first. */
  async list(username: string): Promise<tokens.ApiToken[]> {
    const all = await this.#read();
    return all.filter(([, token]) => token.username === username).map(([id, token]) => present(id, token));
  }

  async revoke(id: string, username: string): Promise<void> {
    const stored = await this.#store.getDocument(kind, id);
    if (!stored || dataOf(Stored, stored)?.username !== username)
      throw new AppError('not-found', `there is no token "${id}"`);
    await this.#store.commit([{ op: 'document.delete', kind, id }]);
  }

  /** The user, the id and the name of a token, if it is right and has not expired. */
  async find(
    token: string,
  ): Promise<{ readonly username: string; readonly id: string; readonly name: string } | undefined> {
    const [, id, secret] = /^mlr_([^_]{1,64})_([\w-]{43})$/.exec(token) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const document = await this.#store.getDocument(kind, id);
    const stored = document && dataOf(Stored, document);
    if (!document || !stored || !isSameHash(hashOf(secret), stored.hash)) return undefined;
    const now = this.#clock();
    if (stored.expiresAt !== undefined && stored.expiresAt <= now) return undefined;
    if (now - (stored.lastUsedAt ?? 0) > recordUseEveryMs) await this.#recordUse(document, stored, now);
    return { username: stored.username, id, name: stored.name };
  }

  /** Whether a token of the user exists and has not expired. */
  async isValid(id: string, username: string): Promise<boolean> {
    const document = await this.#store.getDocument(kind, id);
    const stored = document && dataOf(Stored, document);
    return stored?.username === username && (stored.expiresAt ?? Number.POSITIVE_INFINITY) > this.#clock();
  }

  /** The guard keeps a revoked token from being written again. */
  async #recordUse({ id, at, version }: StoredDocument, stored: Stored, now: number): Promise<void> {
    const data = { ...stored, lastUsedAt: now };
    const document = { kind, id, at, data };
    await this.#store
      .commit([{ op: 'document.put', document, expectVersion: version }])
      .catch((error: unknown) => {
        if (!(error instanceof Conflict)) throw error;
      });
  }

  async #read(): Promise<(readonly [string, Stored])[]> {
    const documents = await this.#store.listDocuments({ kind, descending: true, limit: maxTokens });
    return documents.flatMap((document) => {
      const token = dataOf(Stored, document);
      return token ? [[document.id, token] as const] : [];
    });
  }
}

function present(id: string, { name, createdAt, expiresAt, lastUsedAt }: Stored): tokens.ApiToken {
  return {
    id,
    name,
    createdAt: iso(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: iso(expiresAt) }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt: iso(lastUsedAt) }),
  };
}

const iso = (at: number): string => new Date(at).toISOString();

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const isSameHash = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};
