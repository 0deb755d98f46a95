import { setTimeout as wait } from 'node:timers/promises';
import type { Machine } from './machines.ts';
import type { Random } from './random.ts';

/** The faults that can be injected around the servers. */
export interface Surroundings {
  readonly machines: readonly Machine[];
  /** Kills the database and starts it again; absent where it is part of the server. */
  readonly restartDatabase?: () => Promise<void>;
  /** Fills the data disk for a moment; absent where that is not possible. */
  readonly fillDisk?: () => Promise<void>;
}

type Fault = (random: Random) => Promise<void>;

export interface Injected {
  readonly name: string;
  count: number;
}

/** Injects faults at random moments until it is stopped. Returns the count of each fault. */
export async function injectFaults(
  surroundings: Surroundings,
  random: Random,
  pauseMs: { readonly least: number; readonly most: number },
  isOver: () => boolean,
): Promise<Injected[]> {
  const faults = faultsOf(surroundings);
  const injected = new Map<string, Injected>();
  // Each kind once before any repeats, and faults around the servers first, so that a short run includes
  // them.
  let bag: [string, Fault][] = [];
  while (!isOver()) {
    await wait(random.between(pauseMs.least, pauseMs.most));
    if (isOver()) break;
    if (bag.length === 0) bag = random.shuffle([...faults]).sort(([a], [b]) => rankOf(a) - rankOf(b));
    const next = bag.shift();
    if (!next) break;
    const [name, fault] = next;
    const entry = injected.get(name) ?? { name, count: 0 };
    injected.set(name, entry);
    entry.count++;
    await fault(random);
  }
  return [...injected.values()];
}

const aroundServers = ['crash of the database', 'disk full'];
const rankOf = (name: string): number => (aroundServers.includes(name) ? 0 : 1);

function faultsOf({ machines, restartDatabase, fillDisk }: Surroundings): Map<string, Fault> {
  const kill =
    (machine: Machine, signal: NodeJS.Signals): Fault =>
    async (random) => {
      await machine.stop(signal);
      await wait(random.between(0, 1_500));
      await machine.start();
    };
  const hang =
    (machine: Machine): Fault =>
    async (random) => {
      machine.signal('SIGSTOP');
      await wait(random.between(1_000, 5_000));
      machine.signal('SIGCONT');
    };
  const faults = new Map<string, Fault>();
  for (const machine of machines) {
    faults.set(`kill -9 ${machine.name}`, kill(machine, 'SIGKILL'));
    faults.set(`stop ${machine.name}`, kill(machine, 'SIGTERM'));
    faults.set(`hang ${machine.name}`, hang(machine));
  }
  if (restartDatabase) faults.set('crash of the database', restartDatabase);
  if (fillDisk) faults.set('disk full', fillDisk);
  return faults;
}
