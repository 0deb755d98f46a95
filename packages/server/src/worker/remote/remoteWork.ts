import type { Task } from '@millrace/contract';
import type { Event, LiveRun } from '@millrace/engine';
import type { Cluster, Op } from '@millrace/store';
import type { Membership } from '../../cluster/membership.ts';
import type { Role } from '../../cluster/role.ts';
import type { RemoteEffect } from '../../executor/remoteEffect.ts';
import type { AttemptJob, FolderJob } from './job.ts';
import { ownQueueOf, queueOf } from './queue.ts';
import { readWorkerGroup } from './workerGroup.ts';

export interface RemoteWorkParts {
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly roles: ReadonlySet<Role>;
  readonly workerGroup: string | undefined;
  readonly prepareQueue: () => Promise<void>;
  /** Whether the worker of this server takes no new tasks. */
  readonly isDrained: () => boolean;
}

export interface NewJobs {
  readonly jobs: readonly Op[];
  readonly refusals: readonly Event[];
}

/**
 * Decides which work other processes do. A server with the worker role runs tasks without another worker group, and pure
 * tasks run in the process of their execution; the rest goes through the queue, in the commit that decides it. Tasks that
 * share a folder go through the queue of the worker that has it.
 */
export class RemoteWork {
  readonly #parts: RemoteWorkParts;
  #prepared: Promise<void> | undefined;

  constructor(parts: RemoteWorkParts) {
    this.#parts = parts;
  }

  /** The queue's tables are made when the first job needs them, or before: a server without workers needs them at once. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#parts.prepareQueue().catch((error: unknown) => {
      this.#prepared = undefined;
      throw error;
    });
    return this.#prepared;
  }

  takes(effect: RemoteEffect): boolean {
    if (effect.holder !== undefined) return true;
    if (effect.effect !== 'run') return effect.effect === 'openDirectory' && !this.#runsHere(effect.task);
    // The folder is here: so are those who work in it.
    if (effect.directoryOf !== undefined) return false;
    return (effect.sideEffects || readWorkerGroup(effect.task) !== undefined) && !this.#runsHere(effect.task);
  }

  /** Whether a server is active. A server without a row left long ago. */
  isAlive(serverId: string): boolean {
    return this.#parts.membership.active.some(({ id }) => id === serverId);
  }

  /** The jobs of the effects, and the events of those that no worker group accepts. */
  async jobsOf(run: LiveRun, effects: readonly RemoteEffect[], version: number): Promise<NewJobs> {
    await this.prepare();
    const { membership } = this.#parts;
    const executionId = run.execution.id;
    const computing = effects.filter(onlyComputes);
    const known = computing.length === 0 ? undefined : knownOf(run, computing.length);
    const refusals: Event[] = [];
    const jobs = effects.flatMap((effect): Op[] => {
      const { taskRunId, task, holder } = effect;
      const group = readWorkerGroup(task);
      if (!holder && group && group.fallback !== 'WAIT' && !membership.hasWorkers(group.key)) {
        refusals.push(...refusalOf(effect, group));
        return [];
      }
      const about = { executionId, taskRunId, owner: membership.id, task };
      const payload: AttemptJob | FolderJob =
        effect.effect === 'run'
          ? {
              ...about,
              attempt: effect.attempt,
              version,
              directoryOf: effect.directoryOf,
              ...(known && onlyComputes(effect) ? { known } : {}),
            }
          : {
              ...about,
              folder: effect.effect === 'openDirectory' ? 'open' : 'close',
              directory: effect.directory,
            };
      const identifier = holder === undefined ? queueOf(group?.key) : ownQueueOf(holder);
      return [{ op: 'job.add', identifier, payload, ...this.#waitingKey(effect, group?.key) }];
    });
    return { jobs, refusals };
  }

  /**
   * A job that no worker can take yet gets a key: a server that takes the execution over, or starts again, adds the job
   * again and replaces the one that waits. Other jobs have none, because the queue gives up on a fetched job whose key
   * comes again; their attempt guard refuses the second job.
   */
  #waitingKey(effect: RemoteEffect, group: string | undefined): { readonly key?: string } {
    if (effect.holder !== undefined || this.#parts.membership.hasWorkers(group)) return {};
    return { key: `${effect.taskRunId}/${effect.effect === 'run' ? effect.attempt : effect.effect}` };
  }

  interrupt(taskRunIds: readonly string[]): void {
    if (!this.#parts.membership.isAlone) this.#parts.cluster.interrupt(taskRunIds);
  }

  #runsHere(task: Task): boolean {
    const { roles, workerGroup, membership, isDrained } = this.#parts;
    if (!roles.has('worker') || workerGroup !== readWorkerGroup(task)?.key) return false;
    // Without another worker, the tasks wait here.
    return !isDrained() || !membership.hasOtherWorkers(workerGroup);
  }
}

/** The events for a task whose group has no workers and that does not wait for one. */
function refusalOf(
  effect: RemoteEffect,
  { key, fallback }: { readonly key: string; readonly fallback: string },
): Event[] {
  if (fallback === 'CANCEL') return [{ type: 'kill', cascade: true }];
  const reason = `No worker of the group "${key}" is running.`;
  const { taskRunId } = effect;
  if (effect.effect !== 'run') {
    const { directory } = effect;
    return [{ type: 'directory', taskRunId, phase: 'opened', directory, error: reason }];
  }
  const about = { taskRunId, attempt: effect.attempt };
  return [
    { type: 'taskStarted', ...about },
    { type: 'taskEnded', ...about, state: 'FAILED', reason },
  ];
}

/** One in a shared folder is not among them: whether its worker still has the folder must be known before it starts. */
const onlyComputes = (effect: RemoteEffect): boolean =>
  effect.effect === 'run' && !effect.sideEffects && effect.directoryOf === undefined;

/** Rows that a job carries so that the worker need not read them: limits per job, and for all jobs of one step. */
const maxKnownBytes = 16_384;
const maxKnownBytesOfStep = 65_536;
const maxKnownTaskRuns = 50;

function knownOf(run: LiveRun, jobs: number): AttemptJob['known'] {
  const taskRuns = run.taskRuns();
  if (taskRuns.length > maxKnownTaskRuns) return undefined;
  const known = { execution: run.execution, taskRuns: [...taskRuns] };
  const size = JSON.stringify(known).length;
  return size <= maxKnownBytes && size * jobs <= maxKnownBytesOfStep ? known : undefined;
}
