import { performance } from 'node:perf_hooks';
import type { LogLevel } from '@millrace/contract';
import type { LogFrontier, Store, StoredLog } from '@millrace/store';
import type { FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { presentLog } from '../presentLog.ts';
import { openEventStream } from './eventStream.ts';

const pageSize = 1_000;
/** An entry may get its id this long before its transaction counts as begun. */
const frontierAgeMs = 250;

interface Selection {
  readonly executionId: string;
  readonly minLevel?: LogLevel;
}

/** Streams stored log entries and then new ones, each once. */
export async function followLogs(
  selection: Selection,
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
      for await (const entry of newLogs.read()) {
        if (!stream.isOpen) return;
        stream.send('progress', presentLog(entry));
        await stream.whenRead();
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
 * Entries of an execution that were not read before. Processes that write at the same time may commit their ids out of
 * order, so everything above the last id that is known to be settled is read again, and what was seen is left out.
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

  async *read(): AsyncGenerator<StoredLog> {
    // Before the entries: what was settled then is among them.
    const frontier = await this.#store.logFrontier?.();
    let lastId = this.#settledId;
    for (let isFull = true; isFull; ) {
      const page = await this.#store.listLogs({ ...this.#selection, afterId: lastId, limit: pageSize });
      for (const entry of page) {
        lastId = entry.id;
        if (this.#seen.has(entry.id)) continue;
        this.#seen.add(entry.id);
        yield entry;
      }
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
