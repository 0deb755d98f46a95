import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore } from '@millrace/store';
import { createTestDatabase, startPostgres } from '@millrace/store/suite';
import { createSmallDisk } from './disk.ts';
import { drive, nothingAccepted, settle } from './drive.ts';
import { type Injected, injectFaults, type Surroundings } from './faults.ts';
import { chaosFlows } from './flows.ts';
import { checkInvariants, countLines, readExecutions, type Violations } from './invariants.ts';
import { Machine } from './machines.ts';
import { Random } from './random.ts';

export interface ChaosOptions {
  readonly database: 'SQLite' | 'PostgreSQL';
  readonly seed: number;
  readonly seconds: number;
  /** The pause between two faults. */
  readonly pauseMs: { readonly least: number; readonly most: number };
  readonly say: (text: string) => void;
}

export interface ChaosReport {
  readonly database: string;
  readonly seed: number;
  readonly faults: readonly Injected[];
  readonly executions: number;
  readonly accepted: number;
  /** The number of stored log lines. */
  readonly lines: number;
  readonly violations: Violations;
}

/** How long all executions may take to finish after the last fault. */
const settleMs = 90_000;
const clearMs = 30_000;

/** Runs real processes, real work and real faults, and then checks all invariants on the stored data. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-chaos-'));
  const ledger = join(folder, 'ledger');
  const stage = options.database === 'SQLite' ? await sqliteStage(folder) : await postgresStage(folder);
  const random = new Random(options.seed);
  const accepted = nothingAccepted();
  const { machines } = stage.surroundings;
  try {
    await Promise.all(machines.map((machine) => machine.start()));
    await saveFlows(machines, ledger);
    options.say(`${machines.length} processes on ${options.database}, seed ${options.seed}`);
    const until = Date.now() + options.seconds * 1_000;
    const isOver = () => Date.now() > until;
    // Separate random generators, so that the speed of the work does not change the faults.
    const working = drive(machines, new Random(options.seed + 1), accepted, isOver);
    const faults = await injectFaults(stage.surroundings, random, options.pauseMs, isOver);
    await working;
    options.say(`${accepted.started.size + accepted.hooks.length} requests accepted; waiting for the end`);
    await stopSchedule(machines);
    const isSettled = await settle(machines, random, settleMs);
    const leftovers = isSettled ? await untilGone(stage.leftovers) : [];
    if (!isSettled) options.say(await stage.explain());
    await Promise.all(machines.map((machine) => machine.stop('SIGTERM')));
    const violations = await check();
    const failures = machines.filter(hasFailed).map(({ name }) => `${name} has ended by itself.`);
    if (violations.sentences.length + leftovers.length + failures.length > 0) tellOutputs();
    return {
      database: options.database,
      seed: options.seed,
      faults,
      executions: violations.executions,
      lines: violations.lines,
      accepted: accepted.started.size + accepted.hooks.length,
      violations: [...violations.sentences, ...leftovers, ...failures],
    };
  } catch (error) {
    tellOutputs();
    throw error;
  } finally {
    await Promise.all(machines.map((machine) => machine.stop('SIGKILL')));
    await stage.remove();
    rmSync(folder, { recursive: true, force: true });
  }

  function tellOutputs(): void {
    for (const machine of machines) options.say(`--- ${machine.name}\n${machine.output().slice(-4_000)}`);
  }

  async function check(): Promise<{ executions: number; lines: number; sentences: Violations }> {
    const store = await openStore(stage.store);
    try {
      const executions = await readExecutions(store);
      const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : [];
      const sentences = await checkInvariants({ executions, accepted, ledger: lines }, store);
      return { executions: executions.length, lines: await countLines(executions, store), sentences };
    } finally {
      await store.close();
    }
  }
}

/** Waits for the periodic cleanup of what dead processes left behind. */
async function untilGone(leftovers: () => Promise<Violations>): Promise<Violations> {
  for (const until = Date.now() + clearMs; ; ) {
    await wait(1_000);
    const left = await leftovers();
    if (left.length === 0 || Date.now() > until) return left;
  }
}

interface ChaosStage {
  readonly surroundings: Surroundings;
  readonly store: Parameters<typeof openStore>[0];
  /** Leftovers that exist although nothing runs. */
  leftovers(): Promise<Violations>;
  /** Details of executions that do not end, for debugging. */
  explain(): Promise<string>;
  remove(): Promise<void>;
}

