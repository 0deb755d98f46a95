import { AppError } from '@millrace/contract';
import type { FlowKey, Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { type Admission, holding, type LimitNow, limitOf, type Verdict } from './admission.ts';

interface Places {
  /** Executions that hold a place. */
  readonly holders: Set<string>;
  /** Executions that wait for one, in the order they came. */
  readonly waiting: Set<string>;
}

interface Met {
  readonly revision: number;
  readonly places: Promise<Places>;
}

const pageSize = 1_000;
const maxPages = 1_000;

/**
 * For one server: the places are counted from the rows when a flow is first met with a limit, and then kept here; each
 * decision is made in one piece, so two starts can never both take the last place.
 */
export class LocalAdmission implements Admission {
  readonly #store: Store;
  readonly #flows: Pick<FlowCache, 'find'>;
  readonly #met = new Map<string, Met>();

  constructor(store: Store, flows: Pick<FlowCache, 'find'>) {
    this.#store = store;
    this.#flows = flows;
  }

  async admit(flow: FlowKey, executionId: string): Promise<Verdict> {
    const now = await limitOf(this.#flows, flow);
    if (!now) return { type: 'start' };
    const { limit, behavior } = now.concurrency;
    const { holders, waiting } = await this.#placesOf(flow, now);
    // Those who wait come first: they may be about to get a place that has just become free.
    const hasRoom =
      holders.size + waiting.size < limit || (holders.size < limit && first(waiting) === executionId);
    if (holders.has(executionId) || hasRoom) {
      waiting.delete(executionId);
      holders.add(executionId);
      return { type: 'start' };
    }
    if (behavior === 'QUEUE') waiting.add(executionId);
    return { type: 'refused', behavior, limit };
  }

  async holdPlace(flow: FlowKey, executionId: string): Promise<() => Promise<string[]>> {
    const now = await limitOf(this.#flows, flow);
    if (!now) return async () => [];
    const places = await this.#placesOf(flow, now);
    const { holders, waiting } = places;
    if (holders.has(executionId)) return async () => [];
    const waitedAt = [...waiting].indexOf(executionId);
    waiting.delete(executionId);
    holders.add(executionId);
    return async () => {
      // It may be gone meanwhile, killed or deleted.
      if (!holders.delete(executionId)) return [];
      if (waitedAt >= 0) putBack(waiting, executionId, waitedAt);
      return startNext(places, now.concurrency.limit);
    };
  }

  async release(flow: FlowKey, executionId: string): Promise<string[]> {
    const found = await this.#find(flow);
    if (!found) return [];
    found.places.holders.delete(executionId);
    found.places.waiting.delete(executionId);
    return startNext(found.places, found.limit);
  }

  async fill(flow: FlowKey): Promise<string[]> {
    const found = await this.#find(flow);
    return found ? startNext(found.places, found.limit) : [];
  }

  /** A flow whose limit was removed has places as long as somebody may wait for one, and there is room for all. */
  async #find(flow: FlowKey): Promise<{ places: Places; limit: number } | undefined> {
    const now = await limitOf(this.#flows, flow);
    if (now) return { places: await this.#placesOf(flow, now), limit: now.concurrency.limit };
    const met = this.#met.get(nameOf(flow));
    return met && { places: await met.places, limit: Number.POSITIVE_INFINITY };
  }

  #placesOf(flow: FlowKey, { revision }: LimitNow): Promise<Places> {
    const key = nameOf(flow);
    const known = this.#met.get(key);
    if (known?.revision === revision) return known.places;
    const places = this.#count(flow, known?.places);
    const met = { revision, places };
    this.#met.set(key, met);
    places.catch(() => {
      if (this.#met.get(key) !== met) return;
      if (known) this.#met.set(key, known);
      else this.#met.delete(key);
    });
    return places;
  }

  /** Who runs or waits by the rows, beside those that are known: the revision before may have had no limit. */
  async #count(flow: FlowKey, before: Promise<Places> | undefined): Promise<Places> {
    const places = (await before) ?? { holders: new Set(), waiting: new Set() };
    const [running, queued] = [await this.#list(flow, holding), await this.#list(flow, ['QUEUED'])];
    for (const id of running) if (!places.waiting.has(id)) places.holders.add(id);
    for (const id of queued) if (!places.holders.has(id)) places.waiting.add(id);
    return places;
  }

  async #list({ namespace, id }: FlowKey, states: readonly string[]): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; ; page++) {
      const { results } = await this.#store.listExecutions({
        page,
        size: pageSize,
        sort: [{ field: 'state.startDate', descending: false }],
        filters: [
          { field: 'namespace', operation: 'EQUALS', value: namespace },
          { field: 'flowId', operation: 'EQUALS', value: id },
          { field: 'state', operation: 'IN', value: states },
        ],
      });
      ids.push(...results.map(({ execution }) => execution.id));
      if (results.length < pageSize) return ids;
      if (page > maxPages) throw new AppError('unavailable', `the flow ${id} has too many open executions`);
    }
  }
}

function startNext({ holders, waiting }: Places, limit: number): string[] {
  const started: string[] = [];
  for (const next of waiting) {
    if (holders.size >= limit) break;
    waiting.delete(next);
    holders.add(next);
    started.push(next);
  }
  return started;
}

function putBack(waiting: Set<string>, executionId: string, at: number): void {
  const order = [...waiting];
  order.splice(at, 0, executionId);
  waiting.clear();
  for (const id of order) waiting.add(id);
}

const first = (waiting: ReadonlySet<string>): string | undefined => waiting.values().next().value;

const nameOf = ({ namespace, id }: FlowKey): string => `${namespace}/${id}`;
