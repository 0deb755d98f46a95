import { EventEmitter } from 'node:events';
import type { Runner, WorkerEvents } from 'graphile-worker';
import type { ProcessLog } from '../processLog.ts';

/** The jobs of workers without a group, and of those with one. */
export const queueOf = (group: string | undefined): string =>
  group === undefined ? 'millrace:run' : `millrace:run:${group}`;

export interface QueueOptions {
  readonly url: string;
  readonly identifier: string;
  /** Jobs that run at the same time; as many more are fetched ahead. */
  readonly slots: number;
  readonly run: (payload: unknown) => Promise<void>;
  readonly log: ProcessLog;
}

export interface OpenQueue {
  /** Under these names its jobs are locked. */
  readonly poolIds: readonly string[];
  /** Fetches nothing more and waits for what runs. */
  close(): Promise<void>;
}

/** Makes the queue's own tables. They are only there where work changes process. */
export async function prepareQueue(url: string): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ connectionString: url, logger: await silent() });
}

/** Takes jobs in batches. The settings are part of the design: without them the queue is eight times slower. */
export async function openQueue({ url, identifier, slots, run, log }: QueueOptions): Promise<OpenQueue> {
  const graphile = await import('graphile-worker');
  const events: WorkerEvents = new EventEmitter();
  const poolIds: string[] = [];
  events.on('pool:create', ({ workerPool }) => poolIds.push(workerPool.id));
  const runner: Runner = await graphile.run({
    connectionString: url,
    concurrency: slots,
    maxPoolSize: 4,
    pollInterval: 1_000,
    noHandleSignals: true,
    events,
    logger: await logTo(log),
    preset: { worker: { localQueue: { size: slots }, completeJobBatchDelay: 0 } },
    taskList: { [identifier]: (payload) => run(payload) },
  });
  runner.promise.catch((error: unknown) => log.error('The queue of this worker has stopped.', { error }));
  return { poolIds, close: () => runner.stop() };
}

async function silent() {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => () => {});
}

/** Its errors are ours; what it tells of its own work is not worth a line. */
async function logTo(log: ProcessLog) {
  const { Logger } = await import('graphile-worker');
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error('The queue of this worker reports an error.', { message });
  });
}
