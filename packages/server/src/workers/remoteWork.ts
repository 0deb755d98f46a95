import type { Task } from '@millrace/contract';
import type { Event, LiveRun } from '@millrace/engine';
import type { Cluster, Op } from '@millrace/store';
import type { Membership } from '../cluster/membership.ts';
import type { Role } from '../cluster/role.ts';
import type { RemoteEffect } from '../loops/effects.ts';
import type { AttemptJob, FolderJob } from './job.ts';
import { ownQueueOf, queueOf } from './queue.ts';
import { readWorkerGroup } from './workerGroup.ts';

export interface RemoteWorkParts {
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly roles: ReadonlySet<Role>;
  readonly workerGroup: string | undefined;
  readonly prepareQueue: () => Promise<void>;
}

/**
 * Which work other processes do. A server that is a worker itself runs what asks for no other group, and what only
 * computes runs where its execution is; the rest goes through the queue, in the commit that decided it. Tasks that share a
 * folder go to the worker that has opened it, through the queue of that very worker.
 */
export class RemoteWork {
  readonly #parts: RemoteWorkParts;
  #prepared: Promise<void> | undefined;
  #tell!: (executionId: string, event: Event) => void;

  constructor(parts: RemoteWorkParts) {
    this.#parts = parts;
  }

  connect(tell: (executionId: string, event: Event) => void): void {
    this.#tell = tell;
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

  /** Whether a server may still have what it had. One that nobody knows has left long ago. */
  isAlive(serverId: string): boolean {
    return this.#parts.membership.alive.some(({ id }) => id === serverId);
  }

  async jobsOf(run: LiveRun, effects: readonly RemoteEffect[], version: number): Promise<Op[]> {
    await this.prepare();
    const { membership } = this.#parts;
    const executionId = run.execution.id;
    const computing = effects.filter(onlyComputes);
    const known = computing.length === 0 ? undefined : knownOf(run, computing.length);
    return effects.flatMap((effect): Op[] => {
      const { taskRunId, task, holder } = effect;
      const group = readWorkerGroup(task);
      if (!holder && group && group.fallback !== 'WAIT' && !membership.hasWorkers(group.key)) {
        this.#fallBack(executionId, effect, group);
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
      return [{ op: 'job.add', identifier, payload }];
    });
  }

  interrupt(taskRunIds: readonly string[]): void {
    if (!this.#parts.membership.isAlone) this.#parts.cluster.interrupt(taskRunIds);
  }

  #runsHere(task: Task): boolean {
    const { roles, workerGroup } = this.#parts;
    return roles.has('worker') && workerGroup === readWorkerGroup(task)?.key;
  }

  /** Nobody is there for the group and the task does not want to wait. */
  #fallBack(
    executionId: string,
    effect: RemoteEffect,
    { key, fallback }: { readonly key: string; readonly fallback: string },
  ): void {
    if (fallback === 'CANCEL') return this.#tell(executionId, { type: 'kill', cascade: true });
    const reason = `No worker of the group "${key}" is running.`;
    const { taskRunId } = effect;
    if (effect.effect !== 'run') {
      const { directory } = effect;
      this.#tell(executionId, { type: 'directory', taskRunId, phase: 'opened', directory, error: reason });
      return;
    }
    const about = { taskRunId, attempt: effect.attempt };
    this.#tell(executionId, { type: 'taskStarted', ...about });
    this.#tell(executionId, { type: 'taskEnded', ...about, state: 'FAILED', reason });
  }
}

/** One in a shared folder is not among them: whether its worker still has the folder must be known before it starts. */
const onlyComputes = (effect: RemoteEffect): boolean =>
  effect.effect === 'run' && !effect.sideEffects && effect.directoryOf === undefined;

/** What goes along with jobs, so that workers need not read it: for each, and for all that one step adds. */
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
