import { performance } from 'node:perf_hooks';
import type { LogLevel } from '@millrace/contract';
import type { LogFrontier, Store, StoredLog } from '@millrace/store';
import type { FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { presentLog } from '../../views/presentLog.ts';
import { openEventStream } from './eventStream.ts';

const pageSize = 1_000;
/** An entry may get its id this long before its transaction counts as begun. */
const frontierAgeMs = 250;

interface Selection {
  readonly executionId: string;
  readonly minLevel?: LogLevel;
}

/** Streams stored log entries and then new ones, each once: one per frame, or those of a page in one frame. */
export async function followLogs(
  { isBatched, ...selection }: Selection & { readonly isBatched: boolean },
  reply: FastifyReply,
  { store, log }: Pick<Product, 'store' | 'log'>,
): Promise<void> {
  const stream = openEventStream(reply);
  stream.send('start', {});
  const newLogs = new NewLogs(selection, store);
  let isReading = false;
  let hasMore = true;
  const readOn = async () => {
    hasMore = true;
    if (isReading) return;
    isReading = true;
    while (hasMore && stream.isOpen) {
      hasMore = false;
      for await (const entries of newLogs.read()) {
        const views = entries.map(presentLog);
        for (const frame of isBatched ? [views] : views) {
          if (!stream.isOpen) return;
          stream.send('progress', frame);
          await stream.whenRead();
        }
      }
    }
    isReading = false;
  };
  const read = () => {
    readOn().catch((error: unknown) => {
      log.error('A log stream could not be read on.', { executionId: selection.executionId, error });
      stream.end();
    });
  };
  const stopListening = store.onChange(({ logExecutionIds, hasGap }) => {
    if (hasGap || logExecutionIds.includes(selection.executionId)) read();
  });
  stream.onClose(stopListening);
  read();
}

/**
 * Entries of an execution that were not read before. Concurrent writers may commit ids out of order, so all
 * entries above the last settled id are read again, and those already seen are skipped.
 */
export class NewLogs {
  readonly #selection: Selection;
  readonly #store: Pick<Store, 'listLogs' | 'logFrontier'>;
  readonly #now: () => number;
  /** No entry up to this id can still appear. */
  #settledId = 0;
  readonly #seen = new Set<number>();
  #earlier: { readonly frontier: LogFrontier; readonly at: number } | undefined;

  constructor(
    selection: Selection,
    store: Pick<Store, 'listLogs' | 'logFrontier'>,
    now: () => number = () => performance.now(),
  ) {
    this.#selection = selection;
    this.#store = store;
    this.#now = now;
  }

  /** In pages; a page without a new entry is left out. */
  async *read(): AsyncGenerator<readonly StoredLog[]> {
    // Read before the entries, so that all entries settled by then are among them.
    const frontier = await this.#store.logFrontier?.();
    let lastId = this.#settledId;
    for (let isFull = true; isFull; ) {
      const page = await this.#store.listLogs({ ...this.#selection, afterId: lastId, limit: pageSize });
      const fresh = page.filter(({ id }) => !this.#seen.has(id));
      for (const { id } of fresh) this.#seen.add(id);
      lastId = page.at(-1)?.id ?? lastId;
      if (fresh.length > 0) yield fresh;
      isFull = page.length === pageSize;
    }
    this.#settle(frontier, lastId);
  }

  #settle(frontier: LogFrontier | undefined, lastId: number): void {
    if (!frontier) {
      // One writer commits in the order of the ids.
      this.#settledId = lastId;
      this.#seen.clear();
      return;
    }
    const at = this.#now();
    this.#earlier ??= { frontier, at };
    const { frontier: earlier } = this.#earlier;
    if (frontier.oldestOpen < earlier.next || at - this.#earlier.at < frontierAgeMs) return;
    this.#settledId = earlier.lastId;
    for (const id of this.#seen) if (id <= this.#settledId) this.#seen.delete(id);
    this.#earlier = { frontier, at };
  }
}
