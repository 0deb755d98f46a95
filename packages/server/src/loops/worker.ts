import type { ExecutionRecord, Task, TaskRunRecord } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { Variables } from '@millrace/expression';
import type { ProcessLog } from '../processLog.ts';
import { FairQueue } from './fairQueue.ts';
import { Interruption } from './interruption.ts';

/** One attempt of a task run that is to be run. */
export interface Attempt {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly attempt: number;
  readonly task: Task;
  readonly sideEffects: boolean;
  /** The name of the folder that this one shares with its siblings. */
  readonly directoryOf?: string;
}

/** What is known of an attempt once the execution has accepted its start. */
export interface Begun {
  readonly execution: ExecutionRecord;
  readonly taskRun: TaskRunRecord;
  readonly variables: Variables;
  /** Texts that its logs must not show. */
  readonly secrets: readonly string[];
}

export type AttemptEnd = Omit<Extract<Event, { type: 'taskEnded' }>, 'type' | 'taskRunId' | 'attempt'>;

/** The executor, as a worker sees it. */
export interface AttemptPort {
  /** Undefined when the attempt is not wanted any more. */
  begin(attempt: Attempt): Promise<Begun | undefined>;
  end(attempt: Attempt, end: AttemptEnd): void;
  /** Called once for every submitted attempt, whether it ran or not. */
  left(attempt: Attempt): void;
}

export type RunAttempt = (attempt: Attempt, begun: Begun, interruption: Interruption) => Promise<AttemptEnd>;

export interface WorkerOptions {
  /** Attempts that run at the same time. */
  readonly slots: number;
  readonly runAttempt: RunAttempt;
  readonly port: AttemptPort;
  readonly log: ProcessLog;
}

/** Runs attempts in a bounded number of slots. What a task does wrong ends that task, never the process. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #waiting = new FairQueue<Attempt>();
  readonly #running = new Map<Attempt, Interruption>();
  #isStopping = false;
  #whenIdle: (() => void) | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get slots(): number {
    return this.#options.slots;
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** What runs right now. */
  running(): readonly Attempt[] {
    return [...this.#running.keys()];
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Whether it runs, or waits to run, and will be answered. */
  isAt(taskRunId: string, attempt: number): boolean {
    const isIt = (other: Attempt) => other.taskRunId === taskRunId && other.attempt === attempt;
    for (const [running, { reason }] of this.#running) if (isIt(running)) return reason !== 'shutdown';
    return this.#waiting.some(isIt);
  }

  submit(attempt: Attempt): void {
    if (this.#isStopping) return;
    if (this.#running.size < this.#options.slots && this.#waiting.size === 0) void this.#run(attempt);
    else this.#waiting.add(attempt.executionId, attempt);
  }

  /** Runs an attempt at once, whoever waits; settles when it has left. For those who do the waiting themselves. */
  async run(attempt: Attempt): Promise<void> {
    if (this.#isStopping) throw new Error('The worker is stopping.');
    await this.#run(attempt);
  }

  interrupt(taskRunIds: readonly string[]): void {
    const ids = new Set(taskRunIds);
    for (const [attempt, interruption] of this.#running) {
      if (ids.has(attempt.taskRunId)) interruption.interrupt('kill');
    }
  }

  interruptExecution(executionId: string): void {
    for (const [attempt, interruption] of this.#running) {
      if (attempt.executionId === executionId) interruption.interrupt('kill');
    }
    for (const attempt of this.#waiting.remove(executionId, () => true)) this.#options.port.left(attempt);
  }

  /** What runs for the execution is not wanted from here any more: it is interrupted and its answer is not given. */
  abandonExecution(executionId: string): void {
    for (const [attempt, interruption] of this.#running) {
      if (attempt.executionId === executionId) interruption.interrupt('shutdown');
    }
    for (const attempt of this.#waiting.remove(executionId, () => true)) this.#options.port.left(attempt);
  }

  /** The same for everything that runs. Answers what that was. */
  abandonAll(): readonly Attempt[] {
    for (const interruption of this.#running.values()) interruption.interrupt('shutdown');
    return this.running();
  }

  /**
   * Takes no more work and lets short work finish. What is still running then is interrupted without an answer: its
   * task runs stay RUNNING and the next start runs them again.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.#idleWithin(graceMs);
    for (const interruption of this.#running.values()) interruption.interrupt('shutdown');
    await this.#idleWithin(3_000);
  }

  async #run(attempt: Attempt): Promise<void> {
    const { port, runAttempt, log } = this.#options;
    const interruption = new Interruption();
    this.#running.set(attempt, interruption);
    try {
      const begun = await port.begin(attempt);
      if (begun) {
        const end = await runAttempt(attempt, begun, interruption);
        if (interruption.reason !== 'shutdown') port.end(attempt, end);
      }
    } catch (error) {
      log.error('An attempt could not be run.', { taskRunId: attempt.taskRunId, error });
      port.end(attempt, { state: 'FAILED' });
    } finally {
      this.#running.delete(attempt);
      port.left(attempt);
      this.#takeNext();
    }
  }

  #takeNext(): void {
    if (this.#isStopping) {
      if (this.#running.size === 0) this.#whenIdle?.();
      return;
    }
    while (this.#running.size < this.#options.slots) {
      const next = this.#waiting.take();
      if (!next) return;
      void this.#run(next);
    }
  }

  async #idleWithin(timeMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      timer = setTimeout(resolve, timeMs);
    });
    clearTimeout(timer);
  }
}
