import { mkdir } from 'node:fs/promises';
import type { Store } from '@millrace/store';
import { requireAuthOnPublicAddress } from './auth/requireAuthOnPublicAddress.ts';
import type { Config } from './config/schema.ts';
import { withRepairHint } from './maintenance/damagedDatabase.ts';
import type { ProcessLog } from './processLog.ts';
import { openStoreOf } from './storeOf.ts';

/**
 * The first step of a start. It needs little code: the command loads the rest of the server after it, while the
 * threads of the store start on another core.
 */
export async function prepareStore(
  config: Config,
  log: ProcessLog,
  onFatal?: (error: Error) => void,
): Promise<Store> {
  try {
    await requireAuthOnPublicAddress(config, log);
    await mkdir(config.data, { recursive: true, mode: 0o700 });
    return await openStoreOf(config, log, onFatal);
  } catch (error) {
    throw await withRepairHint(error, config);
  }
}
