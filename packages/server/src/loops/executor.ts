import { AppError, type ExecutionRecord, type Flow, isTerminal } from '@millrace/contract';
import { type Effect, type Event, LiveRun } from '@millrace/engine';
import { Conflict, type ExecutionWithTaskRuns, type Op, type StoredExecution } from '@millrace/store';
import { type Effects, performEffects, type RemoteEffect } from './effects.ts';
import { EndWaiters } from './endWaiters.ts';
import type { ExecutorParts } from './executorParts.ts';
import { type Letter, StepFailed } from './letter.ts';
import { type LoadedRun, Mailbox, type MailboxOwner } from './mailbox.ts';
import { Resting } from './resting.ts';
import { killed, missingFlow } from './standIns.ts';
import type { NewRow } from './turn.ts';
import type { Attempt, AttemptEnd, AttemptPort, Begun } from './worker.ts';

/** Executions in memory; above this, new ones are refused instead of piling up. */
const maxOpen = 50_000;
/**
 * Carries executions on. Each one has a mailbox while something happens to it; the rows in the store are the truth and
 * memory is only a copy of them that can be dropped at any time.
 */
export class Executor implements MailboxOwner, AttemptPort {
  readonly parts: ExecutorParts;
  readonly #effects: Effects;
  readonly #mailboxes = new Map<string, Mailbox>();
  readonly #resting = new Resting();
  readonly #endWaiters = new EndWaiters();

  constructor(parts: ExecutorParts, effects: Effects) {
    this.parts = parts;
    this.#effects = effects;
  }

  get openCount(): number {
    return this.#mailboxes.size;
  }

  /** Executions whose end a caller waits for. */
  get awaitedCount(): number {
    return this.#endWaiters.size;
  }

  /** Dates that executions of this process wait for. */
  get timerCount(): number {
    return this.#effects.timerCount;
  }

