import { AppError, type Flow } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { Store } from '@millrace/store';

interface Places {
  /** Executions that hold a place. */
  readonly holders: Set<string>;
  /** Executions that wait for one, in the order they came. */
  readonly waiting: string[];
}

export type Verdict = Extract<Event, { type: 'start' | 'refused' }>;

/** What an execution is in while it holds a place. */
export const holding = ['RUNNING', 'PAUSED', 'BREAKPOINT', 'RESTARTED', 'RETRYING', 'KILLING'];

/** Who may run under a flow's concurrency limit. */
export interface Admission {
  /** Decides whether an execution may start. Without a limit the answer is always yes. */
  admit(flow: Flow, executionId: string): Promise<Verdict>;
  /**
   * Someone left the queue or was put back to work by hand: it runs beyond the limit, and holds a place too. Take the
   * place before the change, since the execution may be over as soon as the change is made. Answers how to give it back
   * when the change was refused; giving back tells who may start instead.
   */
  holdPlace(flow: Flow, executionId: string): Promise<() => Promise<string[]>>;
  /** An execution is over, in whatever way: answers who may start now, as long as there is room. */
  release(flow: Flow, executionId: string): Promise<string[]>;
  /** Who may start without anyone having ended: after a restart, or when the limit was raised. */
  fill(flow: Flow): Promise<string[]>;
}

/**
 * For one server: the places are counted from the rows when a flow is first met and then kept here; each decision is
 * made in one piece, so two starts can never both take the last place.
 */
export class LocalAdmission implements Admission {
  readonly #store: Store;
  readonly #places = new Map<string, Promise<Places>>();

  constructor(store: Store) {
    this.#store = store;
  }

  async admit(flow: Flow, executionId: string): Promise<Verdict> {
    if (!flow.concurrency) return { type: 'start' };
    const { limit, behavior } = flow.concurrency;
    const places = await this.#placesOf(flow.namespace, flow.id);
    if (places.holders.has(executionId) || places.holders.size < limit) {
      places.holders.add(executionId);
      return { type: 'start' };
    }
    if (behavior === 'QUEUE' && !places.waiting.includes(executionId)) places.waiting.push(executionId);
    return { type: 'refused', behavior, limit };
  }

  async holdPlace(flow: Flow, executionId: string): Promise<() => Promise<string[]>> {
    const { concurrency } = flow;
    if (!concurrency) return async () => [];
    const places = await this.#placesOf(flow.namespace, flow.id);
    if (places.holders.has(executionId)) return async () => [];
    const waitedAt = places.waiting.indexOf(executionId);
    remove(places.waiting, executionId);
    places.holders.add(executionId);
    return async () => {
      // It may be gone meanwhile, killed or deleted.
      if (!places.holders.delete(executionId)) return [];
      if (waitedAt >= 0) places.waiting.splice(waitedAt, 0, executionId);
      return this.#fill(places, concurrency.limit);
    };
  }

  async release(flow: Flow, executionId: string): Promise<string[]> {
    if (!flow.concurrency) return [];
    const places = await this.#placesOf(flow.namespace, flow.id);
    places.holders.delete(executionId);
    remove(places.waiting, executionId);
    return this.#fill(places, flow.concurrency.limit);
  }

  async fill(flow: Flow): Promise<string[]> {
    if (!flow.concurrency) return [];
    return this.#fill(await this.#placesOf(flow.namespace, flow.id), flow.concurrency.limit);
  }

  #fill({ holders, waiting }: Places, limit: number): string[] {
    const started: string[] = [];
    while (holders.size < limit) {
      const next = waiting.shift();
      if (next === undefined) break;
      holders.add(next);
      started.push(next);
    }
    return started;
  }

  #placesOf(namespace: string, flowId: string): Promise<Places> {
    const key = `${namespace}/${flowId}`;
    const known = this.#places.get(key);
    if (known) return known;
    const counted = this.#count(namespace, flowId);
    this.#places.set(key, counted);
    counted.catch(() => this.#places.delete(key));
    return counted;
  }

  async #count(namespace: string, flowId: string): Promise<Places> {
    const list = async (states: readonly string[]) => {
      const ids: string[] = [];
      for (let page = 1; ; page++) {
        const { results } = await this.#store.listExecutions({
          page,
          size: 1_000,
          sort: [{ field: 'state.startDate', descending: false }],
          filters: [
            { field: 'namespace', operation: 'EQUALS', value: namespace },
            { field: 'flowId', operation: 'EQUALS', value: flowId },
            { field: 'state', operation: 'IN', value: states },
          ],
        });
        ids.push(...results.map(({ execution }) => execution.id));
        if (results.length < 1_000) return ids;
        if (page > 1_000)
          throw new AppError('unavailable', `the flow ${flowId} has too many open executions`);
      }
    };
    return { holders: new Set(await list(holding)), waiting: await list(['QUEUED']) };
  }
}

function remove(list: string[], item: string): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}
