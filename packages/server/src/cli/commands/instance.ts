import { type InstanceServer, instance } from '@millrace/contract';
import type { Client } from '../client/client.ts';
import { clientOptions, connect, isJson } from '../client/options.ts';
import { printJson, printTable } from '../client/print.ts';
import { tell } from '../client/tell.ts';
import { CommandFailure, defineCommand, exitCodes, type Surroundings, UsageError } from '../command.ts';

/** The commands for operators: the same switches as on the page of the instance. */

const waitOptions = {
  wait: { type: 'boolean', help: 'wait until no task runs any more' },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    help: 'how long to wait at most; 0, the default, has no limit',
  },
} as const;

export const instanceStatus = defineCommand({
  name: 'instance status',
  summary: 'Print servers, scheduler, maintenance and health; fails when something is down',
  options: { json: { type: 'boolean', help: 'the same as --output json' }, ...clientOptions },
  run: async ({ values }, surroundings) => {
    const client = connect(values, surroundings);
    const [servers, scheduler, maintenance, health] = await Promise.all([
      client.call(instance.listServers),
      client.call(instance.getScheduler),
      client.call(instance.getMaintenance),
      client.call(instance.getHealth),
    ]);
    const isUp =
      health.database.status === 'UP' &&
      health.storage.status === 'UP' &&
      servers.results.every(({ state }) => state !== 'LOST');
    if (values.json || isJson(values, surroundings))
      printJson(surroundings.out, { isUp, maintenance, scheduler, health, servers: servers.results });
    else {
      const { out } = surroundings;
      const lines = [
        `maintenance  ${maintenanceInWords(maintenance)}`,
        `scheduler    ${scheduler.paused || maintenance.isActive ? 'paused' : 'running'}, overdue triggers: ${scheduler.overdue}`,
        `database     ${health.database.kind} ${health.database.status}`,
        `storage      ${health.storage.type} ${health.storage.status}`,
      ];
      out.write(`${lines.join('\n')}\n\n`);
      printTable(
        out,
        ['SERVER', 'STATE', 'ROLES', 'HOST', 'VERSION', 'RUNNING', 'WAITING'],
        servers.results.map(({ id, state, roles, host = '', version = '', worker }) => [
          id,
          state,
          roles.join(','),
          host,
          version,
          worker ? `${worker.running}/${worker.slots}` : '',
          worker ? String(worker.waiting) : '',
        ]),
      );
    }
    return isUp ? exitCodes.done : exitCodes.failed;
  },
});

function maintenanceInWords({
  isActive,
  areTasksHeld,
  message = '',
}: {
  isActive: boolean;
  areTasksHeld?: boolean | undefined;
  message?: string | undefined;
}): string {
  if (!isActive) return 'off';
  return `on${areTasksHeld ? ', no task starts' : ''}${message === '' ? '' : `: ${message}`}`;
}

export const maintenanceStart = defineCommand({
  name: 'instance maintenance start',
  summary: 'Start maintenance: no execution and no task starts until it ends',
  options: {
    message: { type: 'string', value: 'TEXT', help: 'what all users read in the banner' },
    'finish-running': { type: 'boolean', help: 'running executions continue until they end' },
    'allow-manual': { type: 'boolean', help: 'users may start executions, and their tasks run' },
    ...waitOptions,
    ...clientOptions,
  },
  run: async ({ values }, surroundings) => {
    const client = connect(values, surroundings);
    const deadline = deadlineOf(values);
    const body = {
      message: values.message ?? '',
      finishRunning: values['finish-running'] ?? false,
      allowManual: values['allow-manual'] ?? false,
    };
    const maintenance = await client.call(instance.startMaintenance, { body });
    if (values.wait) await waitForTasks(client, () => true, deadline, surroundings);
    tell(values, surroundings, 'started  maintenance', { maintenance });
    return exitCodes.done;
  },
});

