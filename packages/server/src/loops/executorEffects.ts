import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionRecord, Flow } from '@millrace/contract';
import type { Effect, LiveRun, Wake } from '@millrace/engine';
import { render, renderDeep, renderTyped } from '@millrace/expression';
import { createMasker, messageOf } from '@millrace/plugin-kit';
import { isUnavailable, type Op } from '@millrace/store';
import type { Scheduler } from '../triggers/scheduler.ts';
import { serverZoneRules } from '../triggers/zone.ts';
import { killChildren, startChild } from './children.ts';
import type { EffectParts } from './effectParts.ts';
import type { Effects } from './effects.ts';
import type { Executor } from './executor.ts';
import { recoverExecution } from './recovery.ts';
import { replayFromStart } from './replay.ts';
import { callerOf, endOfChild, tellParent } from './tellParent.ts';
import { Timers } from './timers.ts';
import type { Worker } from './worker.ts';

type Of<E extends Effect['effect']> = Extract<Effect, { effect: E }>;

const tryAgainMs = [100, 500, 2_000, 5_000];

interface Appointment {
  readonly executionId: string;
  readonly wake: Wake;
}

/**
 * Sets off what follows from a step: attempts go to the worker, dates to the timers, children to new executions. The
 * executor and the worker need each other, so they are handed in once both exist.
 */
export class ExecutorEffects implements Effects {
  readonly #parts: EffectParts;
  readonly #timers: Timers<Appointment>;
  #executor!: Executor;
  #worker!: Worker;
  #scheduler!: Scheduler;
  #isStopped = false;
  #stopFollowing: (() => void) | undefined;
  /** Folders that are being opened or closed right now. */
  readonly #directories = new Set<string>();

  constructor(parts: EffectParts) {
    this.#parts = parts;
    this.#timers = new Timers(parts.clock, (appointment) => this.#keep(appointment));
  }

  connect(executor: Executor, worker: Worker, scheduler: Scheduler): void {
    this.#executor = executor;
    this.#worker = worker;
    this.#scheduler = scheduler;
  }

