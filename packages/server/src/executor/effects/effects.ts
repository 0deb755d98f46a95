import type { ExecutionRecord, Flow } from '@millrace/contract';
import type { Effect, LiveRun, Wake } from '@millrace/engine';
import { messageOf } from '@millrace/plugin-kit';
import { isUnavailable, throwIfUnavailable } from '@millrace/store';
import { Background } from '../../background.ts';
import { serverZoneRules } from '../../scheduler/zone.ts';
import type { AttemptPort } from '../../worker/worker.ts';
import { killChildren, startChild } from '../children.ts';
import type { ExecutorParts } from '../executorParts.ts';
import type { ExecutorPort } from '../executorPort.ts';
import { notifyParent } from '../notifyParent.ts';
import { recoverExecution } from '../recovery.ts';
import { replayFromStart } from '../replay.ts';
import type { StepSubscriber } from '../stepSubscriber.ts';
import { Timers } from '../timers.ts';
import { FolderEffects } from './folderEffects.ts';
import { resolveExpression } from './resolveExpression.ts';
import { Starts } from './starts.ts';

type Of<E extends Effect['effect']> = Extract<Effect, { effect: E }>;

interface TimedWake {
  readonly executionId: string;
  readonly wake: Wake;
}

/** Carries out the effects of committed steps. Each effect is idempotent: after a restart it can happen again. */
export class Effects {
  readonly #parts: ExecutorParts;
  readonly #executor: ExecutorPort & AttemptPort;
  readonly #background: Background;
  readonly #starts: Starts;
  readonly #folders: FolderEffects;
  readonly #timers: Timers<TimedWake>;
  readonly #subscribers: StepSubscriber[] = [];
  #stopFollowing: (() => void) | undefined;

