import type { BlobStore } from '@millrace/contract';
import type { Store } from '@millrace/store';

/** The end of a server: at one of its calls, counted, before that has any effect or after it and before its answer. */
export interface Crash {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/** What a server has asked of where it keeps things. */
export interface CallMade {
  readonly name: string;
  /** A crash before it and one after it leave different things behind. */
  readonly writes: boolean;
}

/**
 * Counts what a server asks of where it keeps things, and lets it die at one of these calls: nothing that it asks from
 * then on is done, and no answer ever reaches it. That is all the rest of the world can tell of a process that was
 * killed.
 */
export class Doom {
  readonly calls: CallMade[] = [];
  readonly crashed: Promise<void>;
  readonly #crash: Crash | undefined;
  #isDead = false;
  #die = () => {};

  constructor(crash?: Crash) {
    this.#crash = crash;
    this.crashed = new Promise((resolve) => {
      this.#die = () => {
        this.#isDead = true;
        resolve();
      };
    });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  async step<T>(made: CallMade, call: () => Promise<T>): Promise<T> {
    if (this.#isDead) return never();
    this.calls.push(made);
    const isLast = this.calls.length === this.#crash?.call;
    if (isLast && this.#crash?.when === 'before') this.#die();
    if (this.#isDead) return never();
    try {
      return await call();
    } finally {
      if (isLast) this.#die();
      // Also what failed: a dead process hears of nothing.
      if (this.#isDead) await never();
    }
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** What servers only look at. */
const clusterReads = new Set([
  'unknownOwners',
  'readMessages',
  'findMessage',
  'unwantedAttempts',
  'listAttempts',
  'findAttempt',
  'keptFolders',
  'neglectedPlaces',
]);

/** The store as a server sees it that is to die. */
export function doomedStore(store: Store, doom: Doom): Store {
  const { cluster } = store;
  return doomed(store, doom, {
    writes: (name) => name === 'commit' || name === 'tidy',
    instead: {
      onChange: (listener: Parameters<Store['onChange']>[0]) =>
        store.onChange((change) => {
          if (!doom.isDead) listener(change);
        }),
      ...(cluster
        ? {
            cluster: doomed(cluster, doom, {
              writes: (name) => !clusterReads.has(name),
              instead: {
                interrupt: (ids: readonly string[]) => {
                  if (!doom.isDead) cluster.interrupt(ids);
                },
              },
            }),
          }
        : {}),
    },
  });
}

/** The same for files. */
export const doomedBlobs = (blobs: BlobStore, doom: Doom): BlobStore =>
  doomed(blobs, doom, {
    writes: (name) => ['put', 'makeFolder', 'move', 'delete'].includes(name),
    instead: { walk: (folder: string) => blobs.walk(folder) },
  });

interface Doomed {
  writes(name: string): boolean;
  /** What does not answer with a promise. */
  readonly instead: Readonly<Record<string, unknown>>;
}

function doomed<T extends object>(target: T, doom: Doom, { writes, instead }: Doomed): T {
  return new Proxy(target, {
    get: (_, property) => {
      const name = String(property);
      if (name in instead) return instead[name];
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        doom.step({ name: describe(name, args), writes: writes(name) }, () => value.apply(target, args));
    },
  });
}

function describe(name: string, [first]: readonly unknown[]): string {
  if (name !== 'commit' || !Array.isArray(first)) return name;
  const ops = new Set(first.map((op: { op: string }) => op.op));
  return `commit(${[...ops].join(', ')})`;
}
