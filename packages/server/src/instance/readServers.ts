import { hostname } from 'node:os';
import type { InstanceServer, RunningTask as RunningTaskView } from '@millrace/contract';
import type { RunningTask, ServerStatus } from '@millrace/store';
import type { Product } from '../product.ts';
import { longestTasks, readWorkload } from './workload.ts';

const processStartedAt = Date.now() - Math.round(process.uptime() * 1_000);
/** Running tasks that the responding server shows of itself. */
const maxOwnTasks = 100;

type Parts = Pick<
  Product,
  | 'membership'
  | 'roles'
  | 'instanceId'
  | 'clock'
  | 'controls'
  | 'workers'
  | 'workerKey'
  | 'worker'
  | 'log'
  | 'store'
  | 'config'
>;

interface Known {
  readonly id: string;
  readonly roles: readonly string[];
  readonly workerGroup?: string | undefined;
  readonly startedAt: number;
  readonly heardAt: number;
  readonly isGone: boolean;
  readonly isSelf: boolean;
  readonly status?: ServerStatus | undefined;
}

/** All servers on the database, also lost ones, until their work is taken over. */
export async function readServers(parts: Parts): Promise<InstanceServer[]> {
  const known = listKnown(parts);
  const tasks = known.flatMap(({ status }) => status?.tasks ?? []);
  const flows = await findFlows(tasks, parts);
  return known.map((server) => present(server, flows, parts));
}

/** The id under which a server can be drained, with the key of its worker. */
export function findWorker(
  id: string,
  parts: Parts,
): { readonly id: string; readonly workerKey: string } | undefined {
  const found = listKnown(parts).find((server) => server.id === id);
  if (!found || found.isGone || !found.roles.includes('worker')) return undefined;
  return { id, workerKey: found.status?.workerKey ?? '' };
}

function listKnown(parts: Parts): Known[] {
  const { membership, roles, instanceId, clock, controls, workers, workerKey, worker, log, config } = parts;
  const now = clock();
  const id = membership?.id ?? instanceId;
  const own: ServerStatus = {
    ...readWorkload({
      workers,
      isDraining: () => controls.drainOf(id) !== undefined,
      workerKey,
      slots: worker.slots,
      log,
      clock,
    }),
    tasks: longestTasks(workers(), now, maxOwnTasks),
  };
  if (!membership) {
    const { group: workerGroup } = config.worker;
    const about = { id, roles: [...roles], workerGroup, startedAt: processStartedAt, heardAt: now };
    return [{ ...about, isGone: false, isSelf: true, status: own }];
  }
  return membership.known.map((server) => {
    const isSelf = server.id === id;
    return { ...server, heardAt: now - server.silentMs, isSelf, status: isSelf ? own : server.status };
  });
}

type Flows = ReadonlyMap<string, { readonly namespace: string; readonly flowId: string }>;

/** The flows of the executions, for links; bounded by the number of tasks that are shown. */
async function findFlows(tasks: readonly RunningTask[], { store }: Parts): Promise<Flows> {
  const ids = [...new Set(tasks.map(({ executionId }) => executionId))];
  const found = await Promise.all(ids.map((id) => store.getExecutionRecord(id).catch(() => undefined)));
  return new Map(found.flatMap((execution) => (execution ? [[execution.id, execution] as const] : [])));
}

function present(server: Known, flows: Flows, { controls }: Parts): InstanceServer {
  const { id, status, roles, workerGroup, isGone, isSelf } = server;
  const drain = controls.drainOf(id);
  return {
    id,
    isSelf,
    state: isGone ? 'LOST' : drain ? 'DRAINING' : 'RUNNING',
    roles: [...roles],
    ...(workerGroup === undefined ? {} : { workerGroup }),
    ...(status
      ? { version: status.version, host: status.host, pid: status.pid, logLevel: status.logLevel }
      : isSelf
        ? { host: hostname() }
        : {}),
    startedAt: iso(server.startedAt),
    heartbeatAt: iso(server.heardAt),
    ...(drain ? { drain: { ...drain, at: iso(drain.at) } } : {}),
    ...(status && roles.includes('worker')
      ? {
          worker: {
            slots: status.slots,
            running: status.running,
            waiting: status.waiting,
            tasks: status.tasks.map((task) => presentTask(task, flows)),
          },
        }
      : {}),
  };
}

function presentTask({ startedAt, ...task }: RunningTask, flows: Flows): RunningTaskView {
  const flow = flows.get(task.executionId);
  return {
    ...task,
    ...(flow ? { namespace: flow.namespace, flowId: flow.flowId } : {}),
    startedAt: iso(startedAt),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
