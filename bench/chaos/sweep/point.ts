import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { coreFamily } from '@millrace/plugin-core';
import { loadedFamily, type PluginCatalogue } from '@millrace/plugin-kit';
import { scriptsFamily } from '@millrace/plugin-scripts';
import { isUnavailable, type Store } from '@millrace/store';
import { temporaryFolder } from '@millrace/store/suite';
import { loadConfig } from '../../../packages/server/src/config/load.ts';
import { type OpenProduct, openProduct } from '../../../packages/server/src/openProduct.ts';
import { openCatalogue } from '../../../packages/server/src/plugins/openCatalogue.ts';
import { aSilentLog } from '../../../packages/server/src/testing/silentLog.ts';
import { nothingAccepted } from '../drive.ts';
import type { Violations } from '../invariants.ts';
import { checkScenario } from './checkScenario.ts';
import { type CallMade, type Crash, CrashPoint, crashingBlobs, crashingStore } from './crashPoint.ts';
import { Life, type Time } from './life.ts';
import type { Scenario } from './scenarios.ts';
import { sweepTasks } from './tasks.ts';

/** The storage that outlives the servers; without a URL, SQLite in a separate folder. */
export interface Place {
  readonly databaseUrl?: string;
  /** Marks the previous servers as gone, instead of waiting for missed heartbeats. */
  expire?(): Promise<void>;
}

export interface PointOutcome {
  readonly violations: Violations;
  /** The calls of the server that did not crash, from start to shutdown. */
  readonly calls: readonly CallMade[];
}

/** How long all executions may take to finish on a busy machine. */
const settleMs = 15_000;

/**
 * Runs a scenario on servers that crash at the named calls, one after the other; each time another server
 * resumes. The server after the last crash must finish everything. Returns the violations after that.
 */
export async function playPoint(
  scenario: Scenario,
  crashes: readonly Crash[],
  place: Place,
): Promise<PointOutcome> {
  const folder = temporaryFolder();
  const ledger: string[] = [];
  const accepted = nothingAccepted();
  const time: Time = { aheadMs: 0 };
  const { databaseUrl } = place;
  const { config } = loadConfig({
    env: {},
    flags: { data: folder.path, ...(databaseUrl === undefined ? {} : { database: { url: databaseUrl } }) },
  });
  const catalogue = await openCatalogue(
    config.plugins,
    aSilentLog(),
    [coreFamily, scriptsFamily, { name: 'sweep', groups: [], types: sweepTasks(ledger) }].map(loadedFamily),
  );
  try {
    for (let life = 0; ; life++) {
      const crashPoint = new CrashPoint(crashes[life]);
      const server = new Server(crashPoint, config, catalogue, time);
      const lived = live(server);
      // A crashed server may still throw when its resources are gone.
      lived.catch(() => {});
      const violations = await Promise.race([lived, crashPoint.crashed]);
      if (violations) return { violations: [...violations, ...leftFiles()], calls: crashPoint.calls };
      await server.clearAway(place);
    }
  } finally {
    folder.remove();
  }

  async function live(server: Server): Promise<Violations> {
    const { product, rows } = await server.open();
    const life = new Life(product, rows, accepted, time);
    await untilReached(async () => {
      for (const source of scenario.flows) await life.save(source);
      await scenario.drive(life);
    });
    const violations = await settled(rows);
    await product.close(0);
    return violations;
  }

  /** Waits until there are no violations; returns the remaining ones after a timeout. */
  async function settled(rows: Store): Promise<Violations> {
    for (const until = Date.now() + settleMs; ; await wait(5)) {
      const violations = await untilReached(() => checkScenario(scenario, { accepted, ledger }, rows));
      if (violations.length === 0 || Date.now() > until) return violations;
    }
  }

  /**
   * Skipped on a shared database: servers do not delete the folders of another server while its process
   * lives, and here crashed servers run in the same process as live ones.
   */
  function leftFiles(): Violations {
    if (databaseUrl !== undefined) return [];
    const work = join(folder.path, 'work');
    const left = existsSync(work) ? readdirSync(work, { recursive: true, withFileTypes: true }) : [];
    return left.filter((entry) => entry.isFile()).map(({ name }) => `The file ${name} is left behind.`);
  }
}

/** On a busy machine a database may not respond in time, so the client retries. */
async function untilReached<T>(ask: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + settleMs; ; await wait(100)) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > until) throw error;
    }
  }
}

class Server {
  readonly #crashPoint: CrashPoint;
  readonly #options: Pick<Parameters<typeof openProduct>[0], 'config' | 'catalogue'>;
  readonly #time: Time;
  #rows: Store | undefined;
  #product: OpenProduct | undefined;

  constructor(
    crashPoint: CrashPoint,
    config: Parameters<typeof openProduct>[0]['config'],
    catalogue: PluginCatalogue,
    time: Time,
  ) {
    this.#crashPoint = crashPoint;
    this.#options = { config, catalogue };
    this.#time = time;
  }

  async open(): Promise<{ product: OpenProduct; rows: Store }> {
    let rows: Store | undefined;
    const product = await openProduct({
      ...this.#options,
      env: {},
      log: aSilentLog(),
      clock: () => Date.now() + this.#time.aheadMs,
      wrap: {
        store: (store) => {
          rows = store;
          this.#rows = store;
          return crashingStore(store, this.#crashPoint);
        },
        blobs: (blobs) => crashingBlobs(blobs, this.#crashPoint),
      },
    });
    this.#product = product;
    if (!rows) throw new Error('The product was opened without a store.');
    return { product, rows };
  }

  /** Releases resources that a dead process would no longer hold. */
  async clearAway({ expire }: Place): Promise<void> {
    // Stops only the timers: their calls never resolve any more, so they are not awaited.
    void this.#product?.scheduler.stop();
    void this.#product?.janitor.stop();
    if (!this.#rows) return;
    await expire?.();
    await this.#rows.close();
  }
}
