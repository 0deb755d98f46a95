import { existsSync } from 'node:fs';
import { openStore } from '@millrace/store';
import { Credentials } from './auth/credentials.ts';
import { rolesOf } from './cluster/role.ts';
import { isLoopback } from './config/reach.ts';
import type { Config } from './config/schema.ts';
import { StartError } from './startError.ts';
import { storeOf } from './storeOf.ts';

/**
 * A server that anybody reaches and nobody has to sign in to does not start, unless it was told to. Asked before
 * anything is opened, so that no flow runs for a moment; only the store can say whether a password was saved.
 */
export async function refuseOpenDoor(config: Config): Promise<void> {
  const { host, insecure } = config.server;
  const isAsked = !isLoopback(host) && rolesOf(config.server.roles).has('api');
  if (!isAsked || insecure || config.auth || (await hasSavedPassword(config))) return;
  throw new StartError(
    `The server would listen on ${host} without authentication, so that anyone who reaches it could run commands here. ` +
      'Set auth.username and auth.password, listen on 127.0.0.1, or accept the risk with --insecure.',
  );
}

async function hasSavedPassword(config: Config): Promise<boolean> {
  if (config.database.url === undefined && !existsSync(config.data)) return false;
  const store = await openStore(storeOf(config));
  try {
    return await new Credentials(store, undefined, Date.now).areNeeded();
  } finally {
    await store.close();
  }
}
