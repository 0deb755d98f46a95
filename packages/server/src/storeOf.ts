import { openStore, type Store, type StoreConfig } from '@millrace/store';
import type { Config } from './config/schema.ts';
import { describeRepair } from './maintenance/damagedDatabase.ts';
import type { ProcessLog } from './processLog.ts';

type Where = Pick<Config, 'database' | 'data'>;

/** Which database the configuration means. */
export const storeOf = ({ database, data }: Where): StoreConfig =>
  database.url === undefined ? { kind: 'sqlite', folder: data } : { kind: 'postgres', url: database.url };

/** Opens it, and logs what of it could not be read. */
export async function openStoreOf(
  config: Where,
  log: ProcessLog,
  onFatal: (error: Error) => void = () => {},
): Promise<Store> {
  const damages: string[] = [];
  const onDamage = (message: string) => damages.push(message);
  const store = await openStore(storeOf(config), { onDamage, onFatal, startReader: true });
  for (const damage of damages) log.error(`${damage} ${await describeRepair(config)}`);
  return store;
}
