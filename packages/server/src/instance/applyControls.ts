import type { Shared } from '../cluster/joinCluster.ts';
import type { StartedCluster } from '../cluster/startCluster.ts';
import type { Executor } from '../executor/executor.ts';
import type { ProcessLog } from '../processLog.ts';
import type { FlowTriggers } from '../scheduler/flowTriggers.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { Worker } from '../worker/worker.ts';
import type { Controls } from './controls.ts';
import { readWorkload } from './workload.ts';

interface ApplyControlsParts {
  readonly controls: Controls;
  readonly shared: Shared | undefined;
  readonly ownership: () => StartedCluster | undefined;
  readonly serverId: string;
  readonly workerKey: string;
  readonly group: string | undefined;
  readonly worker: Worker;
  readonly workers: () => readonly Worker[];
  readonly schedulers: readonly (Scheduler | undefined)[];
  readonly executor: Executor;
  readonly flowTriggers: FlowTriggers;
  readonly log: ProcessLog;
  readonly clock: () => number;
}

/** Makes this server follow the switches of operators, now and after each change. */
export async function applyControls(parts: ApplyControlsParts): Promise<void> {
  const { controls, shared, serverId, workerKey, group, worker, log, clock } = parts;
  const isDraining = () => controls.drainOf(serverId) !== undefined;
  /**
   * During maintenance tasks wait on every server. On a drained worker they wait only without another worker;
   * otherwise they go there, and those that wait here still run.
   */
  const holdWorker = () =>
    worker.hold(
      controls.areTasksHeld || (isDraining() && shared?.membership.hasOtherWorkers(group) !== true),
    );
  if (shared) {
    const active = new Set(shared.membership.active.map(({ id }) => id));
    await controls.inheritDrain(serverId, workerKey, active);
    shared.membership.reportStatus(() => {
      holdWorker();
      const { slots } = worker;
      return readWorkload({ workers: parts.workers, isDraining, workerKey, slots, log, clock });
    });
    await shared.membership.renew();
  }
  holdWorker();
  let wereStartsHeld = controls.areStartsHeld;
  controls.onChange(() => {
    const failed = (error: unknown) =>
      log.error('A control of the instance could not be applied.', { error });
    holdWorker();
    parts.ownership()?.applyControls().catch(failed);
    // The other servers assign work by what the heartbeat says.
    shared?.membership.renew().then(holdWorker).catch(failed);
    for (const scheduler of parts.schedulers) scheduler?.pauseChanged().catch(failed);
    if (wereStartsHeld && !controls.areStartsHeld) {
      parts.executor.resumeStarts();
      parts.flowTriggers.resume(clock()).catch(failed);
    }
    wereStartsHeld = controls.areStartsHeld;
  });
}
