import { type Attempt, type RunAttempt, Worker } from '../worker.ts';
import { type FolderJobParts, FolderJobs } from './folderJobs.ts';
import { Job } from './job.ts';
import { type OpenQueue, openQueue, ownQueueOf, queueOf } from './queue.ts';
import { type QueuedAttempt, RemotePort, type RemotePortParts } from './remotePort.ts';

export interface JobWorkerParts extends RemotePortParts, FolderJobParts {
  readonly url: string;
  readonly group: string | undefined;
  readonly slots: number;
  readonly runAttempt: RunAttempt;
}

/** Heartbeats between two checks of the locks of the queue. */
const locksEvery = 5;
/** A server announces its new queue with its next heartbeat; the response to a fetch arrives much sooner. */
const lockedAtLeastMs = 15_000;
/** A server that is away for longer can have been removed, and its own queue with it. */
const forgottenAfterMs = 45_000;

/** Runs the jobs that executors of other processes add to the queue. */
export class JobWorker {
  readonly #parts: JobWorkerParts;
  readonly #port: RemotePort;
  readonly #worker: Worker;
  readonly #folders: FolderJobs;
  #queue: OpenQueue | undefined;
  /** Queues that fetch no more jobs, but whose jobs still run. */
  readonly #closing = new Set<OpenQueue>();
  #isDrained = false;
  #stopListening: (() => void) | undefined;
  /** Attempts that were interrupted because this worker's heartbeat failed, until they are handed back. */
  readonly #abandoned = new Set<Attempt>();
  #beats = 0;
  #beatAt = performance.now();

  constructor(parts: JobWorkerParts) {
    this.#parts = parts;
    this.#port = new RemotePort(parts);
    this.#folders = new FolderJobs(parts);
    this.#worker = new Worker({
      slots: parts.slots,
      runAttempt: parts.runAttempt,
      log: parts.log,
    });
  }

  get worker(): Worker {
    return this.#worker;
  }

  get isOpen(): boolean {
    return this.#queue !== undefined && !this.#queue.hasStopped;
  }

  /** Opens the queue, also again: attempts of a queue that has stopped finish without it. */
  async start(): Promise<void> {
    const { url, group, slots, log, membership, store } = this.#parts;
    this.#stopListening ??= store.onChange(({ interrupted }) => {
      if (interrupted && interrupted.length > 0) this.#worker.interrupt(interrupted);
    });
    this.#queue = await openQueue({
      url,
      // A drained worker only serves the folders that it has already.
      identifiers: [...(this.#isDrained ? [] : [queueOf(group)]), ownQueueOf(membership.id)],
      slots,
      run: (payload, tries) => this.#run(payload, tries),
      log,
    });
    // The server that marks this one dead must know which jobs to unlock.
    await membership.setPoolIds(this.#queues().flatMap(({ poolIds }) => poolIds));
  }

  /** Stops or resumes taking tasks of the group. Running attempts continue. */
  async drain(isDrained: boolean): Promise<void> {
    if (this.#isDrained === isDrained) return;
    this.#isDrained = isDrained;
    if (this.isOpen) await this.#reopen();
  }

  /** Takes no jobs until `start`, not even for its folders. Running attempts continue. */
  pause(): void {
    void this.#closeQueue();
  }

  #queues(): OpenQueue[] {
    return [...(this.#queue ? [this.#queue] : []), ...this.#closing];
  }

  /**
   * A worker that misses heartbeats is marked dead, and its attempts run elsewhere. So unless it can renew
   * its lease, it takes no more jobs and hands back those it has. While the database is unreachable for all
   * servers, no server is marked dead and running attempts continue.
   */
  async keepLease(): Promise<void> {
    const { membership, store } = this.#parts;
    if (!membership.hasLapsed || (!this.isOpen && this.#worker.runningCount === 0)) return;
    try {
      await membership.renew();
    } catch (error) {
      await store.ping();
      this.#parts.log.error(
        'This worker cannot send its heartbeat: it takes no more work and gives back what it has.',
        { error },
      );
      void this.#closeQueue();
      for (const attempt of this.#worker.abandonAll()) this.#abandoned.add(attempt);
    }
  }

  /** Stops attempts that were killed, in case the notification was lost. */
  async afterBeat(): Promise<void> {
    const wasAwayMs = performance.now() - this.#beatAt;
    this.#beatAt = performance.now();
    if (this.isOpen && wasAwayMs > forgottenAfterMs) await this.#reopen();
    await this.#folders.sweep();
    if (this.#beats++ % locksEvery === 0) await this.#freeJobs();
    if (this.#worker.runningCount === 0) return;
    const unwanted = await this.#parts.cluster.unwantedAttempts(this.#parts.membership.id);
    this.#worker.interrupt(unwanted.map(({ taskRunId }) => taskRunId));
  }

  /** Releases locks that their owner does not know of; they would block a job for hours. */
  async #freeJobs(): Promise<void> {
    if (!this.#queue || !this.isOpen) return;
    const queues = this.#queues();
    const own = {
      poolIds: queues.flatMap(({ poolIds }) => poolIds),
      knownJobIds: queues.flatMap((queue) => queue.knownJobIds()),
    };
    const freed = await this.#parts.cluster.freeJobs(own, lockedAtLeastMs);
    if (freed > 0) this.#parts.log.warn('Unlocked jobs that no worker runs.', { jobs: freed });
  }

  async #reopen(): Promise<void> {
    void this.#closeQueue();
    await this.start();
  }

  /** Stops fetching jobs; running attempts end without the queue. */
  #closeQueue(): Promise<void> | undefined {
    const queue = this.#queue;
    this.#queue = undefined;
    if (!queue) return undefined;
    this.#closing.add(queue);
    return queue
      .close()
      .catch((error: unknown) => {
        this.#parts.log.error('The queue of this worker did not close.', { error });
      })
      .finally(() => this.#closing.delete(queue));
  }

  /** Takes no more jobs, lets short work finish and hands the rest back. */
  async stop(graceMs: number): Promise<void> {
    this.#stopListening?.();
    const closing = this.#closeQueue();
    await this.#worker.stop(graceMs);
    this.#port.stop();
    this.#folders.stop();
    await closing;
  }

  async #run(payload: unknown, tries: number): Promise<void> {
    const parsed = Job.safeParse(payload);
    if (!parsed.success) {
      this.#parts.log.error('A job in the queue cannot be read and is dropped.', { payload });
      return;
    }
    const job = parsed.data;
    // After a sleep this worker must send a heartbeat first; a job that it cannot start goes to another worker.
    if (this.#parts.membership.hasLapsed) await this.#parts.membership.renew();
    if ('folder' in job) return this.#folders.run(job, tries);
    const { executionId, taskRunId, attempt, task, directoryOf } = job;
    if (directoryOf !== undefined && !this.#folders.has(executionId, directoryOf))
      return this.#folders.tellMissing(job, directoryOf);
    const queued: QueuedAttempt = {
      executionId,
      taskRunId,
      attempt,
      task,
      sideEffects: true,
      job,
      tries,
      ...(directoryOf === undefined ? {} : { directoryOf }),
    };
    await this.#worker.run(queued, this.#port);
    if (this.#abandoned.delete(queued)) this.#port.giveBack(queued);
    await this.#port.whenEnded(queued);
  }
}
