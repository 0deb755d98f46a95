import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStore, type Store } from '@millrace/store';
import { createTestDatabase, type TestDatabase, temporaryFolder } from '@millrace/store/suite';
import { nothingAccepted } from '../drive.ts';
import { namespace } from '../flows.ts';
import type { Violations } from '../invariants.ts';
import { checkScenario } from '../sweep/checkScenario.ts';
import type { CallMade, Crash } from '../sweep/crashPoint.ts';
import { createTemplate } from '../sweep/places.ts';
import { type Scenario, scenarios } from '../sweep/scenarios.ts';
import { momentsOf, type SweepReport } from '../sweep/sweep.ts';
import { type Order, type Role, roles } from './orders.ts';
import { ServerProcess } from './serverProcess.ts';

export interface HandOverOptions {
  /** The PostgreSQL server for the databases; defaults to that of the tests. */
  readonly serverUrl?: string;
  /** Selects the moments to try; defaults to all. */
  readonly pick?: <T>(moments: readonly T[]) => readonly T[];
  readonly say?: (text: string) => void;
}

interface Death {
  readonly role: Role;
  readonly crash: Crash;
}

/** A worker group also sends pure tasks to the workers, which report start and end in one message. */
const group = 'far';
const said = (id: string) =>
  `  - { id: ${id}, type: core.log.Log, message: ["one", "two", "three"], workerGroup: { key: ${group} } }\n`;
const computing: Scenario = {
  name: 'tasks that only compute',
  flows: [`id: computing\nnamespace: ${namespace}\ntasks:\n${said('first')}${said('second')}`],
  drive: async (life) => {
    await life.start('computing', '0');
  },
  expected: { computing: 1 },
};

/** Scenarios that need only a start: attempts, retries, folders on a worker, and pure tasks. */
const handedOver = [
  ...scenarios.filter(
    ({ expected }) => 'steps' in expected || 'retrying' in expected || 'shared' in expected,
  ),
  computing,
];

/** How long all executions may take to finish on a busy machine. */
const settleMs = 40_000;

/**
 * Sends work from an executor through the queue to a worker and back, each in a separate process. Kills one
 * of the processes at each of its store and file calls in turn; another process takes its role.
 */
export async function sweepHandOver({
  serverUrl,
  pick,
  say = () => {},
}: HandOverOptions): Promise<SweepReport> {
  const idle: ServerProcess[] = [];
  const template = await createTemplate(serverUrl);
  const violations: Violations = [];
  let crashes = 0;
  try {
    for (const [index, scenario] of handedOver.entries()) {
      const undisturbed = await play(scenario);
      for (const sentence of undisturbed.violations)
        violations.push(`${scenario.name}, undisturbed: ${sentence}`);
      const moments = roles.flatMap((role) => deathsOf(role, undisturbed.calls.get(role) ?? [], index === 0));
      const picked = pick ? pick(moments) : moments;
      for (const { name, ...death } of picked) {
        const outcome = await play(scenario, death);
        crashes += outcome.hasDied ? 1 : 0;
        for (const sentence of outcome.violations)
          violations.push(`${scenario.name}, the ${death.role} killed ${name}: ${sentence}`);
      }
      const played = `${picked.length} of ${moments.length} moments`;
      say(`${scenario.name}, through the queue: ${played}, ${violations.length} violations so far`);
    }
  } finally {
    for (const server of idle) server.end();
    await template.drop();
  }
  return { crashes, violations };

  async function play(scenario: Scenario, death?: Death) {
    const folder = temporaryFolder();
    const database = await createTestDatabase(serverUrl, template);
    const rows = await openStore({ kind: 'postgres', url: database.url });
    const stage = new Stage(scenario, folder.path, database, rows, idle);
    try {
      const violations = await stage.play(death);
      return { violations, hasDied: stage.hasDied, calls: await stage.close() };
    } catch (error) {
      stage.abandon();
      return {
        violations: [String(error)],
        hasDied: stage.hasDied,
        calls: new Map<Role, readonly CallMade[]>(),
      };
    } finally {
      await rows.close();
      await database.drop();
      folder.remove();
    }
  }
}

/**
 * The moments of one server. A call that is repeated while idle is tried once between two commits; start and
 * shutdown are the same in every scenario, so they are tried once.
 */
function deathsOf(
  role: Role,
  calls: readonly CallMade[],
  isFirst: boolean,
): (Death & { readonly name: string })[] {
  const tried = new Set<string>();
  let changes = 0;
  const isNew = calls.map(({ name }) => {
    const isChange = name.startsWith('commit');
    if (isChange) changes++;
    const key = `${changes} ${name}`;
    if (tried.has(key) || !(isChange || isFirst)) return false;
    tried.add(key);
    return true;
  });
  return momentsOf(calls).flatMap(({ crashes: [crash], name }) =>
    crash && isNew[crash.call - 1] ? [{ role, crash, name }] : [],
  );
}

