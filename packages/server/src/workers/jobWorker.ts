import { type Attempt, type RunAttempt, Worker } from '../loops/worker.ts';
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

/** Beats between two looks at the locks of the queue. */
const locksEvery = 5;
/** A server that opens its queue says so with its next beat; the answer to a fetch arrives much sooner. */
const lockedAtLeastMs = 15_000;
/** A server that is away for longer may have been forgotten, and the queue of its own with it. */
const forgottenAfterMs = 45_000;

/** Runs what executors of other processes have put into the queue. */
export class JobWorker {
  readonly #parts: JobWorkerParts;
  readonly #port: RemotePort;
  readonly #worker: Worker;
  readonly #folders: FolderJobs;
  #queue: OpenQueue | undefined;
  #stopListening: (() => void) | undefined;
  /** What was interrupted because the others do not hear of this worker, until it has been given back. */
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
      port: this.#port,
      log: parts.log,
    });
  }

  get isOpen(): boolean {
    return this.#queue !== undefined && !this.#queue.hasStopped;
  }

  /** Opens the queue, also anew: what a queue that has stopped still runs comes to its end without it. */
  async start(): Promise<void> {
    const { url, group, slots, log, membership, store } = this.#parts;
    this.#stopListening ??= store.onChange(({ interrupted }) => {
      if (interrupted && interrupted.length > 0) this.#worker.interrupt(interrupted);
    });
    this.#queue = await openQueue({
      url,
      identifiers: [queueOf(group), ownQueueOf(membership.id)],
      slots,
      run: (payload, tries) => this.#run(payload, tries),
      log,
    });
    // Whoever buries this server must know which jobs to set free.
    await membership.holdJobsAs(this.#queue.poolIds);
  }

  /**
   * A worker that the others do not hear of will be given up for lost, and what it runs is run elsewhere: so it takes
   * nothing more and gives back what it has, unless it can make itself heard. While the database is away from everybody
   * nobody is given up, and what runs goes on.
   */
  async keepLease(): Promise<void> {
    const { membership, store } = this.#parts;
    if (!membership.hasLapsed || (!this.isOpen && this.#worker.runningCount === 0)) return;
    try {
      await membership.renew();
    } catch (error) {
      await store.ping();
      this.#parts.log.error(
        'This worker cannot tell the others that it is alive: it takes no more work and gives back what it has.',
        { error },
      );
      void this.#closeQueue();
      for (const attempt of this.#worker.abandonAll()) this.#abandoned.add(attempt);
    }
  }

  /** Stops what should not run any more, for the case that nobody could tell. */
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

  /** A lock whose holder does not know of it would keep a job from everybody for hours. */
  async #freeJobs(): Promise<void> {
    if (!this.#queue || !this.isOpen) return;
    const { poolIds } = this.#queue;
    const own = { poolIds, knownJobIds: this.#queue.knownJobIds() };
    const freed = await this.#parts.cluster.freeJobs(own, lockedAtLeastMs);
    if (freed > 0) this.#parts.log.warn('Jobs that nobody worked on are free again.', { jobs: freed });
  }

  async #reopen(): Promise<void> {
    void this.#closeQueue();
    await this.start();
  }

  /** Fetches nothing more; what it runs comes to its end without the queue. */
  #closeQueue(): Promise<void> | undefined {
    const closing = this.#queue?.close().catch((error: unknown) => {
      this.#parts.log.error('The queue of this worker did not close.', { error });
    });
    this.#queue = undefined;
    return closing;
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
    // After a sleep the others must hear of this worker first; a job that it may not begin goes to somebody else.
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
    await this.#worker.run(queued);
    if (this.#abandoned.delete(queued)) this.#port.giveBack(queued);
    await this.#port.whenEnded(queued);
  }
}
