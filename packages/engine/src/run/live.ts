import { type ExecutionRecord, type Flow, isCreated, type TaskRunRecord } from '@millrace/contract';
import type { Host, Variables } from '@millrace/expression';
import type { Zone } from '../schedule/zone.ts';
import { apply, settleAll } from './apply.ts';
import { emitDirectory, folderOf, holderOf } from './directory.ts';
import { continueControl, dispatchAgain } from './dispatch.ts';
import type { Event, Wake } from './event.ts';
import { isWithWorker } from './interrupt.ts';
import { chooseListeners } from './listeners.ts';
import { load } from './load.ts';
import type { Node } from './node.ts';
import { type Changes, Run, type RunEnvironment } from './run.ts';
import { secretTexts } from './secretInputs.ts';
import { slaWakes } from './sla.ts';
import { variablesOf } from './variables.ts';

/**
 * An execution in memory. Deterministic: the same rows and the same events at the same times give the same
 * rows. After each `apply`, take the changes and write them; when the write fails, discard the object and
 * load the rows again.
 */
export class LiveRun {
  private readonly run: Run;

  constructor(
    flow: Flow,
    execution: ExecutionRecord,
    taskRuns: readonly TaskRunRecord[],
    environment: RunEnvironment,
  ) {
    this.run = new Run(flow, execution, environment);
    load(this.run, taskRuns);
  }

  get execution(): ExecutionRecord {
    return this.run.execution;
  }

  taskRun(id: string): TaskRunRecord | undefined {
    return this.run.nodes.get(id)?.record;
  }

  /** In the order of creation. */
  taskRuns(): readonly TaskRunRecord[] {
    return [...this.run.nodes.values()].map((node) => node.record);
  }

  get taskRunCount(): number {
    return this.run.nodes.size;
  }

  apply(event: Event, now: number): void {
    apply(this.run, event, now);
  }

  takeChanges(): Changes {
    return this.run.takeChanges();
  }

  /** After loading: emits again every effect that had no result before the restart. */
  recover(now: number): void {
    this.run.now = now;
    if (this.run.state === 'CREATED' || this.run.state === 'QUEUED') return;
    this.run.wakeAll();
    for (const node of this.run.nodes.values()) {
      const state = node.record.state.current;
      const folder = node.record.memo?.directory;
      if (isCreated(state)) dispatchAgain(this.run, node);
      else if (state === 'RUNNING' && (folder === 'opening' || folder === 'closing'))
        emitDirectory(this.run, node, folder === 'opening' ? 'openDirectory' : 'closeDirectory');
      else if (state === 'RUNNING' && this.run.index.controlOf(node.task) && !node.group?.plan)
        continueControl(this.run, node);
    }
    settleAll(this.run);
  }

  /** Attempts that a worker had started; after a restart of the server no worker runs them. */
  attemptsWithWorkers(): readonly { taskRunId: string; attempt: number }[] {
    return [...this.run.nodes.values()]
      .filter((node) => isWithWorker(this.run, node))
      .map(({ record }) => ({ taskRunId: record.id, attempt: record.attempts.length - 1 }));
  }

  /** Open shared folders, each with its owner when that is another process. */
  directories(): readonly { taskRunId: string; directory: string; holder?: string }[] {
    return [...this.run.nodes.values()].flatMap((node) => {
      const folder = folderOf(node);
      if (folder?.phase !== 'open' && folder?.phase !== 'closing') return [];
      return [{ taskRunId: node.record.id, directory: folder.directory, ...holderOf(node) }];
    });
  }

  /** The folder of this task run and its phase, when it has one. */
  awaitedFolder(taskRunId: string): { directory: string; phase: string } | undefined {
    const node = this.run.nodes.get(taskRunId);
    return node && folderOf(node);
  }

  /** The wake-ups of the execution, derived from the rows. */
  wakes(): readonly Wake[] {
    const { execution } = this.run;
    const wakes: Wake[] = [];
    if (execution.memo?.replayAt !== undefined)
      wakes.push({ reason: 'replay', at: Number(execution.memo.replayAt) });
    if (execution.state.current === 'CREATED' && execution.scheduledAt !== undefined)
      wakes.push({ reason: 'schedule', at: execution.scheduledAt });
    wakes.push(...slaWakes(this.run));
    for (const node of this.run.nodes.values()) {
      const at = node.record.memo?.wakeAt;
      const reason = wakeReason(this.run, node);
      if (typeof at === 'number' && reason) wakes.push({ reason, taskRunId: node.record.id, at });
    }
    return wakes;
  }

  /** The variables of expressions in a task run or, without one, in the execution. */
  variables(taskRunId?: string): Variables {
    return variablesOf(this.run, taskRunId === undefined ? undefined : this.run.nodes.get(taskRunId));
  }

  /** Texts that no log of this execution may show: its decrypted SECRET inputs and sealed outputs. */
  secretTexts(): readonly string[] {
    return secretTexts(this.run);
  }

  /** Handles a `chooseListeners` effect with the host. */
  chooseListeners(host: Host, zone: Zone): Promise<readonly number[]> {
    return chooseListeners(this.run, host, zone);
  }

  /** True when nothing more happens without a user action. */
  hasEnded(): boolean {
    return this.run.execution.closedAt !== undefined;
  }
}

/** Why a task run in this state waits for a date. */
function wakeReason(run: Run, { record, task }: Node): 'retry' | 'pause' | 'loop' | undefined {
  if (record.state.current === 'RETRYING') return 'retry';
  if (record.state.current === 'PAUSED') return 'pause';
  const control = run.index.controlOf(task);
  return record.state.current === 'RUNNING' && control?.kind === 'container' ? 'loop' : undefined;
}
