import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal } from '@millrace/contract';
import type { Event, LiveRun, RunEnvironment } from '@millrace/engine';
import { type Cluster, Conflict, type Op, type Store } from '@millrace/store';
import type { FlowCache } from '../../actions/flowCache.ts';
import type { Membership } from '../../cluster/membership.ts';
import { putMessage } from '../../cluster/ownership.ts';
import type { LogBuffer } from '../../logs/logBuffer.ts';
import type { ProcessLog } from '../../processLog.ts';
import type { Attempt, AttemptEnd, AttemptPort, StartedAttempt } from '../worker.ts';
import type { AttemptJob } from './job.ts';
import { loadRun, reviveRun } from './loadRun.ts';
import { reportResult, sendMessage, tryAgainMs } from './reportResult.ts';

export interface RemotePortParts {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly flows: FlowCache;
  readonly environment: RunEnvironment;
  readonly logs: LogBuffer;
  readonly log: ProcessLog;
  readonly clock: () => number;
}

/** An attempt that came from the queue, with the job it came in. */
export interface QueuedAttempt extends Attempt {
  readonly job: AttemptJob;
  /** How often the job was handed out, from 1. */
  readonly tries: number;
}

/** A pure task that runs longer than this reports its start while it runs. */
const tellAfterMs = 200;

/** An attempt that runs before its start was reported. */
interface Untold {
  readonly attempt: Attempt;
  /** Keeps its log lines until its start is accepted: another worker may run the same attempt. */
  readonly lines: ReturnType<LogBuffer['hold']>;
  timer?: NodeJS.Timeout;
  /** Set once its start is being reported; resolves to whether it was accepted. */
  telling?: Promise<boolean>;
}

/**
 * The executor, as a worker in another process sees it. A worker starts an attempt by inserting a row, which
 * only one worker can do; the row commits with the message to the owner, before the task starts. The end is a
 * message too. The engine accepts neither from an attempt that was marked lost.
 *
 * A pure task starts at once with the inputs of its job, and its start commits with its end, unless another
 * worker reported first. A pure task that takes longer reports its start while it runs, so that users see it.
 * If its worker crashes before that, the job is handed out again and then reports its start first: lost attempts
 * are counted, so that a task that crashes its workers is not retried forever.
 */
export class RemotePort implements AttemptPort {
  readonly #parts: RemotePortParts;
  readonly #ending = new Map<Attempt, Promise<void>>();
  /** Attempts that run before their start was reported, by name. */
  readonly #untold = new Map<string, Untold>();
  #isStopped = false;

