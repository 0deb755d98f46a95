import { setTimeout as delay } from 'node:timers/promises';
import { isTerminal } from '@millrace/contract';
import type { Event, LiveRun, RunEnvironment } from '@millrace/engine';
import { type Cluster, Conflict, type Op, type Store } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { Membership } from '../cluster/membership.ts';
import { putMessage } from '../cluster/sharing.ts';
import type { LogBuffer } from '../loops/logBuffer.ts';
import type { Attempt, AttemptEnd, AttemptPort, Begun } from '../loops/worker.ts';
import type { ProcessLog } from '../processLog.ts';
import type { AttemptJob } from './job.ts';
import { loadRun, reviveRun } from './loadRun.ts';
import { sendFact, sendMessage, tryAgainMs } from './sendFact.ts';

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

/** A task that computes for longer is begun while it runs. */
const tellAfterMs = 200;

/** An attempt that started before anybody was told. */
interface Untold {
  readonly attempt: Attempt;
  timer?: NodeJS.Timeout;
  /** Set once its start is on its way; whether it was accepted. */
  telling?: Promise<boolean>;
}

/**
 * The executor, as a worker in another process sees it. Beginning an attempt is a row that only one worker can insert;
 * it commits with the message to the owner, before the task starts. The end is a message too. The engine takes neither
 * from an attempt that was given up for lost.
 *
 * A task that only computes starts at once, from what came with its job, and its start commits with its end, unless
 * somebody has answered in the meantime. One that takes its time is begun like any other while it runs, so that people see
 * it. Should its worker die before that the job comes again, and is then begun at first: losses are counted, so that a
 * task which takes its workers down does not go on for ever.
 */
export class RemotePort implements AttemptPort {
  readonly #parts: RemotePortParts;
  readonly #ending = new Map<Attempt, Promise<void>>();
  /** Those that were not begun before they started, by their names. */
  readonly #untold = new Map<string, Untold>();
  #isStopped = false;

