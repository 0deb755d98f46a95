import { performance } from 'node:perf_hooks';
import { type LogLevel, logLevels } from '@millrace/contract';
import type { LogFrontier, Store, StoreChange, StoredLog } from '@millrace/store';
import type { FastifyReply } from 'fastify';
import type { Product } from '../../product.ts';
import { packLogs, presentLog, serializeLogs } from '../../views/presentLog.ts';
import { openEventStream } from './eventStream.ts';

const pageSize = 1_000;
/** An entry may get its id this long before its transaction counts as begun. */
const frontierAgeMs = 250;
/** A follower that is further behind reads its entries from the database. */
const maxHanded = 10_000;

interface Selection {
  readonly executionId: string;
  readonly minLevel?: LogLevel;
}

/** One entry per frame, or those of a page in one frame, with or without what entries share. */
type Form = 'each' | 'batch' | 'packed';

/** Streams stored log entries and then new ones, each once. */
export async function followLogs(
  { form, ...selection }: Selection & { readonly form: Form },
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
        for (const frame of framesOf(entries, form, reply.server.presentNames)) {
          if (!stream.isOpen) return;
          stream.sendJson('progress', frame);
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
  const stopListening = store.onChange((change) => {
    if (newLogs.note(change)) read();
  });
  stream.onClose(stopListening);
  read();
}

/** Followers are handed the same lists, so each list is serialized once in a form. */
function framesOf(
  entries: readonly StoredLog[],
  form: Form,
  present?: (value: unknown) => unknown,
): readonly string[] {
  const known = sharedFrames.get(entries) ?? {};
  sharedFrames.set(entries, known);
  known[form] ??= serialize(entries, form, present);
  return known[form];
}
const sharedFrames = new WeakMap<readonly StoredLog[], { [F in Form]?: readonly string[] }>();

function serialize(
  entries: readonly StoredLog[],
  form: Form,
  present: ((value: unknown) => unknown) | undefined,
): readonly string[] {
  if (form === 'packed') {
    const packed = packLogs(entries);
    return [JSON.stringify(present ? present(packed) : packed)];
  }
  const each = present
    ? entries.map((entry) => JSON.stringify(present(presentLog(entry))))
    : serializeLogs(entries);
  return form === 'batch' ? [`[${each.join(',')}]`] : each;
}

/**
 * Entries of an execution that were not read before. The entries that a change brings along are taken from it; the
 * others are read from the database: at the start, after a gap, when this follower is far behind, and where several
 * processes write. Concurrent writers may commit ids out of order, so all entries above the last settled id are read
 * again, and those already seen are skipped.
 */
export class NewLogs {
  readonly #selection: Selection;
  readonly #store: Pick<Store, 'listLogs' | 'logFrontier'>;
  readonly #now: () => number;
  /** No entry up to this id can still appear. */
  #settledId = 0;
  readonly #seen = new Set<number>();
  #earlier: { readonly frontier: LogFrontier; readonly at: number } | undefined;
  #mustRead = true;
  /** Entries of changes since the last read of the database began. */
  #handed: (readonly StoredLog[])[] = [];
  #handedCount = 0;

  constructor(
    selection: Selection,
    store: Pick<Store, 'listLogs' | 'logFrontier'>,
    now: () => number = () => performance.now(),
  ) {
    this.#selection = selection;
    this.#store = store;
    this.#now = now;
  }

  /** Whether the change added entries, so that they must be read. */
  note({
    logExecutionIds,
    logsOf,
    hasGap,
  }: Pick<StoreChange, 'logExecutionIds' | 'logsOf' | 'hasGap'>): boolean {
    const { executionId, minLevel } = this.#selection;
    const isChanged = logExecutionIds.includes(executionId);
    if (hasGap || (isChanged && logsOf === undefined)) this.#mustRead = true;
    else if (isChanged && logsOf !== undefined && !this.#mustRead) {
      const entries = fromLevel(logsOf(executionId), minLevel);
      this.#handed.push(entries);
      this.#handedCount += entries.length;
      if (this.#handedCount > maxHanded) this.#mustRead = true;
    }
    if (this.#mustRead) this.#clearHanded();
    return isChanged || hasGap === true;
  }

  /** In pages; a page without a new entry is left out. */
  async *read(): AsyncGenerator<readonly StoredLog[]> {
    for (;;) {
      if (this.#mustRead) {
        this.#mustRead = false;
        yield* this.#readStored();
        continue;
      }
      const entries = this.#handed.shift();
      if (entries === undefined) return;
      this.#handedCount -= entries.length;
      // The read of the database that began before the change may have returned them.
      const fresh =
        (entries[0]?.id ?? 0) > this.#settledId ? entries : entries.filter(({ id }) => id > this.#settledId);
      this.#settledId = fresh.at(-1)?.id ?? this.#settledId;
      if (fresh.length > 0) yield fresh;
    }
  }

  async *#readStored(): AsyncGenerator<readonly StoredLog[]> {
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

  #clearHanded(): void {
    this.#handed = [];
    this.#handedCount = 0;
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

/** The entries of a level or above; each list is filtered once for all followers. */
function fromLevel(entries: readonly StoredLog[], minLevel: LogLevel | undefined): readonly StoredLog[] {
  const lowest = logLevels.indexOf(minLevel ?? 'TRACE');
  const isShown = ({ level }: StoredLog): boolean => logLevels.indexOf(level) >= lowest;
  if (entries.every(isShown)) return entries;
  const known = filteredLists.get(entries) ?? new Map<number, readonly StoredLog[]>();
  filteredLists.set(entries, known);
  const shown = known.get(lowest) ?? entries.filter(isShown);
  known.set(lowest, shown);
  return shown;
}
const filteredLists = new WeakMap<readonly StoredLog[], Map<number, readonly StoredLog[]>>();