  /**
   * Stores a new execution, together with what else must be true from then on, and gets it going. Resolves when it is
   * on disk, not when it has started.
   */
  async create(
    flow: Flow,
    execution: ExecutionRecord,
    uniqueKey?: string,
    alongside: readonly Op[] = [],
  ): Promise<void> {
    this.#refuseWhenNotReady();
    const home = this.parts.sharing?.homeFor(execution.id);
    const row: NewRow = { ...(uniqueKey === undefined ? {} : { uniqueKey }), ...home?.owner };
    await this.#insert(execution.id, [
      { op: 'execution.insert', execution, ...row },
      ...alongside,
      ...(home?.invitation ?? []),
    ]);
    this.parts.counts.executionStarted(execution);
    if (home?.invitation) return;
    this.#open(execution.id, { run: this.#revive(flow, execution, []), version: 1, eventSeq: 0 });
    this.#effects.created(flow, execution);
  }

  /**
   * The same for whoever asks from outside and looks at nothing in between: an execution that may start at once is
   * stored as its first turn has left it, with one commit instead of two. It may be over when this resolves.
   */
  async start(
    flow: Flow,
    execution: ExecutionRecord,
    uniqueKey?: string,
    alongside: readonly Op[] = [],
  ): Promise<void> {
    const home = this.parts.sharing?.homeFor(execution.id);
    // An older revision may have no limit where the flow has one now.
    const mustWait = !this.parts.flows.isUnlimited(flow) || execution.scheduledAt !== undefined;
    if (mustWait || home?.invitation) return this.create(flow, execution, uniqueKey, alongside);
    this.#refuseWhenNotReady();
    const insert: NewRow = { ...(uniqueKey === undefined ? {} : { uniqueKey }), ...home?.owner };
    const event: Event = { type: 'start' };
    try {
      await new Promise<void>((resolve, reject) => {
        const loaded = { run: this.#revive(flow, execution, []), version: 0, eventSeq: 0, insert };
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
      // What the engine cannot do is shown by an execution that says so.
      if (!(error instanceof StepFailed)) throw error;
      await this.create(flow, execution, uniqueKey, alongside);
    }
  }

  /** Stores a new execution that has taken over task runs of another one, and carries on with it. */
  async adopt(flow: Flow, { execution, taskRuns }: ExecutionWithTaskRuns): Promise<void> {
    this.#refuseWhenNotReady();
    const home = this.parts.sharing?.homeFor(execution.id);
    await this.#insert(execution.id, [
      { op: 'execution.insert', execution, ...home?.owner },
      ...taskRuns.map((taskRun): Op => ({ op: 'taskRun.put', taskRun })),
      ...(home?.invitation ?? []),
    ]);
    this.parts.counts.executionStarted(execution);
    if (home?.invitation) return;
    this.recover(flow, { execution, taskRuns, version: 1, eventSeq: 0 }, undefined);
  }

  /**
   * Applies what a person asked for. Resolves once that is on disk with the execution as this very step left it, rejects
   * when it is not possible.
   */
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
        answered: resolve,
        refused: reject,
      });
    });
  }

  /** Applies a fact: something has happened, whether it still matters is the engine's business. */
  tell(executionId: string, event: Event): void {
    this.#post(executionId, { step: (run, now) => run.apply(event, now), event, isRequest: false });
  }

  /** Applies what another server has told this one. */
  deliver(executionId: string, letter: Letter): void {
    this.#post(executionId, letter);
  }

  /**
   * Carries on with an execution that the process before this one, or another server, has left open. Attempts that a
   * worker elsewhere has begun go on there; nobody is at the others any more.
   */
  recover(
    flow: Flow,
    stored: StoredExecution,
    problem: string | undefined,
    isElsewhere: (attempt: { taskRunId: string; attempt: number }) => boolean = () => false,
  ): void {
    const { execution, taskRuns, version, eventSeq } = stored;
    const run = this.#revive(flow, execution, taskRuns);
    const known = this.#mailboxes.get(execution.id);
    // What is in memory may be from a time before somebody else had it.
    if (known) known.reload();
    else this.#open(execution.id, { run, version, eventSeq });
    if (problem !== undefined) {
      this.tell(execution.id, { type: 'broken', reason: problem });
      return;
    }
    const lost = run
      .attemptsWithWorkers()
      .filter((one) => !isElsewhere(one) && !this.#effects.isUnderWay(one.taskRunId, one.attempt));
    const lostFolders = run.directories().filter((folder) => !this.#effects.hasFolder(execution.id, folder));
    // A server runs many things at once, so none of its tasks is blamed for its end.
    // One step without an event: should the execution be another server's by now, it is nothing to be passed on.
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
    this.#effects.wakes(run);
  }

  /** Looks at what is stored and carries on from there, if this server is the one to do that. */
  takeUp(executionId: string): void {
    this.#effects.takeUp(executionId);
  }

  /** Drops an execution that is being deleted: nothing more happens to it. */
  forget(executionId: string): void {
    this.#mailboxes.get(executionId)?.close();
    this.#drop(executionId);
  }

  /** An execution was deleted; those who wait for its end wait no longer. */
  deleted(execution: ExecutionRecord): void {
    this.#endWaiters.ended(execution.id);
    if (execution.overAt === undefined) this.#effects.ended(killed(execution, this.parts.clock()));
  }

  /** Settles when everything of the execution is over. Look whether it is already only after this, and stop waiting then. */
  whenOver(executionId: string): { readonly over: Promise<void>; stop(): void } {
    let stop = () => {};
    const over = new Promise<void>((resolve) => {
      const stopHere = this.#endWaiters.add(executionId, resolve);
      const stopElsewhere = this.parts.sharing?.whenOver(executionId, () => this.holds(executionId), resolve);
      stop = () => {
        stopHere();
        stopElsewhere?.();
      };
    });
    return { over: over.finally(stop), stop };
  }

  /** Settles when no step is under way; for the end of the process, after everything that could post has stopped. */
  async settle(): Promise<void> {
    for (const mailbox of this.#mailboxes.values()) await mailbox.whenRested();
  }

  /** True while this process holds the execution, so that its changes are announced from here. */
  holds(executionId: string): boolean {
    return this.#mailboxes.has(executionId);
  }

  // For the workers.

  begin(attempt: Attempt): Promise<Begun | undefined> {
    const { executionId, taskRunId, attempt: number } = attempt;
    return new Promise((resolve) => {
      let begun: Begun | undefined;
      let isFirst = false;
      this.#post(executionId, {
        step: (run, now) => {
          // The engine may hand out the same attempt twice, as after a restart: only the first to begin it runs it.
          isFirst = run.taskRun(taskRunId)?.attempts.length === number;
          run.apply({ type: 'taskStarted', taskRunId, attempt: number }, now);
        },
        isRequest: false,
        applied: (run) => {
          begun = isFirst ? describe(run, taskRunId, number) : undefined;
          if (begun) this.parts.counts.attemptBegun(begun.execution);
          if (!attempt.sideEffects || !begun) resolve(begun);
        },
        // A task with side effects starts only after its RUNNING state is on disk.
        committed: () => resolve(begun),
        refused: () => resolve(undefined),
      });
    });
  }

  end(attempt: Attempt, end: AttemptEnd): void {
    const { taskRunId, attempt: number } = attempt;
    this.tell(attempt.executionId, { type: 'taskEnded', taskRunId, attempt: number, ...end });
  }

  left(attempt: Attempt): void {
    if (!attempt.sideEffects) this.#mailboxes.get(attempt.executionId)?.computingEnded();
  }

  // For the mailboxes.

  async load(executionId: string): Promise<LoadedRun | 'elsewhere' | undefined> {
    if ((await this.parts.sharing?.isHere(executionId)) === false) {
      this.#effects.lost(executionId);
      return 'elsewhere';
    }
    const stored = await this.parts.store.getExecution(executionId);
    if (!stored) return undefined;
    const { execution, taskRuns, version, eventSeq } = stored;
    const found = await this.parts.flows.find(execution.namespace, execution.flowId, execution.flowRevision);
    const flow = found?.runnable ?? missingFlow(execution);
    return { run: this.#revive(flow, execution, taskRuns), version, eventSeq };
  }

  passOn(executionId: string, letters: readonly Letter[]): void {
    this.parts.sharing?.passOn(executionId, letters);
  }

  isRemote(effect: RemoteEffect): boolean {
    return this.parts.remoteWork?.takes(effect) ?? false;
  }

  async jobsOf(run: LiveRun, effects: readonly RemoteEffect[], version: number): Promise<readonly Op[]> {
    return this.parts.remoteWork?.jobsOf(run, effects, version) ?? [];
  }

  submit(execution: ExecutionRecord, effect: Effect & { effect: 'run' }): void {
    this.#effects.submit(execution.id, effect);
  }

  endOps(execution: ExecutionRecord): Promise<readonly Op[]> {
    return this.#effects.endOps(execution);
  }

  perform(run: LiveRun, effects: readonly Effect[], isParentTold: boolean): void {
    try {
      performEffects(run, effects, this.#effects, isParentTold);
    } finally {
      if (effects.some(({ effect }) => effect === 'completed')) this.#noteEnd(run);
    }
  }

  #noteEnd(run: LiveRun): void {
    const { counts, clock, tracing } = this.parts;
    const { state } = run.execution;
    counts.executionEnded(run.execution, state.current, clock() - (state.histories[0]?.date ?? clock()));
    tracing?.endExecution(run.execution);
    this.#endWaiters.ended(run.execution.id);
  }

  rested(mailbox: Mailbox): void {
    if (!mailbox.run || mailbox.isOver) {
      this.#drop(mailbox.executionId);
      return;
    }
    for (const oldest of this.#resting.add(mailbox, mailbox.run.taskRunCount)) {
      if (!oldest.isBusy) this.#drop(oldest.executionId);
    }
  }

  /** Whoever asked is told that it failed. It may be stored nevertheless, and then it must not lie there for ever. */
  async #insert(executionId: string, unit: readonly Op[]): Promise<void> {
    try {
      await this.parts.store.commit(unit);
    } catch (error) {
      if (!(error instanceof Conflict)) this.takeUp(executionId);
      throw error;
    }
  }

  #refuseWhenNotReady(): void {
    this.parts.activity.refuseWhileQuiet();
    if (this.#mailboxes.size < maxOpen) return;
    throw new AppError(
      'too-many-requests',
      'more executions are under way than this server can take; try again later',
    );
  }

  #post(executionId: string, letter: Letter): void {
    const mailbox = this.#mailboxes.get(executionId) ?? this.#open(executionId);
    this.#resting.delete(mailbox);
    mailbox.post(letter);
  }

  #open(executionId: string, loaded?: LoadedRun): Mailbox {
    const mailbox = new Mailbox(executionId, this, loaded);
    this.#mailboxes.set(executionId, mailbox);
    return mailbox;
  }

  #drop(executionId: string): void {
    const mailbox = this.#mailboxes.get(executionId);
    if (mailbox) this.#resting.delete(mailbox);
    this.#mailboxes.delete(executionId);
  }

  #revive(
    flow: Flow,
    execution: ExecutionRecord,
    taskRuns: ConstructorParameters<typeof LiveRun>[2],
  ): LiveRun {
    return new LiveRun(flow, execution, taskRuns, this.parts.environment);
  }
}

/** The attempt as it now runs; undefined when the engine did not take the start for what it is. */
function describe(run: LiveRun, taskRunId: string, attempt: number): Begun | undefined {
  const taskRun = run.taskRun(taskRunId);
  const isRunning = taskRun?.state.current === 'RUNNING' && taskRun.attempts.length === attempt + 1;
  if (!taskRun || !isRunning || isTerminal(taskRun.attempts[attempt]?.state.current ?? 'KILLED'))
    return undefined;
  const variables = run.variables(taskRunId);
  return { execution: run.execution, taskRun, variables, secrets: run.secretTexts() };
}
