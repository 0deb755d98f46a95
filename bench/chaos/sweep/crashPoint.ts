import type { BlobStore } from '@millrace/contract';
import type { Store } from '@millrace/store';

/**
 * The crash of a server at its n-th call: before the call has any effect, or after it and before its
 * response.
 */
export interface Crash {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/** A call of a server to its store or internal storage. */
export interface CallMade {
  readonly name: string;
  /** A crash before the call and one after it leave different states behind. */
  readonly writes: boolean;
}

/**
 * Counts the store and file calls of a server, and crashes it at one of them: no later call is executed, and
 * no response reaches the server. From the outside this equals a killed process.
 */
export class CrashPoint {
  readonly calls: CallMade[] = [];
  readonly crashed: Promise<void>;
  readonly #crash: Crash | undefined;
  #hasCrashed = false;
  #crashNow = () => {};

  constructor(crash?: Crash) {
    this.#crash = crash;
    this.crashed = new Promise((resolve) => {
      this.#crashNow = () => {
        this.#hasCrashed = true;
        resolve();
      };
    });
  }

  get hasCrashed(): boolean {
    return this.#hasCrashed;
  }

  async step<T>(made: CallMade, call: () => Promise<T>): Promise<T> {
    if (this.#hasCrashed) return never();
    this.calls.push(made);
    const isLast = this.calls.length === this.#crash?.call;
    if (isLast && this.#crash?.when === 'before') this.#crashNow();
    if (this.#hasCrashed) return never();
    try {
      return await call();
    } finally {
      if (isLast) this.#crashNow();
      // Also after a failure: a dead process receives nothing.
      if (this.#hasCrashed) await never();
    }
  }
}

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Cluster calls that only read. */
const clusterReads = new Set([
  'unknownOwners',
  'readMessages',
  'findMessage',
  'unwantedAttempts',
  'listAttempts',
  'findAttempt',
  'keptFolders',
  'neglectedSlots',
]);

/** The store of a server that is going to crash. */
export function crashingStore(store: Store, crashPoint: CrashPoint): Store {
  const { cluster } = store;
  return crashing(store, crashPoint, {
    writes: (name) => name === 'commit' || name === 'tidy',
    instead: {
      onChange: (listener: Parameters<Store['onChange']>[0]) =>
        store.onChange((change) => {
          if (!crashPoint.hasCrashed) listener(change);
        }),
      ...(cluster
        ? {
            cluster: crashing(cluster, crashPoint, {
              writes: (name) => !clusterReads.has(name),
              instead: {
                interrupt: (ids: readonly string[]) => {
                  if (!crashPoint.hasCrashed) cluster.interrupt(ids);
                },
              },
            }),
          }
        : {}),
    },
  });
}

/** The same for files. */
export const crashingBlobs = (blobs: BlobStore, crashPoint: CrashPoint): BlobStore =>
  crashing(blobs, crashPoint, {
    writes: (name) => ['put', 'makeFolder', 'move', 'delete'].includes(name),
    instead: { walk: (folder: string) => blobs.walk(folder) },
  });

interface Crashing {
  writes(name: string): boolean;
  /** Replacements for methods that do not return a promise. */
  readonly instead: Readonly<Record<string, unknown>>;
}

function crashing<T extends object>(target: T, crashPoint: CrashPoint, { writes, instead }: Crashing): T {
  return new Proxy(target, {
    get: (_, property) => {
      const name = String(property);
      if (name in instead) return instead[name];
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) =>
        crashPoint.step({ name: describe(name, args), writes: writes(name) }, () =>
          value.apply(target, args),
        );
    },
  });
}

function describe(name: string, [first]: readonly unknown[]): string {
  if (name !== 'commit' || !Array.isArray(first)) return name;
  const ops = new Set(first.map((op: { op: string }) => op.op));
  return `commit(${[...ops].join(', ')})`;
}
