import { randomBytes } from 'node:crypto';
import type { Store } from '@millrace/store';

const settingKey = 'auth.setupToken';

/**
 * The token from the server's log that the user needs to set the first password. It is stored, so that all
 * servers of an instance expect the same one, and is deleted with the first password.
 */
export async function readSetupToken(store: Store): Promise<string> {
  const known = await store.getSetting(settingKey);
  if (typeof known === 'string') return known;
  const created = randomBytes(18).toString('base64url');
  await store.commit([{ op: 'setting.put', key: settingKey, value: created }]);
  return created;
}

export async function dropSetupToken(store: Store): Promise<void> {
  await store.commit([{ op: 'setting.put', key: settingKey, value: undefined }]);
}
