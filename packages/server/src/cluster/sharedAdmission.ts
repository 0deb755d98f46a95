import type { Flow } from '@millrace/contract';
import type { Cluster, FlowKey } from '@millrace/store';
import type { Admission, Verdict } from '../loops/admission.ts';

/** Who may run under a flow's concurrency limit, for several servers: the places are rows that all of them see. */
export class SharedAdmission implements Admission {
  readonly #cluster: Cluster;
  /** Limits that this server has met: the revision that it knew last. */
  readonly #met = new Map<string, number | undefined>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async admit(flow: Flow, executionId: string): Promise<Verdict> {
    if (!flow.concurrency) return { type: 'start' };
    const { limit, behavior } = flow.concurrency;
    await this.#meet(flow);
    const wish = { limit, waits: behavior === 'QUEUE' };
    if (await this.#cluster.takePlace(keyOf(flow), executionId, wish)) return { type: 'start' };
    return { type: 'refused', behavior, limit };
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

  /** The flow may have had no limit before: what runs already counts. */
  async #meet(flow: Flow): Promise<void> {
    const key = `${flow.namespace}/${flow.id}`;
    if (this.#met.has(key) && this.#met.get(key) === flow.revision) return;
    await this.#cluster.enrolPlaces(keyOf(flow));
    this.#met.set(key, flow.revision);
  }
}

const keyOf = ({ namespace, id }: Flow): FlowKey => ({ namespace, id });
