import type { Store } from '@millrace/store';
import type { Activity } from '../activity.ts';
import type { Config } from '../config/schema.ts';
import { newId } from '../newId.ts';
import type { ProcessLog } from '../processLog.ts';
import { prepareQueue } from '../workers/queue.ts';
import { RemoteWork } from '../workers/remoteWork.ts';
import { Membership } from './membership.ts';
import type { Role } from './role.ts';
import { Sharing } from './sharing.ts';
import { serverIdOf } from './workFolders.ts';

/** What a server needs to share its work with others. */
export type Shared = NonNullable<Awaited<ReturnType<typeof joinCluster>>>;

/** Makes this server known to those on the same database. Undefined where nobody else can be. */
export async function joinCluster(
  store: Store,
  config: Config,
  roles: ReadonlySet<Role>,
  log: ProcessLog,
  activity: Pick<Activity, 'isQuiet'>,
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
  const sharing = new Sharing({ store, cluster, membership, log });
  const remoteWork = new RemoteWork({
    cluster,
    membership,
    roles,
    workerGroup: config.worker.group,
    prepareQueue: () => prepareQueue(url),
  });
  return { cluster, url, membership, sharing, remoteWork };
}
