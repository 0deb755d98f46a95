import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { RunningTask, ServerStatus } from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import { version } from '../version.ts';
import type { Worker } from '../worker/worker.ts';

/** Heartbeats carry only tasks that run longer than this, so that short tasks do not make them larger. */
const shownAfterMs = 2_000;
const maxTasks = 20;
const maxIdLength = 200;

interface WorkloadParts {
  /** The workers of this process: one for its own executions, and one for jobs of other servers. */
  readonly workers: () => readonly Worker[];
  readonly isDraining: () => boolean;
  readonly workerKey: string;
  readonly slots: number;
  readonly log: ProcessLog;
  readonly clock: () => number;
}

/** The facts about this process that its heartbeat carries. */
export function readWorkload({
  workers,
  isDraining,
  workerKey,
  slots,
  log,
  clock,
}: WorkloadParts): ServerStatus {
  const own = workers();
  return {
    version,
    host: hostname(),
    pid: process.pid,
    workerKey,
    logLevel: log.level(),
    slots,
    running: own.reduce((sum, worker) => sum + worker.runningCount, 0),
    waiting: own.reduce((sum, worker) => sum + worker.waitingCount, 0),
    isDraining: isDraining(),
    tasks: longestTasks(own, clock() - shownAfterMs, maxTasks),
  };
}

/** The tasks that started before a moment, the longest first. */
export function longestTasks(workers: readonly Worker[], before: number, limit: number): RunningTask[] {
  return workers
    .flatMap((worker) => worker.runningSince())
    .filter(({ startedAt }) => startedAt <= before)
    .sort((a, b) => a.startedAt - b.startedAt)
    .slice(0, limit)
    .map(({ attempt: { executionId, taskRunId, attempt, task }, startedAt }) => ({
      executionId,
      taskRunId,
      taskId: task.id.slice(0, maxIdLength),
      type: task.type.slice(0, maxIdLength),
      attempt,
      startedAt,
    }));
}

/** Identifies a worker over its restarts, as far as the machine can tell. */
export const workerKeyOf = (about: {
  readonly data: string;
  readonly roles: Iterable<string>;
  readonly group: string | undefined;
}): string =>
  createHash('sha256')
    .update(JSON.stringify([hostname(), about.data, [...about.roles].sort(), about.group ?? null]))
    .digest('hex')
    .slice(0, 32);