export const maintenanceEnd = defineCommand({
  name: 'instance maintenance end',
  summary: 'End maintenance; executions and triggers continue',
  options: clientOptions,
  run: async ({ values }, surroundings) => {
    const maintenance = await connect(values, surroundings).call(instance.endMaintenance);
    tell(values, surroundings, 'ended    maintenance', { maintenance });
    return exitCodes.done;
  },
});

export const schedulerPause = defineCommand({
  name: 'instance scheduler pause',
  summary: 'Pause schedules and polling triggers on all servers',
  options: clientOptions,
  run: async ({ values }, surroundings) => {
    const scheduler = await connect(values, surroundings).call(instance.pauseScheduler);
    tell(values, surroundings, 'paused   scheduler', { scheduler });
    return exitCodes.done;
  },
});

export const schedulerResume = defineCommand({
  name: 'instance scheduler resume',
  summary: 'Resume schedules and polling triggers',
  options: clientOptions,
  run: async ({ values }, surroundings) => {
    const scheduler = await connect(values, surroundings).call(instance.resumeScheduler);
    tell(values, surroundings, 'resumed  scheduler', { scheduler });
    return exitCodes.done;
  },
});

const workerDetails = 'SERVER is an id of "instance status", its beginning, or the name of a host.';

export const workerDrain = defineCommand({
  name: 'instance worker drain',
  summary: 'Let a worker finish its tasks and take no new ones',
  usage: 'SERVER',
  positionals: { min: 1, max: 1 },
  options: { ...waitOptions, ...clientOptions },
  details: workerDetails,
  run: async ({ values, positionals: [name = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    const deadline = deadlineOf(values);
    const { id } = await findServer(client, name);
    const server = await client.call(instance.drainWorker, { params: { id } });
    if (values.wait) await waitForTasks(client, (one) => one.id === id, deadline, surroundings);
    tell(values, surroundings, `drained  ${id}`, { server });
    return exitCodes.done;
  },
});

export const workerResume = defineCommand({
  name: 'instance worker resume',
  summary: 'Let a drained worker take tasks again',
  usage: 'SERVER',
  positionals: { min: 1, max: 1 },
  options: clientOptions,
  details: workerDetails,
  run: async ({ values, positionals: [name = ''] }, surroundings) => {
    const client = connect(values, surroundings);
    const { id } = await findServer(client, name);
    const server = await client.call(instance.resumeWorker, { params: { id } });
    tell(values, surroundings, `resumed  ${id}`, { server });
    return exitCodes.done;
  },
});

async function findServer(client: Client, name: string): Promise<InstanceServer> {
  const { results } = await client.call(instance.listServers);
  const exact = results.find(({ id }) => id === name);
  if (exact) return exact;
  const found = results.filter(
    ({ id, host, worker }) => worker !== undefined && (id.startsWith(name) || host === name),
  );
  if (found.length === 1 && found[0]) return found[0];
  const known = (found.length > 0 ? found : results).map(({ id }) => id).join(', ');
  throw new CommandFailure(
    found.length > 1
      ? `"${name}" names ${found.length} workers: ${known}.`
      : `There is no worker "${name}"; the servers are ${known}.`,
  );
}

const pollMs = 1_000;

/** In milliseconds of `performance.now()`. */
function deadlineOf({ timeout = '0' }: { readonly timeout?: string }): number {
  const seconds = Number(timeout);
  if (!(seconds >= 0)) throw new UsageError(`--timeout "${timeout}" is not a number of seconds.`);
  return seconds === 0 ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1_000;
}

async function waitForTasks(
  client: Client,
  isMeant: (server: InstanceServer) => boolean,
  deadline: number,
  { err }: Surroundings,
): Promise<void> {
  for (let last = -1; ; ) {
    const { results } = await client.call(instance.listServers);
    const running = results
      .filter((server) => server.state !== 'LOST' && isMeant(server))
      .reduce((sum, { worker }) => sum + (worker?.running ?? 0), 0);
    if (running === 0) return;
    if (performance.now() > deadline) throw new CommandFailure(`Tasks still run: ${running}.`);
    if (running !== last) err.write(`waiting  running tasks: ${running}\n`);
    last = running;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