  /** A limit that was raised or removed makes room without anyone having ended. */
  followLimits(): void {
    const { store, admission } = this.#parts;
    this.#stopFollowing = store.onChange(({ flows }) => {
      for (const { namespace, id } of flows)
        this.#background(`start those who wait under the limit of ${namespace}/${id}`, undefined, async () =>
          this.#startAll(await admission.fill({ namespace, id })),
        );
    });
  }

  /** Dates that executions of this process wait for. */
  get timerCount(): number {
    return this.#timers.size;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopFollowing?.();
    this.#timers.close();
  }

  submit(executionId: string, { taskRunId, attempt, task, sideEffects, directoryOf }: Of<'run'>): void {
    this.#worker.submit({
      executionId,
      taskRunId,
      attempt,
      task,
      sideEffects,
      ...(directoryOf === undefined ? {} : { directoryOf }),
    });
  }

  created(flow: Flow, execution: ExecutionRecord): void {
    const { scheduledAt } = execution;
    if (scheduledAt !== undefined && scheduledAt > this.#parts.clock()) {
      this.#timers.add(scheduledAt, execution.id, {
        executionId: execution.id,
        wake: { reason: 'schedule', at: scheduledAt },
      });
    } else if (this.#parts.flows.isUnlimited(flow)) this.#executor.tell(execution.id, { type: 'start' });
    else this.#background('admit an execution', execution.id, () => this.#admit(flow, execution));
  }

  wakes(run: LiveRun): void {
    for (const wake of run.wakes()) {
      if (wake.reason !== 'schedule') this.#addTimer(run.execution.id, wake);
    }
  }

  interrupt(taskRunIds: readonly string[]): void {
    this.#worker.interrupt(taskRunIds);
    this.#parts.remoteWork?.interrupt(taskRunIds);
  }

  lost(executionId: string): void {
    this.#timers.cancel(executionId);
    this.#worker.abandonExecution(executionId);
    this.#removeFolders(executionId);
  }

  wake(run: LiveRun, { wake }: Of<'wake'>): void {
    this.#addTimer(run.execution.id, wake);
  }

  resolve(run: LiveRun, { taskRunId, key, expression, mode, extra }: Of<'resolve'>): void {
    const about = taskRunId === undefined ? { key } : { taskRunId, key };
    const variables = { ...run.variables(taskRunId), ...extra };
    const masker = createMasker(run.secretTexts());
    const { execution } = run;
    const host = this.#parts.host({
      namespace: execution.namespace,
      execution,
      mask: (text) => masker.add(text),
    });
    const evaluate = async () => {
      if (mode === 'deep') return renderDeep(expression, variables, host);
      if (typeof expression !== 'string') return expression;
      return mode === 'typed'
        ? renderTyped(expression, variables, host)
        : render(expression, variables, host);
    };
    evaluate().then(
      (value) => this.#executor.tell(run.execution.id, { type: 'resolved', ...about, result: { value } }),
      (error: unknown) =>
        this.#executor.tell(run.execution.id, {
          type: 'resolved',
          ...about,
          result: { error: masker.mask(messageOf(error)) },
        }),
    );
  }

  hasFolder(executionId: string, { directory, holder }: { directory: string; holder?: string }): boolean {
    if (holder !== undefined) return this.#parts.remoteWork?.isAlive(holder) ?? false;
    return this.#parts.folders.find(executionId, directory);
  }

  directory(
    run: LiveRun,
    { effect, taskRunId, directory, task }: Of<'openDirectory' | 'closeDirectory'>,
  ): void {
    const executionId = run.execution.id;
    const taskRun = run.taskRun(taskRunId);
    const underWay = `${effect} ${directory}`;
    // Asked twice, as after a commit whose answer got lost: collecting from a folder that is being removed finds half of it.
    if (!taskRun || this.#directories.has(underWay)) return;
    this.#directories.add(underWay);
    const phase = effect === 'openDirectory' ? 'opened' : 'closed';
    const variables = run.variables(taskRunId);
    const owner = { execution: run.execution, taskRun, variables, secrets: run.secretTexts() };
    const request = { directory, task, owner };
    const { folders } = this.#parts;
    const work = async () => {
      if (phase === 'opened') return void (await folders.open(request));
      const outputs = await folders.collect(request);
      await folders.remove(executionId, directory);
      return outputs;
    };
    const about = { type: 'directory', taskRunId, phase, directory } as const;
    work()
      .then(
        (outputs) => this.#executor.tell(executionId, { ...about, ...(outputs ? { outputs } : {}) }),
        (error: unknown) => this.#executor.tell(executionId, { ...about, error: messageOf(error) }),
      )
      .finally(() => this.#directories.delete(underWay));
  }

  createChild(run: LiveRun, effect: Of<'createChild'>): void {
    const parent = run.execution;
    const taskRun = run.taskRun(effect.taskRunId);
    if (!taskRun) return;
    this.#background('start a child execution', parent.id, () =>
      startChild({ parent, taskRun, effect }, this.#parts, this.#executor),
    );
  }

  killChildren(run: LiveRun): void {
    this.#background('kill child executions', run.execution.id, () =>
      killChildren(run.execution.id, this.#parts.store, this.#executor),
    );
  }

  replay(run: LiveRun): void {
    const { execution } = run;
    this.#background('replay an execution', execution.id, async () => {
      try {
        const replacement = await replayFromStart(execution, this.#parts, this.#executor);
        await this.#scheduler.handOver(execution, replacement);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        // There will be no other execution: those who wait for one wait for this one's end.
        const failed = { ...execution, state: { ...execution.state, current: 'FAILED' as const } };
        await tellParent(failed, this.#parts, this.#executor);
        await this.#scheduler.release(execution);
        throw error;
      }
    });
  }

  chooseListeners(run: LiveRun): void {
    const { execution } = run;
    const { id, namespace } = execution;
    run.chooseListeners(this.#parts.host({ namespace, execution }), serverZoneRules()).then(
      (indexes) => this.#executor.tell(id, { type: 'listenersChosen', indexes }),
      (error: unknown) =>
        this.#executor.tell(id, { type: 'listenersChosen', indexes: [], error: messageOf(error) }),
    );
  }

  takeUp(executionId: string): void {
    this.#background('carry on with an execution', executionId, async () => {
      const { store, sharing } = this.#parts;
      if ((await sharing?.isHere(executionId)) === false) return;
      const stored = await store.getExecution(executionId);
      if (!stored || stored.execution.overAt !== undefined) return;
      const begun = new Set(await sharing?.begunElsewhere(executionId));
      await recoverExecution(stored, this.#executor, this.#parts, ({ taskRunId, attempt }) =>
        begun.has(`${taskRunId}/${attempt}`),
      );
    });
  }

  async endOps(execution: ExecutionRecord): Promise<readonly Op[]> {
    const { sharing, files } = this.#parts;
    const callerId = callerOf(execution);
    if (!sharing || callerId === undefined || execution.state.current === 'RETRIED') return [];
    if (this.#executor.holds(callerId)) return [];
    const end = await endOfChild(execution, files);
    return end ? sharing.messageFor(end.callerId, end.event) : [];
  }

  isUnderWay(taskRunId: string, attempt: number): boolean {
    return this.#worker.isAt(taskRunId, attempt);
  }

  ended(execution: ExecutionRecord, isParentTold = false): void {
    this.#timers.cancel(execution.id);
    // Of tasks that were killed or failed: nobody has closed them.
    this.#removeFolders(execution.id);
    // One that another execution does again has no end of its own: that of its replacement counts.
    if (execution.state.current !== 'RETRIED') {
      if (!isParentTold)
        this.#background('tell the caller', execution.id, () =>
          tellParent(execution, this.#parts, this.#executor),
        );
      this.#background('let the trigger go on', execution.id, () => this.#scheduler.release(execution));
    }
    this.#background('start the next execution in line', execution.id, async () => {
      const { namespace, flowId } = execution;
      this.#startAll(await this.#parts.admission.release({ namespace, id: flowId }, execution.id));
    });
  }

  #addTimer(executionId: string, wake: Wake): void {
    this.#timers.add(wake.at, executionId, { executionId, wake });
  }

  #removeFolders(executionId: string): void {
    const { folders } = this.#parts;
    for (const directory of folders.heldFor(executionId))
      this.#background('remove a folder', executionId, () => folders.remove(executionId, directory));
  }

  async #admit(flow: Flow, execution: ExecutionRecord): Promise<void> {
    const verdict = await this.#parts.admission.admit(flow, execution.id);
    if (verdict.type === 'start' || execution.state.current === 'CREATED') {
      this.#executor.tell(execution.id, verdict);
    }
    // After a restart there may be more room than the process before had given away.
    this.#startAll(await this.#parts.admission.fill(flow));
  }

  #startAll(executionIds: readonly string[]): void {
    for (const id of executionIds) this.#executor.tell(id, { type: 'start' });
  }

  #keep({ executionId, wake }: Appointment): void {
    if (wake.reason !== 'schedule') {
      this.#executor.tell(executionId, { type: 'woken', wake });
      return;
    }
    // The date has come; whether there is a place is only decided now.
    this.#background('start a scheduled execution', executionId, async () => {
      const execution = await this.#parts.store.getExecutionRecord(executionId);
      if (execution?.state.current !== 'CREATED') return;
      const { namespace, flowId, flowRevision } = execution;
      const found = await this.#parts.flows.find(namespace, flowId, flowRevision);
      if (found) this.created(found.flow, execution);
    });
  }

  /** Works beside the executor. All of it can be done twice, so it is tried again while the database is away. */
  #background(what: string, executionId: string | undefined, work: () => Promise<void>): void {
    const tryNow = async (tries: number): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (this.#isStopped) return;
        this.#parts.log.error(`Could not ${what}.`, { ...(executionId && { executionId }), error });
        if (!isUnavailable(error)) return;
        await delay(tryAgainMs[Math.min(tries, tryAgainMs.length - 1)], undefined, { ref: false });
        if (!this.#isStopped) await tryNow(tries + 1);
      }
    };
    void tryNow(0);
  }
}