  constructor(parts: ExecutorParts, executor: ExecutorPort & AttemptPort) {
    this.#parts = parts;
    this.#executor = executor;
    this.#background = new Background(parts.log);
    this.#starts = new Starts(parts, executor, this.#background);
    this.#folders = new FolderEffects(parts, executor, this.#background);
    this.#timers = new Timers(parts.clock, ({ executionId, wake }) => {
      if (wake.reason === 'schedule') this.#starts.requestScheduled(executionId);
      else executor.notify(executionId, { type: 'woken', wake });
    });
  }

  /** Dates that executions of this process wait for. */
  get timerCount(): number {
    return this.#timers.size;
  }

  subscribe(subscriber: StepSubscriber): void {
    this.#subscribers.push(subscriber);
  }

  get subscribers(): readonly StepSubscriber[] {
    return this.#subscribers;
  }

  followLimits(): void {
    this.#stopFollowing = this.#starts.followLimits();
  }

  resumeStarts(): void {
    this.#starts.resume();
  }

  stop(): void {
    this.#background.stop();
    this.#stopFollowing?.();
    this.#timers.close();
  }

  /** Performs the effects in order. A handler that fails does not stop the ones after it. */
  perform(run: LiveRun, effects: readonly Effect[], isParentNotified: boolean): void {
    const errors: unknown[] = [];
    for (const effect of effects) {
      try {
        this.#perform(run, effect, isParentNotified);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Submits an attempt to the worker of this process. */
  submit(executionId: string, { taskRunId, attempt, task, sideEffects, directoryOf }: Of<'run'>): void {
    const about = { executionId, taskRunId, attempt, task, sideEffects };
    this.#parts.worker.submit(directoryOf === undefined ? about : { ...about, directoryOf }, this.#executor);
  }

  /** A stored execution starts now, at its date, or when its flow's limit has a free slot. */
  created(flow: Flow, execution: ExecutionRecord): void {
    const { id, scheduledAt } = execution;
    if (scheduledAt !== undefined && scheduledAt > this.#parts.clock())
      this.#addTimer(id, { reason: 'schedule', at: scheduledAt });
    else this.#starts.request(flow, execution);
  }

  /** Sets the timers of an execution that was loaded after a restart. */
  restoreTimers(run: LiveRun): void {
    for (const wake of run.wakes()) if (wake.reason !== 'schedule') this.#addTimer(run.execution.id, wake);
  }

  /** Another server owns the execution now: its work here is abandoned and reports nothing. */
  abandon(executionId: string): void {
    this.#timers.cancel(executionId);
    this.#parts.worker.abandonExecution(executionId);
    this.#folders.removeAll(executionId);
  }

  hasFolder(executionId: string, folder: { readonly directory: string; readonly holder?: string }): boolean {
    return this.#folders.has(executionId, folder);
  }

  /** Reads the stored execution and resumes it, if this server owns it: the fate of a commit is unknown. */
  recoverStored(executionId: string): void {
    this.#background.run('resume an execution', executionId, async () => {
      const { store, ownership } = this.#parts;
      if ((await ownership?.isHere(executionId)) === false) return;
      const stored = await store.getExecution(executionId);
      if (!stored || stored.execution.closedAt !== undefined) return;
      const started = new Set(await ownership?.startedElsewhere(executionId));
      await recoverExecution(stored, this.#executor, this.#parts, ({ taskRunId, attempt }) =>
        started.has(`${taskRunId}/${attempt}`),
      );
    });
  }

  /** Cleans up after an execution that ended or was deleted, and notifies those that wait for it. */
  ended(execution: ExecutionRecord, isParentNotified = false): void {
    const { id, namespace, flowId } = execution;
    this.#timers.cancel(id);
    this.#folders.removeAll(id);
    // A retried execution is replaced by another one, and that one's end counts.
    if (execution.state.current !== 'RETRIED') {
      if (!isParentNotified)
        this.#background.run('notify the parent execution', id, () =>
          notifyParent(execution, this.#parts, this.#executor),
        );
      for (const subscriber of this.#subscribers)
        this.#background.run('report the end of an execution', id, async () => subscriber.ended?.(execution));
    }
    this.#starts.release({ namespace, id: flowId }, id);
  }

  #perform(run: LiveRun, effect: Effect, isParentNotified: boolean): void {
    const { execution } = run;
    switch (effect.effect) {
      case 'run':
        this.submit(execution.id, effect);
        break;
      case 'interrupt':
        this.#parts.worker.interrupt(effect.taskRunIds);
        this.#parts.remoteWork?.interrupt(effect.taskRunIds);
        break;
      case 'wake':
        this.#addTimer(execution.id, effect.wake);
        break;
      case 'resolve':
        this.#background.run('evaluate an expression', execution.id, () =>
          resolveExpression(run, effect, this.#parts, this.#executor),
        );
        break;
      case 'openDirectory':
      case 'closeDirectory':
        this.#folders.handle(run, effect);
        break;
      case 'createChild':
        this.#createChild(run, effect);
        break;
      case 'killChildren':
        this.#background.run('kill child executions', execution.id, () =>
          killChildren(execution.id, this.#parts.store, this.#executor),
        );
        break;
      case 'replay':
        this.#background.run('replay an execution', execution.id, () => this.#replace(execution));
        break;
      case 'completed':
        this.ended(execution, isParentNotified);
        break;
      case 'chooseListeners':
        this.#chooseListeners(run);
        break;
      case 'log':
      case 'stateChanged':
        // The commit stored both: as log lines, and as events of flow triggers.
        break;
    }
  }

  #createChild(run: LiveRun, effect: Of<'createChild'>): void {
    const parent = run.execution;
    const taskRun = run.taskRun(effect.taskRunId);
    if (!taskRun) return;
    this.#background.run('start a child execution', parent.id, () =>
      startChild({ parent, taskRun, effect }, this.#parts, this.#executor),
    );
  }

  async #replace(execution: ExecutionRecord): Promise<void> {
    try {
      const replacementId = await replayFromStart(execution, this.#parts, this.#executor);
      for (const subscriber of this.#subscribers) await subscriber.replaced?.(execution, replacementId);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      // No other execution follows, so this one's end counts.
      const failed = { ...execution, state: { ...execution.state, current: 'FAILED' as const } };
      await notifyParent(failed, this.#parts, this.#executor);
      for (const subscriber of this.#subscribers) await subscriber.ended?.(execution);
      throw error;
    }
  }

  #chooseListeners(run: LiveRun): void {
    const { execution } = run;
    const { id, namespace } = execution;
    this.#background.run('evaluate the conditions of listeners', id, () =>
      run.chooseListeners(this.#parts.host({ namespace, execution }), serverZoneRules()).then(
        (indexes) => this.#executor.notify(id, { type: 'listenersChosen', indexes }),
        (error: unknown) => {
          throwIfUnavailable(error);
          this.#executor.notify(id, { type: 'listenersChosen', indexes: [], error: messageOf(error) });
        },
      ),
    );
  }

  #addTimer(executionId: string, wake: Wake): void {
    this.#timers.add(wake.at, executionId, { executionId, wake });
  }
}
