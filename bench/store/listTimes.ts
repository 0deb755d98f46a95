import { openStore, type Store, type StoreConfig } from '@millrace/store';
import { type ListCase, type ListKind, listCases } from './listCases.ts';

export interface ListTime {
  readonly title: string;
  readonly kind: ListKind;
  /** The first query of its kind on a newly opened store: nothing is prepared or cached. */
  readonly firstMs: number;
  /** Of further queries, each with other values. */
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
  // Lists without results are fast, and measure nothing.
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
  // Opens the reading threads or connections, which would otherwise start with the first list.
  await Promise.all(Array.from({ length: 4 }, () => store.listStates([''])));
  const firstMs = await time(0);
  const taken: number[] = [];
  for (let turn = 1; turn <= turns; turn++) taken.push(await time(turn));
  taken.sort((a, b) => a - b);
  return { title, kind, firstMs, p50Ms: quantile(taken, 0.5), p95Ms: quantile(taken, 0.95) };
}

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
