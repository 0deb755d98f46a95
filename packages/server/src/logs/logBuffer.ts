import { setTimeout as delay } from 'node:timers/promises';
import type { LogRecord, MetricRecord } from '@millrace/contract';
import { Conflict, isUnavailable, type Op, type Store } from '@millrace/store';
import { newId } from '../newId.ts';
import type { ProcessLog } from '../processLog.ts';

const flushAfterMs = 100;
/** Above this size of unwritten rows, writers wait (backpressure). */
const fullAtBytes = 8 * 1_048_576;
/** The overhead of a row besides its message: a flood of empty lines fills the memory too. */
const rowBytes = 256;
/** The maximum rows per flush, so that a flood of lines does not delay state changes. */
const maxUnit = 1_000;
const retryDelaysMs = [100, 500, 2_000, 5_000];
/** A server that stops while its database is unreachable drops its rows after this time. */
const closeWithinMs = 5_000;

/**
 * Log lines and metrics on their way to the store. They leave with the next commit of their execution, or by
 * themselves after 100 ms. Rows that cannot be stored now are kept and tried again while their writers wait; only a row
 * that the database refuses while it accepts others is dropped.
 */
export class LogBuffer {
  readonly #store: Store;
  readonly #log: ProcessLog;
  readonly #pending = new Map<string, Op[]>();
  /** Executions with rows in the current flush: newer rows must not overtake them. */
  #writing: ReadonlySet<string> = new Set();
  #sizeBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  /** The mark of the last stored unit; the next unit removes it. */
  #lastMark: string | undefined;
  #closeBy: number | undefined;
  #hasTrouble = false;
  /** Task runs whose rows wait until their attempt is accepted. */
  readonly #held = new Map<string, Hold>();

  constructor(store: Store, log: ProcessLog) {
    this.#store = store;
    this.#log = log;
  }

