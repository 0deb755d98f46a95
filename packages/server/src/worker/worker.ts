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

/** The context of an attempt whose start the execution accepted. */
export interface StartedAttempt {
  readonly execution: ExecutionRecord;
  readonly taskRun: TaskRunRecord;
  readonly variables: Variables;
  /** Texts that its logs must not show. */
  readonly secrets: readonly string[];
}

export type AttemptEnd = Omit<Extract<Event, { type: 'taskEnded' }>, 'type' | 'taskRunId' | 'attempt'>;

/** The executor, as a worker sees it. */
export interface AttemptPort {
  /** Undefined when the attempt is no longer needed. */
  begin(attempt: Attempt): Promise<StartedAttempt | undefined>;
  end(attempt: Attempt, end: AttemptEnd): void;
  /** Called once for every submitted attempt, whether it ran or not. */
  left(attempt: Attempt): void;
}

export type RunAttempt = (
  attempt: Attempt,
  started: StartedAttempt,
  interruption: Interruption,
) => Promise<AttemptEnd>;

interface Submitted {
  readonly attempt: Attempt;
  readonly port: AttemptPort;
}

export interface WorkerOptions {
  /** Attempts that run at the same time. */
  readonly slots: number;
  readonly runAttempt: RunAttempt;
  readonly log: ProcessLog;
}

/** Runs attempts in a bounded number of slots. An error of a task ends that task, never the process. */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #waiting = new FairQueue<Submitted>();
  readonly #running = new Map<Attempt, Interruption>();
  readonly #startedAt = new Map<Attempt, number>();
  #isStopping = false;
  #isHeld = false;
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

  /** Attempts that run now. */
  running(): readonly Attempt[] {
    return [...this.#running.keys()];
  }

  /** Attempts that run now, with the time that they were started here. */
  runningSince(): { readonly attempt: Attempt; readonly startedAt: number }[] {
    return [...this.#startedAt].map(([attempt, startedAt]) => ({ attempt, startedAt }));
  }

  /** While held, submitted attempts wait; running ones continue. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#takeNext();
  }

  get waitingCount(): number {
    return this.#waiting.size;
  }

  /** Whether the attempt runs or waits here, and will report its end. */
  isAt(taskRunId: string, attempt: number): boolean {
    const isIt = (other: Attempt) => other.taskRunId === taskRunId && other.attempt === attempt;
    for (const [running, { reason }] of this.#running) if (isIt(running)) return reason !== 'shutdown';
    return this.#waiting.some((waiting) => isIt(waiting.attempt));
  }

  /** Runs the attempt when a slot is free, and reports its start and end to the port. */
  submit(attempt: Attempt, port: AttemptPort): void {
    if (this.#isStopping) return;
    const submitted = { attempt, port };
    const isFree = this.#running.size < this.#options.slots && this.#waiting.size === 0;
    if (isFree && !this.#isHeld) void this.#run(submitted);
    else this.#waiting.add(attempt.executionId, submitted);
  }

  /** Runs an attempt at once, before waiting ones; settles when it has ended. For callers with their own queue. */
  async run(attempt: Attempt, port: AttemptPort): Promise<void> {
    if (this.#isStopping) throw new Error('The worker is stopping.');
    await this.#run({ attempt, port });
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
    for (const { attempt, port } of this.#waiting.remove(executionId, () => true)) port.left(attempt);
  }

  /** Interrupts the attempts of an execution that another server owns now; they report nothing. */
  abandonExecution(executionId: string): void {
    for (const [attempt, interruption] of this.#running) {
      if (attempt.executionId === executionId) interruption.interrupt('shutdown');
    }
    for (const { attempt, port } of this.#waiting.remove(executionId, () => true)) port.left(attempt);
  }

  /** Interrupts every attempt; they report nothing. Returns them. */
  abandonAll(): readonly Attempt[] {
    for (const interruption of this.#running.values()) interruption.interrupt('shutdown');
    return this.running();
  }

  /**
   * Accepts no more work and lets short work finish. Attempts that still run then are interrupted and report nothing: their
   * task runs stay RUNNING and the next start runs them again.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    await this.#idleWithin(graceMs);
    for (const interruption of this.#running.values()) interruption.interrupt('shutdown');
    await this.#idleWithin(3_000);
  }

  async #run({ attempt, port }: Submitted): Promise<void> {
    const { runAttempt, log } = this.#options;
    const interruption = new Interruption();
    this.#running.set(attempt, interruption);
    this.#startedAt.set(attempt, Date.now());
    try {
      const started = await port.begin(attempt);
      if (started) {
        const isLogged = log.level() === 'debug';
        if (isLogged) log.debug('An attempt starts.', aboutAttempt(attempt));
        const end = await runAttempt(attempt, started, interruption);
        if (isLogged) log.debug('An attempt ended.', { ...aboutAttempt(attempt), state: end.state });
        if (interruption.reason !== 'shutdown') port.end(attempt, end);
      }
    } catch (error) {
      log.error('An attempt could not be run.', { taskRunId: attempt.taskRunId, error });
      port.end(attempt, { state: 'FAILED' });
    } finally {
      this.#running.delete(attempt);
      this.#startedAt.delete(attempt);
      port.left(attempt);
      this.#takeNext();
    }
  }

  #takeNext(): void {
    if (this.#isStopping) {
      if (this.#running.size === 0) this.#whenIdle?.();
      return;
    }
    while (!this.#isHeld && this.#running.size < this.#options.slots) {
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

const aboutAttempt = ({ executionId, taskRunId, attempt, task }: Attempt) => ({
  executionId,
  taskRunId,
  attempt,
  taskId: task.id,
  type: task.type,
});