/** One run of a scenario: three servers on a database, one of which may be killed and replaced. */
class Stage {
  hasDied = false;
  readonly #scenario: Scenario;
  readonly #folder: string;
  readonly #ledger: string;
  readonly #database: TestDatabase;
  readonly #rows: Store;
  readonly #idle: ServerProcess[];
  readonly #servers = new Map<Role, ServerProcess>();
  readonly #accepted = nothingAccepted();

  constructor(
    scenario: Scenario,
    folder: string,
    database: TestDatabase,
    rows: Store,
    idle: ServerProcess[],
  ) {
    this.#scenario = scenario;
    this.#folder = folder;
    this.#ledger = join(folder, 'ledger');
    this.#database = database;
    this.#rows = rows;
    this.#idle = idle;
    writeFileSync(this.#ledger, '');
  }

  async play(death: Death | undefined): Promise<Violations> {
    await Promise.all(roles.map((role) => this.#open(role, death?.role === role ? death.crash : undefined)));
    await this.#drive();
    for (let until = Date.now() + settleMs; ; await wait(20)) {
      // The start time of a new process on a busy machine does not count.
      if (await this.#replaceExpired()) until = Date.now() + settleMs;
      const violations = await this.#check();
      if (violations.length === 0 || Date.now() > until) return violations;
    }
  }

  /** Returns the calls of each server that was not killed. */
  async close(): Promise<Map<Role, readonly CallMade[]>> {
    const calls = new Map<Role, readonly CallMade[]>();
    for (const [role, server] of this.#servers) {
      const answer = await server.ask({ order: 'close' });
      if (!answer) continue;
      calls.set(role, answer.calls ?? []);
      this.#idle.push(server);
    }
    return calls;
  }

  abandon(): void {
    for (const server of this.#servers.values()) server.end();
  }

  async #open(role: Role, crash?: Crash): Promise<void> {
    const server = this.#idle.pop() ?? new ServerProcess();
    this.#servers.set(role, server);
    const { url: databaseUrl } = this.#database;
    const data = join(this.#folder, 'data');
    const order: Order = { order: 'open', role, data, databaseUrl, ledger: this.#ledger };
    const grouped: Order = this.#scenario === computing ? { ...order, group } : order;
    const answer = await server.ask(crash ? { ...grouped, crash } : grouped);
    if (answer?.problem !== undefined) throw new Error(`The ${role} did not open: ${answer.problem}`);
    if (!answer) await this.#replace(role, server);
  }

  async #drive(): Promise<void> {
    const { flows, expected } = this.#scenario;
    const order: Order = { order: 'drive', flows, starts: Object.keys(expected) };
    for (let tries = 0; tries < 20; tries++) {
      const answer = await this.#servers.get('api')?.ask(order);
      for (const [key, id] of Object.entries(answer?.started ?? {})) this.#accepted.started.set(key, id);
      if (answer && answer.problem === undefined) return;
      await this.#replaceExpired();
      await wait(100);
    }
    throw new Error('The flows could not be started.');
  }

  async #replaceExpired(): Promise<boolean> {
    let hasReplaced = false;
    for (const [role, server] of this.#servers) {
      if (!server.hasEnded) continue;
      await this.#replace(role, server);
      hasReplaced = true;
    }
    return hasReplaced;
  }

  /** Marks the dead server as gone, instead of waiting for the others to miss its heartbeats. */
  async #replace(role: Role, dead: ServerProcess): Promise<void> {
    this.hasDied = true;
    const servers = await this.#database.query('SELECT id FROM servers WHERE gone_at IS NULL');
    const ids = servers.map(({ id }) => String(id)).filter((id) => id.includes(`-${dead.pid}-`));
    await this.#rows.cluster?.expire(ids, 0);
    await this.#open(role);
  }

  async #check(): Promise<Violations> {
    const ledger = readFileSync(this.#ledger, 'utf8').split('\n').filter(Boolean);
    const violations = await checkScenario(this.#scenario, { accepted: this.#accepted, ledger }, this.#rows);
    const left = {
      jobs: 'graphile_worker._private_jobs',
      'attempts of workers': 'worker_attempts',
      'messages between servers': 'execution_messages',
      'folders of workers': 'worker_folders',
    };
    for (const [what, table] of Object.entries(left)) {
      const [row] = await this.#database.query(`SELECT count(*) FROM ${table}`);
      if (Number(row?.count) > 0) violations.push(`${String(row?.count)} ${what} are left.`);
    }
    return violations;
  }
}
