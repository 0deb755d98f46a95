import { type Store, throwIfUnavailable } from '@millrace/store';
import { newId } from '../newId.ts';

const key = 'instance.id';

/** The id of this installation, made at its first start. */
export async function readInstanceId(store: Store): Promise<string> {
  const known = await store.getSetting(key).catch((error) => {
    // A damaged id is replaced; that of a database that is away is not.
    throwIfUnavailable(error);
  });
  if (typeof known === 'string') return known;
  const created = newId();
  await store.commit([{ op: 'setting.put', key, value: created }]);
  return created;
}
