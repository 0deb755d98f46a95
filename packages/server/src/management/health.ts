import { statfs } from 'node:fs/promises';
import type { Product } from '../product.ts';

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
/** Below this a commit may fail at any moment. */
const minFreeBytes = 10 * 1_048_576;

type Parts = Pick<Product, 'store' | 'config' | 'roles' | 'membership'>;

export async function readHealth({ store, config, roles, membership }: Parts): Promise<Health> {
  const [database, diskSpace] = await Promise.all([checkDatabase(store), checkDisk(config.data)]);
  const service = checkService(roles, membership);
  const components = { database, diskSpace, service };
  const isUp = Object.values(components).every(({ status }) => status === 'UP');
  return { name: 'millrace', status: isUp ? 'UP' : 'DOWN', details: components };
}

async function checkDatabase(store: Product['store']): Promise<Component> {
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

/** Whether the other servers still count on this one; a server that is alone has nobody to lose. */
function checkService(roles: Product['roles'], membership: Product['membership']): Component {
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