  /** A promise when too much is waiting; it settles once there is room again. */
  addLog(executionId: string, log: LogRecord): void | Promise<void> {
    const hold = this.#held.get(log.taskRunId ?? '');
    if (hold?.isRefused) return;
    this.#add(executionId, [{ op: 'log.insert', log }]);
    if (this.#sizeBytes <= fullAtBytes) return;
    return hold ? hold.settled : this.flush();
  }

  addMetric(executionId: string, metric: MetricRecord): void {
    if (this.#held.get(metric.taskRunId ?? '')?.isRefused) return;
    this.#add(executionId, [{ op: 'metric.insert', metric }]);
  }

  /**
   * Keeps the rows of a task run until its attempt is accepted. `accept` lets them go. `refuse` drops them and those
   * that follow: another worker runs the attempt and writes the same rows. `end` must follow.
   */
  hold(executionId: string, taskRunId: string): { accept(): void; refuse(): void; end(): void } {
    let settle = () => {};
    const hold: Hold = {
      isRefused: false,
      settled: new Promise((resolve) => {
        settle = resolve;
      }),
    };
    this.#held.set(taskRunId, hold);
    const isCurrent = () => this.#held.get(taskRunId) === hold;
    return {
      accept: () => {
        if (isCurrent()) this.#held.delete(taskRunId);
        settle();
        this.#schedule();
      },
      refuse: () => {
        if (isCurrent()) this.#drop(executionId, taskRunId);
        hold.isRefused = true;
        settle();
      },
      end: () => {
        if (isCurrent()) this.#held.delete(taskRunId);
        settle();
        this.#schedule();
      },
    };
  }

  /**
   * Takes the rows of one execution, or of one of its task runs, for the caller to commit. If the commit
   * fails, the caller puts them back. Waits for rows that are being written, to keep the order.
   */
  async take(executionId: string, taskRunId?: string): Promise<readonly Op[]> {
    while (this.#writing.has(executionId)) await this.#flushing;
    return this.#drop(executionId, taskRunId);
  }

  /** Takes the rows out of the buffer. */
  #drop(executionId: string, taskRunId?: string): readonly Op[] {
    const ops = this.#pending.get(executionId);
    if (!ops) return none;
    const taken = taskRunId === undefined ? ops : ops.filter((op) => taskRunOf(op) === taskRunId);
    const left = taskRunId === undefined ? none : ops.filter((op) => taskRunOf(op) !== taskRunId);
    if (left.length === 0) this.#pending.delete(executionId);
    else this.#pending.set(executionId, [...left]);
    this.#sizeBytes -= bytesOf(taken);
    return taken;
  }

  /** Puts back rows that were taken and not stored, before all newer rows. */
  putBack(executionId: string, ops: readonly Op[]): void {
    if (ops.length === 0) return;
    const newer = this.#pending.get(executionId) ?? none;
    this.#pending.delete(executionId);
    this.#add(executionId, ops);
    this.#pending.get(executionId)?.push(...newer);
  }

  /** Drops the rows of an execution that is not stored, or no longer stored. */
  drop(executionId: string): void {
    this.#sizeBytes -= bytesOf(this.#pending.get(executionId) ?? none);
    this.#pending.delete(executionId);
  }

  /** Writes all buffered rows. One flush runs at a time; a second call waits and flushes newer rows. */
  async flush(): Promise<void> {
    while (this.#flushing) await this.#flushing;
    if (![...this.#pending.values()].some((ops) => ops.some((op) => !this.#isHeld(op)))) return;
    this.#flushing = this.#write().finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async close(): Promise<void> {
    this.#closeBy = Date.now() + closeWithinMs;
    await this.flush();
    clearTimeout(this.#timer);
    if (this.#lastMark === undefined) return;
    await this.#store.commit([{ op: 'setting.put', key: this.#lastMark, value: undefined }]).catch(() => {});
  }

  #add(executionId: string, added: readonly Op[]): void {
    this.#sizeBytes += bytesOf(added);
    const ops = this.#pending.get(executionId);
    if (ops) ops.push(...added);
    else this.#pending.set(executionId, [...added]);
    this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, flushAfterMs);
  }

  #isHeld(op: Op): boolean {
    return this.#held.size > 0 && this.#held.has(taskRunOf(op) ?? '');
  }

  async #write(): Promise<void> {
    const ops: Op[] = [];
    const writing = new Set<string>();
    for (const [executionId, rows] of [...this.#pending]) {
      const held = rows.filter((op) => this.#isHeld(op));
      if (held.length === 0) this.#pending.delete(executionId);
      else this.#pending.set(executionId, held);
      if (held.length === rows.length) continue;
      ops.push(...(held.length === 0 ? rows : rows.filter((op) => !this.#isHeld(op))));
      writing.add(executionId);
    }
    this.#writing = writing;
    for (let start = 0; start < ops.length; start += maxUnit) {
      const unit = ops.slice(start, start + maxUnit);
      await this.#keepTrying(unit);
      this.#sizeBytes -= bytesOf(unit);
    }
    this.#writing = new Set();
  }

  /** Resolves when the rows are stored, or known never to be. */
  async #keepTrying(rows: readonly Op[]): Promise<void> {
    // The mark is inserted in exactly one commit, so a retry after a lost response stores nothing twice.
    const mark = `${markPrefix}${newId()}`;
    for (let tries = 0; ; tries++) {
      try {
        await this.#commit(mark, rows);
        return this.#noteSuccess();
      } catch (error) {
        if (error instanceof Conflict) {
          this.#lastMark = mark;
          return this.#noteSuccess();
        }
        if (!isUnavailable(error) && (await this.#storesWithout(mark))) return this.#isolate(rows, error);
        if (this.#closeBy !== undefined && Date.now() > this.#closeBy) {
          this.#log.error('Log lines and metrics are lost: the server stops and cannot store them.', {
            rows: rows.length,
            error,
          });
          return;
        }
        if (!this.#hasTrouble)
          this.#log.error('Log lines and metrics cannot be stored now; they are kept and tried again.', {
            rows: rows.length,
            error,
          });
        this.#hasTrouble = true;
        await delay(retryDelaysMs[Math.min(tries, retryDelaysMs.length - 1)]);
      }
    }
  }

  async #commit(mark: string, rows: readonly Op[]): Promise<void> {
    const last = this.#lastMark;
    await this.#store.commit([
      { op: 'setting.put', key: mark, value: 1, mustBeNew: true },
      ...(last === undefined ? [] : [{ op: 'setting.put', key: last, value: undefined } as const]),
      ...rows,
    ]);
    this.#lastMark = mark;
  }

  /** Whether the same commit works without its rows: then the rows are at fault, not the database. */
  async #storesWithout(mark: string): Promise<boolean> {
    try {
      await this.#commit(mark, none);
      return true;
    } catch {
      return false;
    }
  }

  /** One row that cannot be stored must not take the others with it. */
  async #isolate(rows: readonly Op[], error: unknown): Promise<void> {
    if (rows.length > 1) {
      const middle = rows.length >> 1;
      await this.#keepTrying(rows.slice(0, middle));
      return this.#keepTrying(rows.slice(middle));
    }
    const [row] = rows;
    const about = row?.op === 'log.insert' ? row.log : row?.op === 'metric.insert' ? row.metric : undefined;
    this.#log.error('The database refuses a log line or metric; it is dropped.', {
      executionId: about?.executionId,
      taskRunId: about?.taskRunId,
      error,
    });
  }

  #noteSuccess(): void {
    if (this.#hasTrouble) this.#log.info('Log lines and metrics can be stored again; none was lost.');
    this.#hasTrouble = false;
  }
}

interface Hold {
  isRefused: boolean;
  /** Resolves when the attempt is accepted or refused. */
  readonly settled: Promise<void>;
}

const markPrefix = 'log-batch/';
const none: readonly Op[] = [];

const taskRunOf = (op: Op): string | undefined =>
  op.op === 'log.insert' ? op.log.taskRunId : op.op === 'metric.insert' ? op.metric.taskRunId : undefined;

const bytesOf = (ops: readonly Op[]): number =>
  ops.reduce((sum, op) => sum + rowBytes + (op.op === 'log.insert' ? op.log.message.length : 0), 0);
