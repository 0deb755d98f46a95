import type { Task } from '@millrace/contract';
import type { Effect, Event } from '@millrace/engine';
import type { Cluster, Op } from '@millrace/store';
import type { Membership } from '../cluster/membership.ts';
import type { Role } from '../cluster/role.ts';
import { queueOf } from './queue.ts';
import { readWorkerGroup } from './workerGroup.ts';

type RunEffect = Effect & { effect: 'run' };

/** One attempt, as a worker in another process finds it in the queue. */
export interface AttemptJob {
  readonly executionId: string;
  readonly taskRunId: string;
  readonly attempt: number;
  /** The execution had this version when the job was made; older rows do not know the task run. */
  readonly version: number;
  /** Who carries the execution on. */
  readonly owner: string;
  readonly task: Task;
}

export interface RemoteWorkParts {
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly roles: ReadonlySet<Role>;
  readonly workerGroup: string | undefined;
  readonly prepareQueue: () => Promise<void>;
}

/**
 * Which attempts other processes run. A server that is a worker itself runs what asks for no other group, and what only
 * computes runs where its execution is; the rest goes through the queue, in the commit that decided it.
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

  takes({ task, sideEffects, directoryOf }: RunEffect): boolean {
    // A shared folder is on the machine that carries the execution on.
    if (directoryOf !== undefined) return false;
    const { roles, workerGroup } = this.#parts;
    const group = readWorkerGroup(task);
    if (!group) return sideEffects && !(roles.has('worker') && workerGroup === undefined);
    return !(roles.has('worker') && workerGroup === group.key);
  }

  async jobsOf(executionId: string, attempts: readonly RunEffect[], version: number): Promise<Op[]> {
    await this.prepare();
    const { membership } = this.#parts;
    return attempts.flatMap(({ taskRunId, attempt, task }): Op[] => {
      const group = readWorkerGroup(task);
      if (group && group.fallback !== 'WAIT' && !membership.hasWorkers(group.key)) {
        this.#fallBack(executionId, { taskRunId, attempt }, group);
        return [];
      }
      const payload: AttemptJob = { executionId, taskRunId, attempt, version, owner: membership.id, task };
      return [{ op: 'job.add', identifier: queueOf(group?.key), payload }];
    });
  }

  interrupt(taskRunIds: readonly string[]): void {
    if (!this.#parts.membership.isAlone) this.#parts.cluster.interrupt(taskRunIds);
  }

  /** Nobody is there for the group and the task does not want to wait. */
  #fallBack(
    executionId: string,
    attempt: { readonly taskRunId: string; readonly attempt: number },
    { key, fallback }: { readonly key: string; readonly fallback: string },
  ): void {
    if (fallback === 'CANCEL') return this.#tell(executionId, { type: 'kill', cascade: true });
    const reason = `No worker of the group "${key}" is running.`;
    this.#tell(executionId, { type: 'taskStarted', ...attempt });
    this.#tell(executionId, { type: 'taskEnded', ...attempt, state: 'FAILED', reason });
  }
}
