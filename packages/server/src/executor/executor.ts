/**
 * The executor moves the executions that this server owns.
 *
 * Every execution in memory belongs to one `ExecutionActor`. It is in one of these states:
 *
 * - loading: the actor reads the rows. If another server owns the execution, its commands are forwarded there.
 * - stepping: the actor applies waiting commands to the `LiveRun`, one after the other. The engine returns changed rows
 *   and effects; a `StepBatch` gathers them. Pure tasks start now, so that their results join the same batch.
 * - committing: one transaction writes the changed rows, events, log lines, and jobs and messages for other processes.
 *   The version of the execution's row fences other owners off.
 * - announcing: the commit is durable. Callers get their response, watchers and `StepSubscriber`s are notified, and
 *   `Effects` starts attempts, sets timers, creates children.
 * - unsure: the response to the commit was lost. The actor reads the rows again; version and event sequence tell whether
 *   the batch is stored. Then it is announced, or its facts are applied again and its requests are refused.
 * - idle: nothing happens until a worker, user, timer or child sends a command. The `IdleCache` keeps the rows in memory
 *   and evicts the execution that has been idle longest.
 * - closed: the execution was deleted.
 *
 * Commands come from users (`request`), from workers, timers and children (`notify`, `begin`, `end`), from other servers
 * (`deliver`), and from a restart (`recover`). Only `#post` hands them to an actor, and only the engine decides a state.
 *
 * A command's response, an effect and an announcement never precede the commit. Two exceptions are safe to repeat: a pure
 * task starts before the commit that stores its start, and log lines are buffered until the next commit of their execution.
 */
import { AppError, type ExecutionRecord, type Flow, playgroundKind } from '@millrace/contract';
import { type Effect, type Event, LiveRun } from '@millrace/engine';
import {
  Conflict,
  type ExecutionWithTaskRuns,
  type FlowEventRecord,
  type Op,
  type StoredExecution,
} from '@millrace/store';
import type { Attempt, AttemptEnd, AttemptPort, StartedAttempt } from '../worker/worker.ts';
import { type Command, StepFailed } from './command.ts';
import { Effects } from './effects/effects.ts';
import { EndWaiters } from './endWaiters.ts';
import { type ActorHost, ExecutionActor, type LoadedRun } from './executionActor.ts';
import type { ExecutorParts } from './executorParts.ts';
import type { ExecutorPort, IsElsewhere } from './executorPort.ts';
import { IdleCache } from './idleCache.ts';
import { messagesAtEnd } from './notifyParent.ts';
import { killed, missingFlow } from './placeholderFlow.ts';
import type { RemoteEffect } from './remoteEffect.ts';
import { describeStarted } from './startedAttempt.ts';
import type { NewRow } from './stepBatch.ts';
import type { StepSubscriber } from './stepSubscriber.ts';

export class Executor implements ExecutorPort, ActorHost, AttemptPort {
  readonly parts: ExecutorParts;
  readonly #effects: Effects;
  readonly #actors = new Map<string, ExecutionActor>();
  readonly #idle: IdleCache<ExecutionActor>;
  readonly #endWaiters = new EndWaiters();
  readonly #maxOpen: number;

  /** `maxOpen` is the number of executions in memory above which the server refuses new ones. */
  constructor(parts: ExecutorParts, maxOpen: number, maxIdleTaskRuns: number) {
    this.parts = parts;
    this.#maxOpen = maxOpen;
    this.#idle = new IdleCache(maxIdleTaskRuns);
    this.#effects = new Effects(parts, this);
  }

  get openCount(): number {
    return this.#actors.size;
  }

  /** Executions whose end a caller waits for. */
  get awaitedCount(): number {
    return this.#endWaiters.size;
  }

  get timerCount(): number {
    return this.#effects.timerCount;
  }

  /** Calls the subscriber after each commit from now on. */
  subscribe(subscriber: StepSubscriber): void {
    this.#effects.subscribe(subscriber);
  }

