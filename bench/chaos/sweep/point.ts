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
import { type CallMade, type Crash, Doom, doomedBlobs, doomedStore } from './doom.ts';
import { Life, type Time } from './life.ts';
import type { Scenario } from './scenarios.ts';
import { sweepTasks } from './tasks.ts';

/** Where servers keep what must outlive them; SQLite in a folder of its own without an address. */
export interface Place {
  readonly databaseUrl?: string;
  /** Tells the servers that come that those before are dead, which they would find out in a while. */
  bury?(): Promise<void>;
}

export interface PointOutcome {
  readonly violations: Violations;
  /** What the server that did not crash asked for, from its start to its end. */
  readonly calls: readonly CallMade[];
}

/** How long everything may take to come to its end on a busy machine. */
const settleMs = 15_000;

/**
 * Plays a scenario on servers that die at the calls named, one after the other, each time with another one carrying on.
 * The one after the last crash must bring everything to its end. Answers what does not hold then.
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
      const doom = new Doom(crashes[life]);
      const server = new Server(doom, config, catalogue, time);
      const lived = live(server);
      // A dead one may still stumble over what it cannot do any more.
      lived.catch(() => {});
      const violations = await Promise.race([lived, doom.crashed]);
      if (violations) return { violations: [...violations, ...leftFiles()], calls: doom.calls };
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

  /** What does not hold, or nothing as soon as everything does. */
  async function settled(rows: Store): Promise<Violations> {
    for (const until = Date.now() + settleMs; ; await wait(5)) {
      const violations = await untilReached(() => checkScenario(scenario, { accepted, ledger }, rows));
      if (violations.length === 0 || Date.now() > until) return violations;
    }
  }

  /**
   * Servers that share a database leave the folders of others alone while their process lives, and here the dead ones
   * have the process of the living.
   */
  function leftFiles(): Violations {
    if (databaseUrl !== undefined) return [];
    const work = join(folder.path, 'work');
    const left = existsSync(work) ? readdirSync(work, { recursive: true, withFileTypes: true }) : [];
    return left.filter((entry) => entry.isFile()).map(({ name }) => `The file ${name} is left behind.`);
  }
}

/** On a busy machine a database may not answer in time; whoever uses a server asks again then. */
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
  readonly #doom: Doom;
  readonly #options: Pick<Parameters<typeof openProduct>[0], 'config' | 'catalogue'>;
  readonly #time: Time;
  #rows: Store | undefined;
  #product: OpenProduct | undefined;

  constructor(
    doom: Doom,
    config: Parameters<typeof openProduct>[0]['config'],
    catalogue: PluginCatalogue,
    time: Time,
  ) {
    this.#doom = doom;
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
          return doomedStore(store, this.#doom);
        },
        blobs: (blobs) => doomedBlobs(blobs, this.#doom),
      },
    });
    this.#product = product;
    if (!rows) throw new Error('The product was opened without a store.');
    return { product, rows };
  }

  /** Lets go of what a dead process does not hold any more. */
  async clearAway({ bury }: Place): Promise<void> {
    // Only their timers: what they ask for is not done any more, so nobody waits for them.
    void this.#product?.scheduler.stop();
    void this.#product?.janitor.stop();
    if (!this.#rows) return;
    await bury?.();
    await this.#rows.close();
  }
}
