import type { ServiceInstance } from '@millrace/contract';
import type { Membership } from './membership.ts';
import type { Role } from './role.ts';

type Parts = {
  readonly membership?: Membership;
  readonly roles: ReadonlySet<Role>;
  readonly instanceId: string;
  readonly clock: () => number;
};

const processStartedAt = Date.now() - Math.round(process.uptime() * 1_000);

/** The processes that work on the same data, this one among them. */
export function listServices({ membership, roles, instanceId, clock }: Parts): ServiceInstance[] {
  const now = clock();
  if (!membership) {
    return [present({ id: instanceId, roles: [...roles], startedAt: processStartedAt, isGone: false }, now)];
  }
  return membership.known.map((server) => present(server, now - server.silentMs));
}

interface Server {
  readonly id: string;
  readonly roles: readonly string[];
  readonly workerGroup?: string;
  readonly startedAt: number;
  readonly isGone: boolean;
}

const present = (
  { id, roles, workerGroup, startedAt, isGone }: Server,
  heardAt: number,
): ServiceInstance => ({
  id,
  type: serviceType(roles),
  state: isGone ? 'NOT_RUNNING' : 'RUNNING',
  roles: [...roles],
  ...(workerGroup === undefined ? {} : { workerGroup }),
  createdAt: new Date(startedAt).toISOString(),
  updatedAt: new Date(heardAt).toISOString(),
});

/** The words that tools for other products know. */
export function serviceType(roles: Iterable<string>): ServiceInstance['type'] {
  const [first, ...more] = roles;
  if (more.length > 0) return 'STANDALONE';
  const words = { api: 'WEBSERVER', executor: 'EXECUTOR', worker: 'WORKER', scheduler: 'SCHEDULER' } as const;
  return words[first as keyof typeof words];
}
