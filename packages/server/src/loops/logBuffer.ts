import type { LogRecord, MetricRecord } from '@millrace/contract';
import type { Op, Store } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';

const flushAfterMs = 100;
/** Above this much in unwritten rows, whoever logs is asked to wait. */
const fullAtBytes = 8 * 1_048_576;
/** What a row takes besides its message: a flood of empty lines fills the memory too. */
const rowBytes = 256;
/** One flush is one unit of at most this many rows, so that a flood does not hold up the states of others. */
const maxUnit = 1_000;

/**
 * Log lines and metrics on their way to the store. They leave with the next commit of their execution, or by
 * themselves after 100 ms.
 */
export class LogBuffer {
  readonly #store: Store;
  readonly #log: ProcessLog;
  readonly #pending = new Map<string, Op[]>();
  /** Executions of a flush in several units: what came since must not overtake what has not been handed over. */
  #writing: ReadonlySet<string> = new Set();
  #sizeBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  constructor(store: Store, log: ProcessLog) {
    this.#store = store;
    this.#log = log;
  }

  /** A promise when too much is waiting; it settles once there is room again. */
  addLog(executionId: string, log: LogRecord): void | Promise<void> {
    const op: Op = { op: 'log.insert', log };
    this.#sizeBytes += sizeOf(op);
    this.#add(executionId, op);
    if (this.#sizeBytes > fullAtBytes) return this.flush();
  }

  addMetric(executionId: string, metric: MetricRecord): void {
    this.#add(executionId, { op: 'metric.insert', metric });
  }

  /** The rows of one execution, now the caller's to commit. */
  take(executionId: string): readonly Op[] {
    const ops = this.#pending.get(executionId);
    if (!ops || this.#writing.has(executionId)) return none;
    this.#pending.delete(executionId);
    for (const op of ops) this.#sizeBytes -= sizeOf(op);
    return ops;
  }

  /** Writes everything that waits. One flush runs at a time; a second call waits for it and for what came since. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    if (this.#pending.size === 0) return;
    this.#flushing = this.#write().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async close(): Promise<void> {
    await this.flush();
    clearTimeout(this.#timer);
  }

  #add(executionId: string, op: Op): void {
    const ops = this.#pending.get(executionId);
    if (ops) ops.push(op);
    else this.#pending.set(executionId, [op]);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, flushAfterMs);
  }

  async #write(): Promise<void> {
    const ops = [...this.#pending.values()].flat();
    if (ops.length > maxUnit) this.#writing = new Set(this.#pending.keys());
    this.#pending.clear();
    this.#sizeBytes = 0;
    for (let start = 0; start < ops.length; start += maxUnit) {
      // A log line that cannot be written must not take the execution with it.
      await this.#store.commit(ops.slice(start, start + maxUnit)).catch((error: unknown) => {
        this.#log.error('Log lines could not be stored.', { error });
      });
    }
    this.#writing = new Set();
  }
}

const none: readonly Op[] = [];

function sizeOf(op: Op): number {
  return op.op === 'log.insert' ? rowBytes + op.log.message.length : 0;
}
