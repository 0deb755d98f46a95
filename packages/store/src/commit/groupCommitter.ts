/** A queued unit: its encoded operations and its size. */
export interface Queued {
  readonly ops: number;
  /**
   * The rows it touches. Two units with a common key never share a group and never run at once.
   * Empty where groups run one after the other and keep the order of their units.
   */
  readonly keys: readonly string[];
}

interface Waiting<U> {
  readonly unit: U;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export interface GroupCommitterOptions<U> {
  /** Commits a group; resolves with one entry per unit: undefined, or why this unit was refused. */
  readonly run: (units: readonly U[]) => Promise<readonly (Error | undefined)[]>;
  /** Called with the durable units before their callers resume. */
  readonly committed: (units: readonly U[]) => void;
  readonly maxOps: number;
  readonly parallel: number;
}

/**
 * Natural group commit. A unit commits at once when a writer is free; while all writers are busy, units
 * accumulate and commit together in the next group. There is no timer: low load adds no delay, and groups
 * grow with the load.
 */
export class GroupCommitter<U extends Queued> {
  readonly #options: GroupCommitterOptions<U>;
  #waiting: Waiting<U>[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #busyKeys = new Set<string>();
  #scheduled = false;

  constructor(options: GroupCommitterOptions<U>) {
    this.#options = options;
  }

  commit(unit: U): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ unit, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when no unit is waiting or being committed. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      this.#launch();
      await Promise.all(this.#running);
    }
  }

  /**
   * Runs after the current event loop turn, so that callers resumed by the last group can join the next one.
   */
  #schedule(): void {
    if (this.#scheduled || this.#running.size >= this.#options.parallel) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#launch();
    });
  }

  #launch(): void {
    while (this.#running.size < this.#options.parallel) {
      const group = this.#take();
      if (group.length === 0) return;
      const running = this.#run(group).finally(() => {
        this.#running.delete(running);
        for (const { unit } of group) for (const key of unit.keys) this.#busyKeys.delete(key);
        this.#schedule();
      });
      this.#running.add(running);
    }
  }

  /**
   * Takes as many waiting units as fit. Units with a busy key stay queued, and so do later units with the
   * same key.
   */
  #take(): Waiting<U>[] {
    const group: Waiting<U>[] = [];
    const left: Waiting<U>[] = [];
    const blocked = new Set<string>();
    let ops = 0;
    for (const waiting of this.#waiting) {
      const { unit } = waiting;
      const full = group.length > 0 && ops + unit.ops > this.#options.maxOps;
      if (full || unit.keys.some((key) => this.#busyKeys.has(key) || blocked.has(key))) {
        for (const key of unit.keys) blocked.add(key);
        left.push(waiting);
        // Without keys, units must be committed strictly in order.
        if (full) ops = this.#options.maxOps;
        continue;
      }
      ops += unit.ops;
      group.push(waiting);
      for (const key of unit.keys) blocked.add(key);
    }
    for (const { unit } of group) for (const key of unit.keys) this.#busyKeys.add(key);
    this.#waiting = left;
    return group;
  }

  async #run(group: readonly Waiting<U>[]): Promise<void> {
    let results: readonly (Error | undefined)[];
    try {
      results = await this.#options.run(group.map(({ unit }) => unit));
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      for (const { reject } of group) reject(failure);
      return;
    }
    this.#options.committed(group.filter((_, index) => results[index] === undefined).map(({ unit }) => unit));
    for (const [index, { resolve, reject }] of group.entries()) {
      const failure = results[index];
      if (failure === undefined) resolve();
      else reject(failure);
    }
  }
}
