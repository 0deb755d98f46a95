import type { Cluster, FlowKey } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { type Admission, type LimitNow, limitOf, type Verdict } from '../executor/admission.ts';

type Leaving = Parameters<Cluster['fillSlots']>[2];

/** Stands for no limit. */
const everyone = Number.MAX_SAFE_INTEGER;

/** Concurrency limits for several servers: the slots are rows of the shared database. */
export class SharedAdmission implements Admission {
  readonly #cluster: Cluster;
  readonly #flows: Pick<FlowCache, 'find'>;
  readonly #isHeld: () => boolean;
  /** Limits that this server has met: the revision that it knew last. */
  readonly #met = new Map<string, number>();
  /** The last one of each flow that asks for a place on this server. */
  readonly #lines = new Map<string, Promise<unknown>>();

  /** While `isHeld` is true, queued executions stay queued. */
  constructor(cluster: Cluster, flows: Pick<FlowCache, 'find'>, isHeld: () => boolean = () => false) {
    this.#cluster = cluster;
    this.#flows = flows;
    this.#isHeld = isHeld;
  }

  async admit(flow: FlowKey, executionId: string): Promise<Verdict> {
    return this.#inLine(flow, async (now) => {
      if (!now) return { type: 'start' };
      const { limit, behavior } = now.concurrency;
      const wish = { limit, waits: behavior === 'QUEUE' };
      await this.#meet(flow, now);
      const isPlaced = await this.#cluster.takeSlot(flow, executionId, wish);
      return isPlaced ? { type: 'start' } : { type: 'refused', behavior, limit };
    });
  }

  async reserveSlot(flow: FlowKey, executionId: string): Promise<() => Promise<string[]>> {
    const now = await limitOf(this.#flows, flow);
    if (!now) return async () => [];
    await this.#meet(flow, now);
    const had = await this.#cluster.forceSlot(flow, executionId);
    if (had === 'held') return async () => [];
    const leaving = { executionId, as: had === 'waited' ? 'waiting' : 'refused' } as const;
    return () => this.#fillSlots(flow, now.concurrency.limit, leaving);
  }

  async release(flow: FlowKey, executionId: string): Promise<string[]> {
    return this.#fill(flow, { executionId, as: 'ended' });
  }

  async fill(flow: FlowKey): Promise<string[]> {
    return this.#fill(flow);
  }

  /** Starts executions that wait for a limit that was removed. Flows that never had a limit have none. */
  async #fill(flow: FlowKey, leaving?: Leaving): Promise<string[]> {
    if (!this.#met.has(nameOf(flow)) && !(await limitOf(this.#flows, flow))) return [];
    return this.#inLine(flow, async (now) => {
      if (now) await this.#meet(flow, now);
      return this.#fillSlots(flow, now?.concurrency.limit ?? everyone, leaving);
    });
  }

  /** Without a free slot, only the leaving execution is recorded. */
  #fillSlots(flow: FlowKey, limit: number, leaving: Leaving): Promise<string[]> {
    return this.#cluster.fillSlots(flow, this.#isHeld() ? 0 : limit, leaving);
  }

  /**
   * The database takes transactions in any order: those who come first on this server ask first. Each asks with the limit of
   * its turn, so that one that was lowered while others waited holds for them too.
   */
  async #inLine<T>(flow: FlowKey, ask: (now: LimitNow | undefined) => Promise<T>): Promise<T> {
    const key = nameOf(flow);
    const before = this.#lines.get(key) ?? Promise.resolve();
    const turn = async () => ask(await limitOf(this.#flows, flow));
    const asked = before.then(turn, turn);
    this.#lines.set(key, asked);
    try {
      return await asked;
    } finally {
      if (this.#lines.get(key) === asked) this.#lines.delete(key);
    }
  }

  /** The flow may have had no limit before: what runs already counts. */
  async #meet(flow: FlowKey, { revision }: LimitNow): Promise<void> {
    const key = nameOf(flow);
    if (this.#met.get(key) === revision) return;
    await this.#cluster.enrolSlots(flow);
    this.#met.set(key, revision);
  }
}

const nameOf = ({ namespace, id }: FlowKey): string => `${namespace}/${id}`;
