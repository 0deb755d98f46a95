import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { importModule, messageOf, TaskFailed } from '@millrace/plugin-kit';
import type { Key, PrivateKey } from 'openpgp';

export type OpenPgp = typeof import('openpgp');

export const loadOpenPgp = (): Promise<OpenPgp> => importModule<OpenPgp>('openpgp');

export const failed = (problem: string, cause?: unknown): TaskFailed =>
  new TaskFailed(problem, { retry: false, cause });

/** Every key of an armored text. */
export async function readKeys(pgp: OpenPgp, property: string, armored: string): Promise<Key[]> {
  try {
    return await pgp.readKeys({ armoredKeys: armored });
  } catch (error) {
    throw failed(`"${property}" is not an armored OpenPGP key: ${messageOf(error)}`, error);
  }
}

/** The private key of an armored text, unlocked. */
export async function readPrivateKey(
  pgp: OpenPgp,
  property: string,
  armored: string,
  passphrase: string | undefined,
): Promise<PrivateKey> {
  let key: PrivateKey;
  try {
    key = await pgp.readPrivateKey({ armoredKey: armored });
  } catch (error) {
    throw failed(`"${property}" is not an armored private OpenPGP key: ${messageOf(error)}`, error);
  }
  if (key.isDecrypted()) return key;
  if (passphrase === undefined) throw failed(`"${property}" is locked: its passphrase is needed.`);
  try {
    return await pgp.decryptKey({ privateKey: key, passphrase });
  } catch (error) {
    throw failed(`"${property}" cannot be unlocked: the passphrase is wrong.`, error);
  }
}

/** True when one of the identities of a key is or contains this name or mail address. */
export const belongsTo = (key: Key, user: string): boolean =>
  key.getUserIDs().some((id) => id.toLowerCase().includes(user.toLowerCase()));

/** The content as a web stream, which the library reads. */
export const toWeb = (content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(content, { objectMode: false })) as ReadableStream<Uint8Array>;
