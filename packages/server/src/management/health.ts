import { statfs } from 'node:fs/promises';
import type { Store } from '@millrace/store';
import type { Membership } from '../cluster/membership.ts';
import type { Role } from '../cluster/role.ts';
import type { Config } from '../config/schema.ts';

type Status = 'UP' | 'DOWN';

interface Component {
  readonly name: string;
  readonly status: Status;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Health extends Component {
  readonly details: Readonly<Record<string, Component>>;
}

const answersWithinMs = 5_000;
/** With less free space than this, a commit may fail at any moment. */
const minFreeBytes = 10 * 1_048_576;

type Parts = {
  readonly store: Store;
  readonly config: Config;
  readonly roles: ReadonlySet<Role>;
  readonly membership?: Membership;
};

export async function readHealth({ store, config, roles, membership }: Parts): Promise<Health> {
  const [database, diskSpace] = await Promise.all([checkDatabase(store), checkDisk(config.data)]);
  const service = checkService(roles, membership);
  const components = { database, diskSpace, service };
  const isUp = Object.values(components).every(({ status }) => status === 'UP');
  return { name: 'millrace', status: isUp ? 'UP' : 'DOWN', details: components };
}

async function checkDatabase(store: Store): Promise<Component> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), answersWithinMs);
  });
  try {
    await Promise.race([store.ping(), tooLate]);
    return { name: 'database', status: 'UP' };
  } catch {
    return { name: 'database', status: 'DOWN' };
  } finally {
    clearTimeout(timer);
  }
}

/** DOWN when the other servers have marked this one dead; a single server is always UP. */
function checkService(roles: ReadonlySet<Role>, membership: Membership | undefined): Component {
  const isLost = membership?.goneIds.includes(membership.id) === true;
  return { name: 'service', status: isLost ? 'DOWN' : 'UP', details: { roles: [...roles] } };
}

async function checkDisk(folder: string): Promise<Component> {
  const stats = await statfs(folder).catch(() => undefined);
  if (!stats) return { name: 'diskSpace', status: 'DOWN' };
  const freeBytes = stats.bavail * stats.bsize;
  return {
    name: 'diskSpace',
    status: freeBytes > minFreeBytes ? 'UP' : 'DOWN',
    details: { free: freeBytes },
  };
}
