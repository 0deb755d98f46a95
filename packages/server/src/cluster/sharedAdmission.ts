import type { Flow } from '@millrace/contract';
import type { Cluster, FlowKey } from '@millrace/store';
import type { Admission, Verdict } from '../loops/admission.ts';

/** Who may run under a flow's concurrency limit, for several servers: the places are rows that all of them see. */
export class SharedAdmission implements Admission {
  readonly #cluster: Cluster;
  /** Limits that this server has met: the revision that it knew last. */
  readonly #met = new Map<string, number | undefined>();
  /** The last one of each flow that asks for a place on this server. */
  readonly #lines = new Map<string, Promise<unknown>>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async admit(flow: Flow, executionId: string): Promise<Verdict> {
    if (!flow.concurrency) return { type: 'start' };
    const { limit, behavior } = flow.concurrency;
    const wish = { limit, waits: behavior === 'QUEUE' };
    const isPlaced = await this.#inLine(flow, async () => {
      await this.#meet(flow);
      return this.#cluster.takePlace(keyOf(flow), executionId, wish);
    });
    return isPlaced ? { type: 'start' } : { type: 'refused', behavior, limit };
  }

  async holdPlace(flow: Flow, executionId: string): Promise<() => Promise<string[]>> {
    const { concurrency } = flow;
    if (!concurrency) return async () => [];
    await this.#meet(flow);
    const had = await this.#cluster.forcePlace(keyOf(flow), executionId);
    if (had === 'held') return async () => [];
    const leaving = { executionId, waitsAgain: had === 'waited' };
    return () => this.#cluster.fillPlaces(keyOf(flow), concurrency.limit, leaving);
  }

  async release(flow: Flow, executionId: string): Promise<string[]> {
    if (!flow.concurrency) return [];
    await this.#meet(flow);
    const leaving = { executionId, waitsAgain: false };
    return this.#cluster.fillPlaces(keyOf(flow), flow.concurrency.limit, leaving);
  }

  async fill(flow: Flow): Promise<string[]> {
    if (!flow.concurrency) return [];
    await this.#meet(flow);
    return this.#cluster.fillPlaces(keyOf(flow), flow.concurrency.limit);
  }

  /** The database takes transactions in any order: those who come first on this server ask first. */
  async #inLine<T>(flow: Flow, ask: () => Promise<T>): Promise<T> {
    const key = nameOf(flow);
    const before = this.#lines.get(key) ?? Promise.resolve();
    const asked = before.then(ask, ask);
    this.#lines.set(key, asked);
    try {
      return await asked;
    } finally {
      if (this.#lines.get(key) === asked) this.#lines.delete(key);
    }
  }

  /** The flow may have had no limit before: what runs already counts. */
  async #meet(flow: Flow): Promise<void> {
    const key = nameOf(flow);
    if (this.#met.has(key) && this.#met.get(key) === flow.revision) return;
    await this.#cluster.enrolPlaces(keyOf(flow));
    this.#met.set(key, flow.revision);
  }
}

const nameOf = ({ namespace, id }: Flow): string => `${namespace}/${id}`;
const keyOf = ({ namespace, id }: Flow): FlowKey => ({ namespace, id });
