import type { SecretInList } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { z } from 'zod';
import { readDate } from '../readDate.ts';
import { dataOf, StoredDate } from '../storedDocument.ts';

const kind = 'secret.expiration';
const maxNoted = 1_000;
const Noted = z.object({ expiresAt: StoredDate });

/** When secrets expire, by name, the earliest first. Secrets come from outside, so that only users know the dates. */
export async function readSecretExpirations(store: Store): Promise<ReadonlyMap<string, number>> {
  const documents = await store.listDocuments({ kind, limit: maxNoted });
  return new Map(
    documents.flatMap((document) => {
      const noted = dataOf(Noted, document);
      return noted ? [[document.id, noted.expiresAt] as const] : [];
    }),
  );
}

export async function noteSecretExpiration(
  key: string,
  expirationDate: string | null,
  store: Store,
): Promise<SecretInList> {
  if (expirationDate === null) {
    await store.commit([{ op: 'document.delete', kind, id: key }]);
    return { key };
  }
  const expiresAt = readDate(expirationDate);
  const document = { kind, id: key, at: expiresAt, data: { expiresAt } };
  await store.commit([{ op: 'document.put', document }]);
  return presentSecret(key, expiresAt);
}

export const presentSecret = (key: string, expiresAt: number | undefined): SecretInList =>
  expiresAt === undefined ? { key } : { key, expirationDate: new Date(expiresAt).toISOString() };
