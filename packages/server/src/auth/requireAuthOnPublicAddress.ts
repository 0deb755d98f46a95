import { existsSync } from 'node:fs';
import { rolesOf } from '../cluster/role.ts';
import { isLoopback } from '../config/publicAddress.ts';
import type { Config } from '../config/schema.ts';
import type { ProcessLog } from '../processLog.ts';
import { StartError } from '../startError.ts';
import { openStoreOf } from '../storeOf.ts';
import { Credentials } from './credentials.ts';

/**
 * Refuses to start a server on a public address without authentication, unless `insecure` is set. Runs before
 * the product opens, so that no flow runs; only the store knows whether a password was saved.
 */
export async function requireAuthOnPublicAddress(config: Config, log: ProcessLog): Promise<void> {
  const { host, insecure } = config.server;
  const isAsked = !isLoopback(host) && rolesOf(config.server.roles).has('api');
  if (!isAsked || insecure || config.auth || (await hasSavedPassword(config, log))) return;
  throw new StartError(
    `The server would listen on ${host} without authentication, so that anyone who reaches it could run commands here. ` +
      'Set auth.username and auth.password, listen on 127.0.0.1, or accept the risk with --insecure.',
  );
}

async function hasSavedPassword(config: Config, log: ProcessLog): Promise<boolean> {
  if (config.database.url === undefined && !existsSync(config.data)) return false;
  const store = await openStoreOf(config, log);
  try {
    return await new Credentials(store, undefined, Date.now).areNeeded();
  } finally {
    await store.close();
  }
}