async function sqliteStage(folder: string): Promise<ChaosStage> {
  const disk = await createSmallDisk(join(folder, 'disk'), 256);
  const data = disk?.folder ?? join(folder, 'data');
  return {
    surroundings: {
      machines: [new Machine({ name: 'server', roles: ['standalone'], data })],
      ...(disk ? { fillDisk: disk.fill } : {}),
    },
    store: { kind: 'sqlite', folder: data },
    leftovers: async () => leftFolders([data]),
    explain: async () => '',
    remove: async () => disk?.remove(),
  };
}

async function postgresStage(folder: string): Promise<ChaosStage> {
  const server = await startPostgres();
  const database = await createTestDatabase(server.url);
  const machine = (name: string, ...roles: string[]) =>
    new Machine({
      name,
      roles,
      data: join(folder, name),
      storage: join(folder, 'storage'),
      databaseUrl: database.url,
    });
  const machines = [
    machine('everything', 'standalone'),
    machine('front', 'api', 'scheduler'),
    machine('executor', 'executor', 'scheduler'),
    machine('worker', 'worker'),
    machine('second-worker', 'worker'),
  ];
  const count = async (what: string, table: string): Promise<Violations> => {
    const [row] = await database.query(`SELECT count(*) AS n FROM ${table}`);
    return Number(row?.n) === 0 ? [] : [`${String(row?.n)} ${what} are left although nothing runs.`];
  };
  return {
    surroundings: { machines, restartDatabase: () => server.restart() },
    store: { kind: 'postgres', url: database.url },
    leftovers: async () => [
      ...(await count('jobs', 'graphile_worker._private_jobs')),
      ...(await count('messages', 'execution_messages WHERE refusal IS NULL')),
      ...(await count('begun attempts', 'worker_attempts')),
      ...(await count('places', 'concurrency_slots')),
      ...(await count('state changes', 'flow_events')),
      ...leftFolders(machines.map(({ name }) => join(folder, name))),
    ],
    explain: async () => {
      const texts = await Promise.all(
        openThings.map(
          async ([what, query]) => `${what}: ${JSON.stringify(await database.query(query), null, 1)}`,
        ),
      );
      return texts.join('\n');
    },
    remove: () => server.stop(),
  };
}

const openThings = [
  ['servers', 'SELECT id, gone_at, data FROM servers'],
  ['executions', 'SELECT id, flow_id, state, owner, version FROM executions WHERE closed_at IS NULL'],
  [
    'task runs',
    `SELECT t.data FROM task_runs t JOIN executions e ON e.id = t.execution_id WHERE e.closed_at IS NULL LIMIT 50`,
  ],
  ['messages', 'SELECT * FROM execution_messages LIMIT 50'],
  ['attempts', 'SELECT * FROM worker_attempts LIMIT 50'],
  ['places', 'SELECT * FROM concurrency_slots LIMIT 50'],
  [
    'jobs',
    'SELECT id, locked_by, locked_at, attempts, run_at, last_error, payload FROM graphile_worker._private_jobs LIMIT 50',
  ],
] as const;

/** Folders of tasks that no longer run. */
function leftFolders(dataFolders: readonly string[]): Violations {
  return dataFolders.flatMap((data) => {
    const work = join(data, 'work');
    const left = existsSync(work) ? readdirSync(work, { recursive: true, withFileTypes: true }) : [];
    return left
      .filter((entry) => entry.isFile())
      .map(({ name }) => `A task has left the file ${name} behind.`);
  });
}

async function saveFlows(machines: readonly Machine[], ledger: string): Promise<void> {
  for (const source of chaosFlows(ledger)) await callAny(machines, '/flows', { method: 'POST', source });
}

/** Stops the schedule, so that all executions can finish. */
async function stopSchedule(machines: readonly Machine[]): Promise<void> {
  await Promise.all(machines.map((machine) => machine.start()));
  await callAny(machines, '/flows/chaos/scheduled', { method: 'DELETE' });
}

async function callAny(
  machines: readonly Machine[],
  path: string,
  { method, source }: { readonly method: string; readonly source?: string },
): Promise<void> {
  let problem = 'no server answers';
  for (let tries = 0; tries < 50; tries++) {
    const url = machines.flatMap((machine) => machine.url ?? [])[tries % 2] ?? machines[0]?.url;
    try {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        ...(source === undefined ? {} : { headers: { 'content-type': 'application/x-yaml' }, body: source }),
      });
      if (answer.ok) return;
      problem = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      problem = String(error);
    }
    await wait(200);
  }
  throw new Error(`${method} ${path} did not work: ${problem}`);
}

/** An injected fault must not cause an uncaught error. */
const hasFailed = (machine: Machine): boolean =>
  /was not caught|was not handled|has to be started again/.test(machine.output());
