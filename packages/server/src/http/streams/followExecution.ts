import { setTimeout as wait } from 'node:timers/promises';
import type { Store, StoredExecution } from '@millrace/store';
import type { FastifyReply } from 'fastify';
import { removedIn } from '../../executor/recordedEntries.ts';
import type { Snapshot } from '../../executor/watchers.ts';
import type { Product } from '../../product.ts';
import { type EventStream, openEventStream } from './eventStream.ts';
import { type ViewKind, ViewsBetween } from './stateChanges.ts';

const appearsWithinMs = 10_000;
const pollEveryMs = 500;
/** Frames of a large execution are large: a pause of a millisecond per ten task runs bounds the cost of following it. */
const taskRunsPerMs = 10;
/** Shorter pauses would only delay changes without merging them. */
const shortestPauseMs = 20;

/** Rows of the log that are read for task runs that were removed. */
const maxRemovedRows = 500;

type Parts = Pick<Product, 'store' | 'watchers' | 'clock' | 'executor' | 'log'>;

/**
 * Streams an execution: `start` at once, `progress` for each state change of the execution and its task runs, `end` with
 * the last one. Of an execution with very many task runs, the frame of a change holds only the task run that changed, and
 * the frame after several changes all of them. With `history` the stream begins with the changes since the execution was created, otherwise with its
 * current state. The follower subscribes before the first read, so that no change falls between the two.
 */
export async function followExecution(
  executionId: string,
  { history, packed }: { readonly history: boolean; readonly packed: boolean },
  reply: FastifyReply,
  parts: Parts,
): Promise<void> {
  const { store, watchers, executor } = parts;
  const stream = openEventStream(reply);
  stream.send('start', { id: executionId, labels: [], deleted: false });
  const sender = new SnapshotSender(executionId, stream, parts);
  const stopWatching = watchers.watch(executionId, (snapshot) => sender.offer(snapshot));
  let reading: Promise<void> = Promise.resolve();
  let isWanted = false;
  let nextSeq = 0;
  /** One read at a time; changes during a read lead to one more. */
  const offerStored = () => {
    if (isWanted) return;
    isWanted = true;
    reading = reading.then(async () => {
      isWanted = false;
      try {
        const stored = stream.isOpen ? await store.getExecution(executionId) : undefined;
        if (!stored) {
          stream.end();
          return;
        }
        sender.offer(history ? await withRemoved(stored, nextSeq, store) : stored);
        nextSeq = stored.eventSeq + 1;
      } catch {
        // The client reconnects and starts from the stored state.
        stream.end();
      }
    });
  };
  const stopListening = store.onChange(({ executionIds, hasGap }) => {
    // Executions of this process are published with each commit; others are read when they are stored.
    const isConcerned = hasGap || executionIds.includes(executionId);
    if (isConcerned && sender.hasBegun && !executor.holds(executionId)) offerStored();
  });
  stream.onClose(() => {
    stopWatching();
    stopListening();
  });
  const first = await readWhenThere(
    () => store.getExecution(executionId),
    () => stream.isOpen,
  );
  // The status is sent already; browsers report a broken connection as an error.
  if (!first) reply.raw.destroy();
  else sender.begin(history ? await withRemoved(first, 0, store) : first, { history, packed });
}

/** Adds the task runs that a restart or a loop has taken out of the execution: only its log has them. */
async function withRemoved(
  stored: StoredExecution,
  from: number,
  store: Pick<Store, 'listEvents'>,
): Promise<Snapshot> {
  const { execution, taskRuns, eventSeq } = stored;
  const known = new Set(taskRuns.map(({ id }) => id));
  const query = { from, mentions: ['"type":"removed"'], limit: maxRemovedRows };
  const removed = (await store.listEvents(execution.id, query))
    .filter(({ seq }) => seq <= eventSeq)
    .flatMap((row) => removedIn(execution.id, row))
    .filter(({ taskRun }) => !known.has(taskRun.id));
  return { ...stored, removed };
}