  /** Starts executions that wait when the limit of their flow changes. */
  followLimits(): void {
    this.#effects.followLimits();
  }

  resumeStarts = (): void => this.#effects.resumeStarts();

  /** Stops timers and background work; running steps continue until `settle`. */
  stop(): void {
    this.#effects.stop();
  }

  async create(
    flow: Flow,
    execution: ExecutionRecord,
    uniqueKey?: string,
    alongside: readonly Op[] = [],
  ): Promise<void> {
    this.#refuseWhenNotReady();
    const home = this.parts.ownership?.assignOwner(execution.id);
    const row: NewRow = { ...(uniqueKey === undefined ? {} : { uniqueKey }), ...home?.owner };
    await this.#insert(execution.id, [
      { op: 'execution.insert', execution, ...row },
      ...alongside,
      ...(home?.invitation ?? []),
    ]);
    this.parts.counts.executionStarted(execution);
    if (home?.invitation) return;
    this.#open(execution.id, { run: this.#toRun(flow, execution, []), version: 1, eventSeq: 0 });
    this.#effects.created(flow, execution);
  }

  async start(
    flow: Flow,
    execution: ExecutionRecord,
    uniqueKey?: string,
    alongside: readonly Op[] = [],
  ): Promise<void> {
    const home = this.parts.ownership?.assignOwner(execution.id);
    // The limit of the current revision counts, even if an older revision without one is started.
    const isFree = execution.kind === playgroundKind || this.parts.flows.isUnlimited(flow);
    const mustWait = !isFree || execution.scheduledAt !== undefined;
    if (mustWait || home?.invitation) return this.create(flow, execution, uniqueKey, alongside);
    this.#refuseWhenNotReady();
    const insert: NewRow = { ...(uniqueKey === undefined ? {} : { uniqueKey }), ...home?.owner };
    const event: Event = { type: 'start' };
    try {
      await new Promise<void>((resolve, reject) => {
        const loaded = { run: this.#toRun(flow, execution, []), version: 0, eventSeq: 0, insert };
        this.#open(execution.id, loaded).post({
          step: (run, now) => run.apply(event, now),
          isRequest: true,
          alongside,
          committed: () => {
            this.parts.counts.executionStarted(execution);
            resolve();
          },
          refused: reject,
        });
      });
    } catch (error) {
      // An execution that the engine cannot step is stored, so that users see the failure.
      if (!(error instanceof StepFailed)) throw error;
      await this.create(flow, execution, uniqueKey, alongside);
    }
  }

  async adopt(flow: Flow, { execution, taskRuns }: ExecutionWithTaskRuns): Promise<void> {
    this.#refuseWhenNotReady();
    const home = this.parts.ownership?.assignOwner(execution.id);
    await this.#insert(execution.id, [
      { op: 'execution.insert', execution, ...home?.owner },
      ...taskRuns.map((taskRun): Op => ({ op: 'taskRun.put', taskRun })),
      ...(home?.invitation ?? []),
    ]);
    this.parts.counts.executionStarted(execution);
    if (home?.invitation) return;
    this.recover(flow, { execution, taskRuns, version: 1, eventSeq: 0 }, undefined);
  }

  async request(executionId: string, event: Event): Promise<ExecutionWithTaskRuns> {
    this.parts.activity.refuseWhileQuiet();
    return new Promise((resolve, reject) => {
      let left: ExecutionWithTaskRuns | undefined;
      this.#post(executionId, {
        step: (run, now) => run.apply(event, now),
        event,
        isRequest: true,
        applied: (run) => {
          left = { execution: run.execution, taskRuns: run.taskRuns() };
        },
        committed: (run) => resolve(left ?? { execution: run.execution, taskRuns: run.taskRuns() }),
        committedElsewhere: resolve,
        refused: reject,
      });
    });
  }

  notify(executionId: string, event: Event): void {
    this.#post(executionId, { step: (run, now) => run.apply(event, now), event, isRequest: false });
  }

  deliver(executionId: string, command: Command): void {
    this.#post(executionId, command);
  }

  recover(
    flow: Flow,
    stored: StoredExecution,
    problem: string | undefined,
    isElsewhere: IsElsewhere = () => false,
  ): void {
    const { execution, taskRuns, version, eventSeq } = stored;
    const run = this.#toRun(flow, execution, taskRuns);
    const known = this.#actors.get(execution.id);
    // The rows in memory can predate a time when another server owned the execution.
    if (known) known.reload();
    else this.#open(execution.id, { run, version, eventSeq });
    if (problem !== undefined) {
      this.notify(execution.id, { type: 'broken', reason: problem });
      return;
    }
    const lost = run
      .attemptsWithWorkers()
      .filter((one) => !isElsewhere(one) && !this.parts.worker.isAt(one.taskRunId, one.attempt));
    const lostFolders = run.directories().filter((folder) => !this.#effects.hasFolder(execution.id, folder));
    // `isShared`: a server runs many tasks at once, so none of them is blamed for its crash.
    // The command has no event, so it is dropped instead of forwarded if another server owns the execution by now.
    this.#post(execution.id, {
      step: (live, now) => {
        for (const { taskRunId, directory } of lostFolders)
          live.apply({ type: 'directoryLost', taskRunId, directory, isShared: true }, now);
        for (const { taskRunId, attempt } of lost)
          live.apply({ type: 'workerLost', taskRunId, attempt, isShared: true }, now);
        live.recover(now);
      },
      isRequest: false,
    });
    if (execution.state.current === 'CREATED' || execution.state.current === 'QUEUED')
      this.#effects.created(flow, execution);
    this.#effects.restoreTimers(run);
  }

  evict(executionId: string): void {
    this.#actors.get(executionId)?.close();
    this.#drop(executionId);
  }

  deleted(execution: ExecutionRecord): void {
    this.#endWaiters.ended(execution.id);
    if (execution.closedAt === undefined) this.#effects.ended(killed(execution, this.parts.clock()));
  }

  whenEnded(executionId: string): { readonly ended: Promise<void>; stop(): void } {
    let stop = () => {};
    const ended = new Promise<void>((resolve) => {
      const stopHere = this.#endWaiters.add(executionId, resolve);
      const stopElsewhere = this.parts.ownership?.whenEnded(
        executionId,
        () => this.holds(executionId),
        resolve,
      );
      stop = () => {
        stopHere();
        stopElsewhere?.();
      };
    });
    return { ended: ended.finally(stop), stop };
  }

  /** Settles when no step runs. Call it at the end of the process, after everything that posts commands has stopped. */
  async settle(): Promise<void> {
    for (const actor of this.#actors.values()) await actor.whenIdle();
  }

  holds(executionId: string): boolean {
    return this.#actors.has(executionId);
  }

  begin(attempt: Attempt): Promise<StartedAttempt | undefined> {
    const { executionId, taskRunId, attempt: number } = attempt;
    return new Promise((resolve) => {
      let started: StartedAttempt | undefined;
      let isFirst = false;
      this.#post(executionId, {
        step: (run, now) => {
          // The engine can submit an attempt twice, as after a restart; only the first start counts.
          isFirst = run.taskRun(taskRunId)?.attempts.length === number;
          run.apply({ type: 'taskStarted', taskRunId, attempt: number }, now);
        },
        isRequest: false,
        applied: (run) => {
          started = isFirst ? describeStarted(run, taskRunId, number) : undefined;
          if (started) this.parts.counts.attemptBegun(started.execution);
          if (!attempt.sideEffects || !started) resolve(started);
        },
        // A task with side effects starts only after its RUNNING state is durable.
        committed: () => resolve(started),
        refused: () => resolve(undefined),
      });
    });
  }

  end(attempt: Attempt, end: AttemptEnd): void {
    const { taskRunId, attempt: number } = attempt;
    this.notify(attempt.executionId, { type: 'taskEnded', taskRunId, attempt: number, ...end });
  }

  left(attempt: Attempt): void {
    if (!attempt.sideEffects) this.#actors.get(attempt.executionId)?.computingEnded();
  }

  async load(executionId: string): Promise<LoadedRun | 'elsewhere' | undefined> {
    if ((await this.parts.ownership?.isHere(executionId)) === false) {
      this.#effects.abandon(executionId);
      return 'elsewhere';
    }
    const stored = await this.parts.store.getExecution(executionId);
    if (!stored) return undefined;
    const { execution, taskRuns, version, eventSeq } = stored;
    const found = await this.parts.flows.find(execution.namespace, execution.flowId, execution.flowRevision);
    const flow = found?.runnable ?? missingFlow(execution);
    return { run: this.#toRun(flow, execution, taskRuns), version, eventSeq };
  }

  async jobsOf(run: LiveRun, effects: readonly RemoteEffect[], version: number): Promise<readonly Op[]> {
    const made = await this.parts.remoteWork?.jobsOf(run, effects, version);
    for (const event of made?.refusals ?? []) this.notify(run.execution.id, event);
    return made?.jobs ?? [];
  }

  submit(execution: ExecutionRecord, effect: Effect & { effect: 'run' }): void {
    this.#effects.submit(execution.id, effect);
  }

  messagesAtEnd(execution: ExecutionRecord): Promise<readonly Op[]> {
    return messagesAtEnd(execution, this.parts, (id) => this.holds(id));
  }

  flowEvents(events: readonly FlowEventRecord[]): void {
    for (const subscriber of this.#effects.subscribers) subscriber.flowEvents?.(events);
  }

  perform(run: LiveRun, effects: readonly Effect[], isParentNotified: boolean): void {
    try {
      this.#effects.perform(run, effects, isParentNotified);
    } finally {
      if (effects.some(({ effect }) => effect === 'completed')) this.#reportEnd(run);
    }
  }

  recoverStored(executionId: string): void {
    this.#effects.recoverStored(executionId);
  }

  becameIdle(actor: ExecutionActor): void {
    if (!actor.run || actor.hasEnded) {
      this.#drop(actor.executionId);
      return;
    }
    for (const oldest of this.#idle.add(actor, actor.run.taskRunCount)) {
      if (!oldest.isBusy) this.#drop(oldest.executionId);
    }
  }

  #reportEnd(run: LiveRun): void {
    const { counts, clock, tracing } = this.parts;
    const { state } = run.execution;
    counts.executionEnded(run.execution, state.current, clock() - (state.histories[0]?.date ?? clock()));
    tracing?.endExecution(run.execution);
    this.#endWaiters.ended(run.execution.id);
  }

  /** A failed commit can be stored nevertheless; such an execution is resumed although the caller gets an error. */
  async #insert(executionId: string, unit: readonly Op[]): Promise<void> {
    try {
      await this.parts.store.commit(unit);
    } catch (error) {
      if (!(error instanceof Conflict)) this.recoverStored(executionId);
      throw error;
    }
  }

  #refuseWhenNotReady(): void {
    this.parts.activity.refuseWhileQuiet();
    if (this.#actors.size < this.#maxOpen) return;
    throw new AppError(
      'too-many-requests',
      `this server runs ${this.#maxOpen} executions and accepts no more; try again later`,
    );
  }

  #post(executionId: string, command: Command): void {
    const actor = this.#actors.get(executionId) ?? this.#open(executionId);
    this.#idle.delete(actor);
    actor.post(command);
  }

  #open(executionId: string, loaded?: LoadedRun): ExecutionActor {
    const actor = new ExecutionActor(executionId, this, loaded);
    this.#actors.set(executionId, actor);
    return actor;
  }

  #drop(executionId: string): void {
    const actor = this.#actors.get(executionId);
    if (actor) this.#idle.delete(actor);
    this.#actors.delete(executionId);
  }

  #toRun(
    flow: Flow,
    execution: ExecutionRecord,
    taskRuns: ConstructorParameters<typeof LiveRun>[2],
  ): LiveRun {
    return new LiveRun(flow, execution, taskRuns, this.parts.environment);
  }
}
