import { openStore, type StoreConfig } from '../openStore.ts';
import type { Store } from '../port/store.ts';
import { type ListCase, type ListKind, listCases } from './listCases.ts';

export interface ListTime {
  readonly title: string;
  readonly kind: ListKind;
  /** The first question of its kind to a store that has just been opened: nothing of it is prepared or remembered. */
  readonly firstMs: number;
  /** Of further questions, each about something else. */
  readonly p50Ms: number;
  readonly p95Ms: number;
}

export interface ListTimesOptions {
  readonly turns: number;
  readonly now: number;
  readonly only?: (timed: ListCase) => boolean;
}

export async function listTimes(
  config: StoreConfig,
  { turns, now, only = () => true }: ListTimesOptions,
): Promise<ListTime[]> {
  const ids = await withStore(config, someIds);
  const times: ListTime[] = [];
  for (const timed of listCases(now, ids).filter(only)) {
    times.push(await withStore(config, (store) => timeOf(timed, store, turns)));
  }
  return times;
}

async function withStore<T>(config: StoreConfig, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(config);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** From different days, none of them the newest. */
async function someIds(store: Store): Promise<string[]> {
  const pages = await Promise.all(
    [40, 400, 4_000].map((page) => store.listExecutions({ filters: [], page, size: 20 })),
  );
  // Lists that find nothing are quick, and say nothing.
  if (pages.some(({ total }) => total === 0))
    throw new Error('No execution is listed: the fill is incomplete.');
  return pages.flatMap(({ results }) => results.map(({ execution }) => execution.id));
}

async function timeOf({ title, kind, ask }: ListCase, store: Store, turns: number): Promise<ListTime> {
  const time = async (turn: number): Promise<number> => {
    const begun = performance.now();
    await ask(store, turn);
    return performance.now() - begun;
  };
  // The threads or connections that lists are read by are opened by their first user, whoever that is.
  await Promise.all(Array.from({ length: 4 }, () => store.listStates([''])));
  const firstMs = await time(0);
  const taken: number[] = [];
  for (let turn = 1; turn <= turns; turn++) taken.push(await time(turn));
  taken.sort((a, b) => a - b);
  return { title, kind, firstMs, p50Ms: quantile(taken, 0.5), p95Ms: quantile(taken, 0.95) };
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