/** Sends what changes from one snapshot to the next, at the pace of the reader. */
class SnapshotSender {
  hasBegun = false;
  readonly #executionId: string;
  readonly #stream: EventStream;
  readonly #parts: Pick<Parts, 'clock' | 'log'>;
  #newest: Snapshot | undefined;
  readonly #sentRemoved = new Set<string>();
  #sent: Snapshot | undefined;
  #isSending = false;
  #kind: ViewKind = { isWholeOnly: false, isPacked: false };
  #endPause = () => {};

  constructor(executionId: string, stream: EventStream, parts: Pick<Parts, 'clock' | 'log'>) {
    this.#executionId = executionId;
    this.#stream = stream;
    this.#parts = parts;
    stream.onClose(() => this.#endPause());
  }

  begin(first: Snapshot, { history, packed }: { history: boolean; packed: boolean }): void {
    this.hasBegun = true;
    this.#kind = { isWholeOnly: !history, isPacked: packed };
    // Compared with a copy of itself, a snapshot has one view: the current state.
    if (!history) this.#sent = { ...first };
    // Newer snapshots can arrive during the first read; they lack the task runs that were removed before.
    if (this.#newest && first.version <= this.#newest.version)
      this.#newest = this.#joined(first, this.#newest);
    this.offer(first);
    this.#sendMore();
  }

  /** Snapshots that are older than a known one are ignored. */
  offer(snapshot: Snapshot): void {
    if (this.#newest && snapshot.version <= this.#newest.version) return;
    const isUnsent = this.#newest !== undefined && this.#newest !== this.#sent;
    this.#newest = this.#joined(isUnsent ? this.#newest : undefined, snapshot);
    if (hasEnded(snapshot)) this.#endPause();
    this.#sendMore();
  }

  /** The snapshot with the removed task runs of an earlier one that was not sent; each is sent once. */
  #joined(earlier: Snapshot | undefined, snapshot: Snapshot): Snapshot {
    const all = [...(earlier?.removed ?? []), ...(snapshot.removed ?? [])];
    if (all.length === 0) return snapshot;
    const byId = new Map(all.map((one) => [one.taskRun.id, one]));
    for (const id of this.#sentRemoved) byId.delete(id);
    return { ...snapshot, removed: [...byId.values()] };
  }

  #sendMore(): void {
    if (this.#isSending || !this.hasBegun || this.#newest === this.#sent) return;
    this.#isSending = true;
    this.#send()
      .catch((error: unknown) => {
        this.#parts.log.error('An execution could not be followed.', {
          executionId: this.#executionId,
          error,
        });
        this.#stream.end();
      })
      .finally(() => {
        this.#isSending = false;
        if (this.#stream.isOpen) this.#sendMore();
      });
  }

  async #send(): Promise<void> {
    const current = this.#newest;
    if (!current) return;
    for (const { taskRun } of current.removed ?? []) this.#sentRemoved.add(taskRun.id);
    const views = ViewsBetween.of(this.#sent, current, this.#kind).views(this.#parts.clock());
    for (const { execution, isLast } of views) {
      this.#stream.send(isLast && hasEnded(current) ? 'end' : 'progress', execution);
      await this.#stream.whenRead();
      if (!this.#stream.isOpen) return;
    }
    this.#sent = current;
    if (hasEnded(current)) this.#stream.end();
    else await this.#pause(current.taskRuns.length / taskRunsPerMs);
  }

  async #pause(ms: number): Promise<void> {
    if (ms < shortestPauseMs || (this.#newest && hasEnded(this.#newest))) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const hasEnded = ({ execution }: Snapshot): boolean => execution.closedAt !== undefined;

/** An execution may be followed a moment before it is stored. */
export async function readWhenThere<T>(
  read: () => Promise<T | undefined>,
  isWanted: () => boolean,
): Promise<T | undefined> {
  for (let waited = 0; waited <= appearsWithinMs && isWanted(); waited += pollEveryMs) {
    const found = await read();
    if (found) return found;
    await wait(pollEveryMs);
  }
  return undefined;
}
