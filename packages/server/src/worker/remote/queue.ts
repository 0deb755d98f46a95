import { EventEmitter } from 'node:events';
import { openQueuePool, ownQueuePrefix } from '@millrace/store';
import type { JobHelpers, Runner, WorkerEvents } from 'graphile-worker';
import type { ProcessLog } from '../../processLog.ts';

/** The jobs of workers without a group, and of those with one. */
export const queueOf = (group: string | undefined): string =>
  group === undefined ? 'millrace:run' : `millrace:run:${group}`;

/** The queue of one worker, for jobs that belong to its folders. */
export const ownQueueOf = (serverId: string): string => `${ownQueuePrefix}${serverId}`;

export interface QueueOptions {
  readonly url: string;
  readonly identifiers: readonly string[];
  /** Jobs that run at the same time; as many more are fetched ahead. */
  readonly slots: number;
  /** `tries` counts from 1; a job whose worker was lost comes again. */
  readonly run: (payload: unknown, tries: number) => Promise<void>;
  readonly log: ProcessLog;
}

export interface OpenQueue {
  /** Under these names its jobs are locked. */
  readonly poolIds: readonly string[];
  /** Whether the queue stopped on its own, for example because the end of a job could not be stored. */
  readonly hasStopped: boolean;
  /** Jobs that it has and that are not over, or have only just been. */
  knownJobIds(): readonly string[];
  /** Stops fetching and waits for running jobs. */
  close(): Promise<void>;
}

/** Makes the queue's own tables. They are only there where work changes process. */
export async function prepareQueue(url: string): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ connectionString: url, logger: await silent() });
}

/** Takes jobs in batches. The settings are part of the design: without them the queue is eight times slower. */
export async function openQueue({ url, identifiers, slots, run, log }: QueueOptions): Promise<OpenQueue> {
  const graphile = await import('graphile-worker');
  const pgPool = await openQueuePool(url);
  const events: WorkerEvents = new EventEmitter();
  const poolIds: string[] = [];
  const known = new KnownJobs();
  let hasStopped = false;
  let isClosing = false;
  events.on('pool:create', ({ workerPool }) => poolIds.push(workerPool.id));
  events.on('localQueue:getJobs:complete', ({ jobs }) => known.add(jobs));
  events.on('localQueue:returnJobs', ({ jobs }) => known.forget(jobs));
  events.on('job:complete', ({ job }) => known.ended(job));
  const runner: Runner = await graphile
    .run({
      pgPool,
      concurrency: slots,
      pollInterval: 1_000,
      noHandleSignals: true,
      events,
      logger: await logTo(log),
      preset: { worker: { localQueue: { size: slots }, completeJobBatchDelay } },
      taskList: Object.fromEntries(
        identifiers.map((name) => [
          name,
          (payload: unknown, { job }: JobHelpers) => run(payload, job.attempts),
        ]),
      ),
    })
    .catch(async (error: unknown) => {
      await pgPool.end();
      throw error;
    });
  const stopped = (message: string) => {
    if (!hasStopped && !isClosing)
      log.warn('The queue of this worker has stopped and is opened again.', { message });
    hasStopped = true;
  };
  // It takes nothing more from here on, but settles only when the last task it runs has ended.
  events.on('pool:gracefulShutdown', ({ message }) => stopped(message));
  const over = runner.promise
    .then(
      () => stopped('it has ended'),
      (error: unknown) => stopped(String(error)),
    )
    .then(() => pgPool.end());
  return {
    poolIds,
    get hasStopped() {
      return hasStopped;
    },
    knownJobIds: () => known.ids(),
    close: async () => {
      isClosing = true;
      if (!hasStopped) await runner.stop();
      await over;
    },
  };
}

/** The delay is safe because the result of the job is already stored. */
const completeJobBatchDelay = 50;

/** The end of a job reaches the database a moment after it was announced. */
const endsWithinMs = 60_000;

/** Which jobs a queue has fetched. Those that are locked for it and not among these got lost on their way. */
class KnownJobs {
  readonly #open = new Set<string>();
  readonly #ended = new Map<string, number>();

  add(jobs: readonly { readonly id: string }[]): void {
    for (const { id } of jobs) this.#open.add(id);
  }

  forget(jobs: readonly { readonly id: string }[]): void {
    for (const { id } of jobs) this.#open.delete(id);
  }

  ended({ id }: { readonly id: string }): void {
    this.#open.delete(id);
    this.#ended.set(id, performance.now());
  }

  ids(): string[] {
    const before = performance.now() - endsWithinMs;
    for (const [id, at] of this.#ended) {
      // In the order of their ends.
      if (at > before) break;
      this.#ended.delete(id);
    }
    return [...this.#open, ...this.#ended.keys()];
  }
}

async function silent() {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => () => {});
}

/** Logs only the queue's errors; its other messages are dropped. */
async function logTo(log: ProcessLog) {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error('The queue of this worker reports an error.', { message });
  });
}