  constructor(parts: RemotePortParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async begin(attempt: Attempt): Promise<StartedAttempt | undefined> {
    const { job, tries: handedOut } = attempt as QueuedAttempt;
    // The same attempt already runs here: if this worker crashes, the job of that one is handed out again.
    if (this.#untold.has(nameOf(job))) return undefined;
    if (job.known && handedOut === 1) {
      const untold: Untold = { attempt, lines: this.#parts.logs.hold(job.executionId, job.taskRunId) };
      this.#untold.set(nameOf(job), untold);
      // If the job's data cannot be used, the attempt is loaded and reported like any other.
      const run = await reviveRun(job.known, this.#parts).catch(() => undefined);
      const started = describe(run, job, this.#parts.clock());
      if (started) {
        untold.timer = setTimeout(() => this.#tellStart(job, untold), tellAfterMs);
        return started;
      }
      this.#untold.delete(nameOf(job));
      untold.lines.end();
    }
    const event: Event = { type: 'taskStarted', ...aboutAttempt(job) };
    const message = putMessage(job.executionId, job.owner, { kind: 'fact', event });
    if (!(await this.#storeStart(job, [message]))) {
      await this.#leaveToOthers(job);
      return undefined;
    }
    const started = await this.#read(job).catch((error: unknown) => {
      this.#parts.log.error('An execution could not be read by a worker.', { ...keyOf(job), error });
      return undefined;
    });
    // Nothing ran: the next worker may start it again.
    if (!started) await this.#send(job, { type: 'workerLost', ...aboutAttempt(job), isDrained: true });
    return started;
  }

  /** Refused, like `#tellWhole`, when another report has arrived or is pending. */
  #tellStart(job: AttemptJob, untold: Untold): void {
    const event: Event = { type: 'taskStarted', ...aboutAttempt(job) };
    const message = putMessage(job.executionId, job.owner, { kind: 'fact', event }, nameOf(job));
    untold.telling = this.#storeStart(job, [{ op: 'attempt.want', attempt: keyOf(job) }, message]);
    // The end of the attempt handles the error.
    untold.telling.then(
      (isAccepted) => (isAccepted ? untold.lines.accept() : untold.lines.refuse()),
      () => untold.lines.refuse(),
    );
  }

  /** False when another worker has started this attempt before, or an operation of `alongside` is refused. */
  async #storeStart(job: AttemptJob, alongside: readonly Op[]): Promise<boolean> {
    const { store, membership } = this.#parts;
    const begin: Op = { op: 'attempt.begin', attempt: keyOf(job), workerId: membership.id };
    for (let tries = 0; ; tries++) {
      try {
        await store.commit([...alongside, begin]);
        return true;
      } catch (error) {
        // An earlier try may have been stored although its response was lost.
        if (error instanceof Conflict) return tries > 0 && (await this.#hasBegun(job));
        if (this.#isStopped) throw error;
        await delay(tryAgainMs[Math.min(tries, tryAgainMs.length - 1)]);
      }
    }
  }

  end(attempt: Attempt, end: AttemptEnd): void {
    const { job } = attempt as QueuedAttempt;
    const ended: Event = { type: 'taskEnded', ...aboutAttempt(job), ...end };
    const untold = this.#untoldOf(attempt);
    this.#ending.set(attempt, untold ? this.#endUntold(job, untold, ended) : this.#send(job, ended));
  }

  /** Hands back an attempt that this worker does not finish: the next worker may start it again. */
  giveBack(attempt: QueuedAttempt): void {
    const { job } = attempt;
    const untold = this.#untoldOf(attempt);
    if (untold && !untold.telling) return;
    const lost: Event = { type: 'workerLost', ...aboutAttempt(job), isDrained: true };
    this.#ending.set(attempt, untold ? this.#endUntold(job, untold, lost) : this.#send(job, lost));
  }

  left(): void {
    // The job ends when the end is on disk; see `whenEnded`.
  }

  /** Settles when the attempt's end is on disk. Fails when it was not reported: its job must run again. */
  async whenEnded(attempt: Attempt): Promise<void> {
    const ending = this.#ending.get(attempt);
    const untold = this.#untoldOf(attempt);
    this.#ending.delete(attempt);
    try {
      await ending;
      if (!ending && untold && !(await untold.telling)) throw new Error(unfinished);
    } finally {
      if (untold) await this.#forget(untold);
    }
  }

  #untoldOf(attempt: Attempt): Untold | undefined {
    const untold = this.#untold.get(nameOf((attempt as QueuedAttempt).job));
    return untold?.attempt === attempt ? untold : undefined;
  }

  async #forget({ attempt, timer, telling, lines }: Untold): Promise<void> {
    clearTimeout(timer);
    this.#untold.delete(nameOf((attempt as QueuedAttempt).job));
    // Lines that are left belong to an attempt that was not reported; the worker that runs it next writes them.
    if (!(await telling?.catch(() => false))) lines.refuse();
    lines.end();
  }

  async #hasBegun(job: AttemptJob): Promise<boolean> {
    const found = await this.#parts.cluster.findAttempt(keyOf(job));
    return found?.workerId === this.#parts.membership.id && !found.isLost;
  }

  /** Another worker has started this attempt before. If that worker is dead, the owner must be notified. */
  async #leaveToOthers(job: AttemptJob): Promise<void> {
    const { cluster, membership } = this.#parts;
    const found = await cluster.findAttempt(keyOf(job));
    if (!found) return;
    const isAlive = membership.active.some(({ id }) => id === found.workerId);
    if (found.isLost || !isAlive) await this.#send(job, { type: 'workerLost', ...aboutAttempt(job) });
  }

  async #read(job: AttemptJob): Promise<StartedAttempt | undefined> {
    return describe(await loadRun(job.executionId, this.#parts), job, this.#parts.clock());
  }

  /** An attempt whose start was reported ends like any other; a refused start also drops the end. */
  async #endUntold(job: AttemptJob, { timer, telling }: Untold, ended: Event): Promise<void> {
    clearTimeout(timer);
    if (!telling) await this.#tellWhole(job, ended);
    else if (await telling) await this.#send(job, ended);
    else await this.#leaveToOthers(job);
  }

  /** Reports start and end together. The message's name refuses a second report while one is pending. */
  async #tellWhole(job: AttemptJob, ended: Event): Promise<void> {
    const events: readonly Event[] = [{ type: 'taskStarted', ...aboutAttempt(job) }, ended];
    const message = putMessage(job.executionId, job.owner, { kind: 'facts', events }, nameOf(job));
    const wanted: Op = { op: 'attempt.want', attempt: keyOf(job) };
    if (!(await sendMessage(job, message, [wanted], this.#sending()))) throw new Error(unfinished);
  }

  #send(job: AttemptJob, event: Event): Promise<void> {
    return reportResult(job, event, [], this.#sending());
  }

  #sending() {
    return { ...this.#parts, isStopped: () => this.#isStopped };
  }
}

/** The attempt as its execution knows it; undefined when it is no longer wanted. */
function describe(run: LiveRun | undefined, job: AttemptJob, now: number): StartedAttempt | undefined {
  if (!run) return undefined;
  // The owner may not have received the start yet.
  run.apply({ type: 'taskStarted', ...aboutAttempt(job) }, now);
  const taskRun = run.taskRun(job.taskRunId);
  const isCurrent = taskRun?.state.current === 'RUNNING' && taskRun.attempts.length === job.attempt + 1;
  if (!isCurrent || isTerminal(taskRun.attempts[job.attempt]?.state.current ?? 'KILLED')) return undefined;
  return {
    execution: run.execution,
    taskRun,
    variables: run.variables(job.taskRunId),
    secrets: run.secretTexts(),
  };
}

const unfinished = 'This worker stops; another one runs the task.';
const nameOf = ({ taskRunId, attempt }: AttemptJob) => `${taskRunId}/${attempt}`;
const keyOf = ({ executionId, taskRunId, attempt }: AttemptJob) => ({ executionId, taskRunId, attempt });
const aboutAttempt = ({ taskRunId, attempt }: AttemptJob) => ({ taskRunId, attempt });