  constructor(parts: RemotePortParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async begin(attempt: Attempt): Promise<Begun | undefined> {
    const { job, tries: handedOut } = attempt as QueuedAttempt;
    // Handed out twice, and the other one is here: should this worker die, that one's job comes again.
    if (this.#untold.has(nameOf(job))) return undefined;
    if (job.known && handedOut === 1) {
      const untold: Untold = { attempt };
      this.#untold.set(nameOf(job), untold);
      // What cannot be made of it is read, and told, like that of any other.
      const run = await reviveRun(job.known, this.#parts).catch(() => undefined);
      const begun = describe(run, job, this.#parts.clock());
      if (begun) {
        untold.timer = setTimeout(() => this.#tellStart(job, untold), tellAfterMs);
        return begun;
      }
      this.#untold.delete(nameOf(job));
    }
    const started: Event = { type: 'taskStarted', ...aboutAttempt(job) };
    const message = putMessage(job.executionId, job.owner, { kind: 'fact', event: started });
    if (!(await this.#storeStart(job, [message]))) {
      await this.#leaveToOthers(job);
      return undefined;
    }
    const begun = await this.#read(job).catch((error: unknown) => {
      this.#parts.log.error('An execution could not be read by a worker.', { ...keyOf(job), error });
      return undefined;
    });
    // Nothing was run: whoever is next may begin it anew.
    if (!begun) await this.#send(job, { type: 'workerLost', ...aboutAttempt(job), isDrained: true });
    return begun;
  }

  /** Refused where another answer has come or is on its way, as `#tellWhole` is. */
  #tellStart(job: AttemptJob, untold: Untold): void {
    const event: Event = { type: 'taskStarted', ...aboutAttempt(job) };
    const message = putMessage(job.executionId, job.owner, { kind: 'fact', event }, nameOf(job));
    untold.telling = this.#storeStart(job, [{ op: 'attempt.want', attempt: keyOf(job) }, message]);
    // Whoever ends the attempt hears of it.
    untold.telling.catch(() => {});
  }

  /** False when somebody has begun this attempt before, or what goes alongside is refused. */
  async #storeStart(job: AttemptJob, alongside: readonly Op[]): Promise<boolean> {
    const { store, membership } = this.#parts;
    const begin: Op = { op: 'attempt.begin', attempt: keyOf(job), workerId: membership.id };
    for (let tries = 0; ; tries++) {
      try {
        await store.commit([...alongside, begin]);
        return true;
      } catch (error) {
        // A try before this one may have been stored although nobody said so.
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

  /** What this worker has begun and does not finish: whoever is next may begin it anew. */
  giveBack(attempt: QueuedAttempt): void {
    const { job } = attempt;
    const untold = this.#untoldOf(attempt);
    if (untold && !untold.telling) return;
    const lost: Event = { type: 'workerLost', ...aboutAttempt(job), isDrained: true };
    this.#ending.set(attempt, untold ? this.#endUntold(job, untold, lost) : this.#send(job, lost));
  }

  left(): void {
    // The job is over when the end is on disk; see `whenEnded`.
  }

  /** Settles when what the attempt has led to is on disk. Fails when nobody knows of it: its job must come again. */
  async whenEnded(attempt: Attempt): Promise<void> {
    const ending = this.#ending.get(attempt);
    const untold = this.#untoldOf(attempt);
    this.#ending.delete(attempt);
    try {
      await ending;
      if (!ending && untold && !(await untold.telling)) throw new Error(unfinished);
    } finally {
      if (untold) this.#forget(untold);
    }
  }

  #untoldOf(attempt: Attempt): Untold | undefined {
    const untold = this.#untold.get(nameOf((attempt as QueuedAttempt).job));
    return untold?.attempt === attempt ? untold : undefined;
  }

  #forget({ attempt, timer }: Untold): void {
    clearTimeout(timer);
    this.#untold.delete(nameOf((attempt as QueuedAttempt).job));
  }

  async #hasBegun(job: AttemptJob): Promise<boolean> {
    const found = await this.#parts.cluster.findAttempt(keyOf(job));
    return found?.workerId === this.#parts.membership.id && !found.isLost;
  }

  /** Somebody has begun this attempt before. If that was a worker that is gone, the owner must know. */
  async #leaveToOthers(job: AttemptJob): Promise<void> {
    const { cluster, membership } = this.#parts;
    const found = await cluster.findAttempt(keyOf(job));
    if (!found) return;
    const isAlive = membership.alive.some(({ id }) => id === found.workerId);
    if (found.isLost || !isAlive) await this.#send(job, { type: 'workerLost', ...aboutAttempt(job) });
  }

  async #read(job: AttemptJob): Promise<Begun | undefined> {
    return describe(await loadRun(job.executionId, this.#parts), job, this.#parts.clock());
  }

  /** What was begun in the meantime is ended like any other; where that was refused, its answer is not wanted either. */
  async #endUntold(job: AttemptJob, { timer, telling }: Untold, ended: Event): Promise<void> {
    clearTimeout(timer);
    if (!telling) await this.#tellWhole(job, ended);
    else if (await telling) await this.#send(job, ended);
    else await this.#leaveToOthers(job);
  }

  /** Its name makes a second answer to the same attempt refuse itself while the first one waits to be taken. */
  async #tellWhole(job: AttemptJob, ended: Event): Promise<void> {
    const events: readonly Event[] = [{ type: 'taskStarted', ...aboutAttempt(job) }, ended];
    const message = putMessage(job.executionId, job.owner, { kind: 'facts', events }, nameOf(job));
    const wanted: Op = { op: 'attempt.want', attempt: keyOf(job) };
    if (!(await sendMessage(job, message, [wanted], this.#sending()))) throw new Error(unfinished);
  }

  #send(job: AttemptJob, event: Event): Promise<void> {
    return sendFact(job, event, [], this.#sending());
  }

  #sending() {
    return { ...this.#parts, isStopped: () => this.#isStopped };
  }
}

/** The attempt as its execution knows it; undefined when it is not wanted any more. */
function describe(run: LiveRun | undefined, job: AttemptJob, now: number): Begun | undefined {
  if (!run) return undefined;
  // The owner may or may not have heard of the start.
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
