import type { Store } from '@millrace/store';
import type { Activity } from '../activity.ts';
import type { Config } from '../config/schema.ts';
import type { Controls } from '../instance/controls.ts';
import { newId } from '../newId.ts';
import type { ProcessLog } from '../processLog.ts';
import { prepareQueue } from '../worker/remote/queue.ts';
import { RemoteWork } from '../worker/remote/remoteWork.ts';
import { Membership } from './membership.ts';
import { Ownership } from './ownership.ts';
import type { Role } from './role.ts';
import { serverIdOf } from './workFolders.ts';

/** The services that a server needs to share work with others. */
export type Shared = NonNullable<Awaited<ReturnType<typeof joinCluster>>>;

/** Registers this server with the others on its database. Undefined for a database that has only one server. */
export async function joinCluster(
  store: Store,
  config: Config,
  roles: ReadonlySet<Role>,
  log: ProcessLog,
  activity: Pick<Activity, 'isQuiet'>,
  controls: Pick<Controls, 'drainOf'>,
) {
  const { cluster } = store;
  const { url } = config.database;
  if (!cluster || url === undefined) return undefined;
  const membership = new Membership({
    cluster,
    id: serverIdOf(process.pid, newId()),
    roles,
    workerGroup: config.worker.group,
    ...config.cluster,
    startedAt: Date.now(),
    log,
    isQuiet: () => activity.isQuiet,
  });
  await membership.join();
  membership.start();
  const ownership = new Ownership({ store, cluster, membership, log });
  const remoteWork = new RemoteWork({
    cluster,
    membership,
    roles,
    workerGroup: config.worker.group,
    prepareQueue: () => prepareQueue(url),
    isDrained: () => controls.drainOf(membership.id) !== undefined,
  });
  return { cluster, url, membership, ownership, remoteWork };
}
