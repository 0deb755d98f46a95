import { randomBytes } from 'node:crypto';
import type { Store } from '@millrace/store';

const settingKey = 'auth.setupToken';

/**
 * The proof that whoever sets the first password can read the server's log. It is kept, so that all servers of an
 * instance ask for the same one, and goes with the first password.
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
