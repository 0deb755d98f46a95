import { AppError, playgroundKind } from '@millrace/contract';
import type { FlowKey, Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import { type Admission, holding, type LimitNow, limitOf, type Verdict } from './admission.ts';

interface Slots {
  /** Executions that hold a place. */
  readonly holders: Set<string>;
  /** Executions that wait for one, in the order they came. */
  readonly waiting: Set<string>;
  /** Holders that ended and hold their slot again before it was released; that release is void. */
  readonly again: Set<string>;
}

interface Met {
  readonly revision: number;
  readonly slots: Promise<Slots>;
}

const pageSize = 1_000;
const maxPages = 1_000;

/**
 * Concurrency limits for one server. The slots of a flow are counted from the rows on first use and then kept in memory;
 * each decision is synchronous, so two starts never take the last slot.
 */
export class LocalAdmission implements Admission {
  readonly #store: Store;
  readonly #flows: Pick<FlowCache, 'find'>;
  readonly #isHeld: () => boolean;
  readonly #met = new Map<string, Met>();

  /** While `isHeld` is true, queued executions stay queued. */
  constructor(store: Store, flows: Pick<FlowCache, 'find'>, isHeld: () => boolean = () => false) {
    this.#store = store;
    this.#flows = flows;
    this.#isHeld = isHeld;
  }

  async admit(flow: FlowKey, executionId: string): Promise<Verdict> {
    const now = await limitOf(this.#flows, flow);
    if (!now) return { type: 'start' };
    const { limit, behavior } = now.concurrency;
    const slots = await this.#slotsOf(flow, now);
    if (take(slots, executionId, limit)) return { type: 'start' };
    const { holders, waiting } = slots;
    if (behavior === 'QUEUE' && waiting.size > 0) {
      waiting.add(executionId);
      return { type: 'refused', behavior, limit };
    }
    // It waits while the rows are read, so that a release can start it and a kill removes it.
    const isNew = !waiting.has(executionId);
    waiting.add(executionId);
    let isAdmitted = false;
    try {
      const ended = await this.#endedOf([...holders].filter((id) => !slots.again.has(id)));
      const isGone = !waiting.has(executionId) && !holders.has(executionId);
      isAdmitted = !isGone && take(slots, executionId, limit, ended);
    } finally {
      if (!isAdmitted && isNew && behavior !== 'QUEUE') waiting.delete(executionId);
    }
    return isAdmitted ? { type: 'start' } : { type: 'refused', behavior, limit };
  }

  async reserveSlot(flow: FlowKey, executionId: string): Promise<() => Promise<string[]>> {
    const now = await limitOf(this.#flows, flow);
    if (!now) return async () => [];
    const slots = await this.#slotsOf(flow, now);
    const { holders, waiting, again } = slots;
    const hasEnded = holders.has(executionId) && (await this.#endedOf([executionId])).size > 0;
    if (holders.has(executionId)) {
      if (!hasEnded || again.has(executionId)) return async () => [];
      again.add(executionId);
    }
    const waitedAt = [...waiting].indexOf(executionId);
    waiting.delete(executionId);
    holders.add(executionId);
    return async () => {
      // The release of its earlier end is still to come.
      if (again.delete(executionId)) return [];
      // It may be gone meanwhile, killed or deleted.
      if (!holders.delete(executionId)) return [];
      if (waitedAt >= 0) putBack(waiting, executionId, waitedAt);
      return this.#startNext(slots, now.concurrency.limit);
    };
  }

  async release(flow: FlowKey, executionId: string): Promise<string[]> {
    const found = await this.#find(flow);
    if (!found || found.slots.again.delete(executionId)) return [];
    found.slots.holders.delete(executionId);
    found.slots.waiting.delete(executionId);
    return this.#startNext(found.slots, found.limit);
  }

  async fill(flow: FlowKey): Promise<string[]> {
    const found = await this.#find(flow);
    return found ? this.#startNext(found.slots, found.limit) : [];
  }

  /** A flow whose limit was removed keeps its slots while executions can wait for one; their number is unlimited then. */
  async #find(flow: FlowKey): Promise<{ slots: Slots; limit: number } | undefined> {
    const now = await limitOf(this.#flows, flow);
    if (now) return { slots: await this.#slotsOf(flow, now), limit: now.concurrency.limit };
    const met = this.#met.get(nameOf(flow));
    return met && { slots: await met.slots, limit: Number.POSITIVE_INFINITY };
  }

  #startNext(slots: Slots, limit: number): string[] {
    return this.#isHeld() ? [] : startNext(slots, limit);
  }

  #slotsOf(flow: FlowKey, { revision }: LimitNow): Promise<Slots> {
    const key = nameOf(flow);
    const known = this.#met.get(key);
    if (known?.revision === revision) return known.slots;
    const slots = this.#count(flow, known?.slots);
    const met = { revision, slots };
    this.#met.set(key, met);
    slots.catch(() => {
      if (this.#met.get(key) !== met) return;
      if (known) this.#met.set(key, known);
      else this.#met.delete(key);
    });
    return slots;
  }

  /**
   * Holders whose end is stored although this server may not know it yet: the response to a commit can be late or lost.
   * They keep their entries until `release`, because a restart can have reserved the slot again.
   */
  async #endedOf(holders: readonly string[]): Promise<ReadonlySet<string>> {
    const states = await this.#store.listStates(holders);
    return new Set(states.filter(({ isClosed }) => isClosed).map(({ id }) => id));
  }

  /** Adds the executions that run or wait by the rows: the revision before can have had no limit. */
  async #count(flow: FlowKey, before: Promise<Slots> | undefined): Promise<Slots> {
    const slots = (await before) ?? { holders: new Set(), waiting: new Set(), again: new Set() };
    const [running, queued] = [await this.#list(flow, holding), await this.#list(flow, ['QUEUED'])];
    for (const id of running) if (!slots.waiting.has(id)) slots.holders.add(id);
    for (const id of queued) if (!slots.holders.has(id)) slots.waiting.add(id);
    return slots;
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
      ids.push(
        ...results.flatMap(({ execution }) => (execution.kind === playgroundKind ? [] : execution.id)),
      );
      if (results.length < pageSize) return ids;
      if (page > maxPages) throw new AppError('unavailable', `the flow ${id} has too many open executions`);
    }
  }
}

/** Gives the execution a slot if one is free beside those who wait longer: one of them can be about to get it. */
function take(
  { holders, waiting }: Slots,
  executionId: string,
  limit: number,
  ended: ReadonlySet<string> = new Set(),
): boolean {
  let free = limit - holders.size;
  for (const id of ended) if (holders.has(id)) free++;
  for (const id of waiting) {
    if (free <= 0 || id === executionId) break;
    free--;
  }
  if (free <= 0 && !holders.has(executionId)) return false;
  waiting.delete(executionId);
  holders.add(executionId);
  return true;
}

function startNext({ holders, waiting }: Slots, limit: number): string[] {
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

const nameOf = ({ namespace, id }: FlowKey): string => `${namespace}/${id}`;
