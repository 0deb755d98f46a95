import { AppError, type ExecutionRecord } from '@millrace/contract';
import type { Effect, LiveRun } from '@millrace/engine';
import { Conflict, type FlowEventRecord, type Op } from '@millrace/store';
import { type Command, endWith, StepFailed } from './command.ts';
import type { ExecutorParts } from './executorParts.ts';
import { removedIn } from './recordedEntries.ts';
import { mayBeRemote, type RemoteEffect } from './remoteEffect.ts';
import { isAboutStored, type NewRow, StepBatch } from './stepBatch.ts';

/** Steps between two commits; more would delay visible progress and grow the unwritten memory. */
const maxSteps = 500;
/** Failures of effects in a row that end the execution, because nothing else would end it. */
const maxEffectFailures = 3;
const retryDelaysMs = [100, 1_000, 5_000];

/** A loaded or new execution, with the guards of its row. */
export interface LoadedRun {
  readonly run: LiveRun;
  /** 0 before the first batch inserts the row. */
  readonly version: number;
  readonly eventSeq: number;
  /** Columns of a new row besides the record. */
  readonly insert?: NewRow;
}

/** A batch whose commit failed; the rows tell whether it is stored nevertheless. */
interface Unsure {
  readonly batch: StepBatch;
  readonly version: number;
  readonly eventSeq: number;
  readonly events: readonly FlowEventRecord[];
}

/** The executor, as an actor uses it. */
export interface ActorHost {
  readonly parts: ExecutorParts;
  /** Undefined when the execution does not exist; `elsewhere` when another server owns it. */
  load(executionId: string): Promise<LoadedRun | 'elsewhere' | undefined>;
  /** The jobs that take effects to other processes. */
  jobsOf(run: LiveRun, effects: readonly RemoteEffect[], version: number): Promise<readonly Op[]>;
  /** Starts a pure attempt before the step is durable. */
  submit(execution: ExecutionRecord, effect: Effect & { effect: 'run' }): void;
  /** Reads the stored execution again and resumes it. */
  recoverStored(executionId: string): void;
  /** Messages about the end for callers on other servers; they commit with the end. */
  messagesAtEnd(execution: ExecutionRecord): Promise<readonly Op[]>;
  /** Hands stored state changes to flow triggers. */
  flowEvents(events: readonly FlowEventRecord[]): void;
  /** Performs the other effects of a step that is durable. */
  perform(run: LiveRun, effects: readonly Effect[], isParentNotified: boolean): void;
  becameIdle(actor: ExecutionActor): void;
}

/**
 * Applies the commands of one execution in order. A batch applies the waiting commands, lets pure attempts finish, and
 * commits everything as one unit; nothing is announced, returned or started before the commit is durable.
 */
export class ExecutionActor {
  readonly executionId: string;
  readonly #host: ActorHost;
  #commands: Command[] = [];
  #loaded: LoadedRun | undefined;
  #isBusy = false;
  #isClosed = false;
  #failures = 0;
  #unsure: Unsure | undefined;
  /** Log lines and metrics of commits that failed. */
  #unstored: readonly Op[] = [];
  #effectFailures = 0;
  /** Pure attempts that have not ended yet. */
  #computing = 0;
  #wake: (() => void) | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(executionId: string, host: ActorHost, loaded?: LoadedRun) {
    this.executionId = executionId;
    this.#host = host;
    this.#loaded = loaded;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get hasEnded(): boolean {
    return this.#loaded?.run.hasEnded() ?? false;
  }

  /** The run, if it is in memory. */
  get run(): LiveRun | undefined {
    return this.#loaded?.run;
  }

  post(command: Command): void {
    if (this.#isClosed) {
      command.refused?.(new AppError('not-found', `there is no execution "${this.executionId}"`));
      return;
    }
    this.#commands.push(command);
    if (this.#wake) this.#wake();
    else if (!this.#isBusy) this.#working = this.#work();
  }

  whenIdle(): Promise<void> {
    return this.#working;
  }

  computingEnded(): void {
    this.#computing--;
  }

  /** Drops outdated memory. During a batch the commit detects it without this call. */
  reload(): void {
    if (!this.#isBusy) this.#loaded = undefined;
  }

  /** The execution is deleted: waiting and later commands are refused. */
  close(): void {
    this.#isClosed = true;
    for (const command of this.#commands.splice(0)) this.#refuse(command);
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      while (this.#hasWork && !this.#isClosed) await this.#runBatch();
    } catch (error) {
      this.#loaded = undefined;
      this.#report('A step of an execution led to an error; the execution is loaded again.', error);
      this.#host.recoverStored(this.executionId);
    } finally {
      this.#isBusy = false;
      this.#host.becameIdle(this);
    }
  }

  /** A commit without a response needs a look even when no command waits: its effects have not happened yet. */
  get #hasWork(): boolean {
    return this.#commands.length > 0 || this.#unsure !== undefined || this.#unstored.length > 0;
  }

  async #runBatch(): Promise<void> {
    const batch = new StepBatch();
    let events: readonly FlowEventRecord[];
    try {
      const loaded = this.#loaded ?? (await this.#host.load(this.executionId));
      if (loaded === 'elsewhere') {
        this.#computing = 0;
        await this.#returnLines();
        this.#host.parts.ownership?.forward(this.executionId, this.#commands.splice(0));
        return;
      }
      this.#loaded = loaded;
      if (!this.#loaded) {
        this.close();
        return;
      }
      this.#settleUnsure(this.#loaded);
      await this.#returnLines(this.#loaded.run);
      await this.#drive(this.#loaded.run, batch);
      events = await this.#commit(this.#loaded, batch);
    } catch (error) {
      if (this.#loaded?.version === 0) this.#giveUpNew(error, batch);
      else await this.#recoverFrom(error, batch);
      return;
    }
    this.#failures = 0;
    this.#announce(this.#loaded.run, batch, events);
  }

  /** Applies waiting commands, and the results of pure attempts that they start. */
  async #drive(run: LiveRun, batch: StepBatch): Promise<void> {
    for (let steps = 0; steps < maxSteps; steps++) {
      const command = this.#commands.shift();
      if (command) this.#apply(run, command, batch);
      else if (this.#computing <= 0 || !(await this.#hasMoreSoon())) return;
    }
  }

  #apply(run: LiveRun, command: Command, batch: StepBatch): void {
    const { parts } = this.#host;
    const now = parts.clock();
    try {
      command.step(run, now);
    } catch (error) {
      if (error instanceof AppError) {
        command.refused?.(error);
        return;
      }
      // A bug: the run can be half changed, so it is loaded again.
      const failure = new StepFailed(command, error);
      command.refused?.(failure);
      throw failure;
    }
    batch.commands.push(command);
    const changes = run.takeChanges();
    batch.gather(changes);
    command.applied?.(run);
    for (const effect of changes.effects) this.#sort(run, effect, batch, now);
  }

  #sort(run: LiveRun, effect: Effect, batch: StepBatch, now: number): void {
    if (effect.effect === 'stateChanged') batch.stateChanges++;
    else if (effect.effect === 'log') batch.addLog(run, effect, now);
    else if (mayBeRemote(effect) && this.#host.parts.remoteWork?.takes(effect)) batch.jobs.push(effect);
    else if (effect.effect === 'run' && !effect.sideEffects) {
      this.#computing++;
      this.#host.submit(run.execution, effect);
    } else batch.effects.push(effect);
  }

  /** Waits for a pure attempt to end, at most one iteration of the event loop. */
  async #hasMoreSoon(): Promise<boolean> {
    await new Promise<void>((resolve) => {
      const immediate = setImmediate(resolve);
      this.#wake = () => {
        clearImmediate(immediate);
        resolve();
      };
    });
    this.#wake = undefined;
    return this.#commands.length > 0;
  }

  /** Returns the state changes that flow triggers subscribed to; the commit stores them with the step. */
  async #commit(loaded: LoadedRun, batch: StepBatch): Promise<readonly FlowEventRecord[]> {
    const { parts } = this.#host;
    const alongside = batch.commands.flatMap((command) => command.alongside ?? []);
    if (!batch.hasChanges && batch.jobs.length === 0) {
      if (alongside.length > 0) await parts.store.commit(alongside);
      return [];
    }
    const events = parts.flowTriggerIndex.eventsOf(loaded.run.execution, batch.stateChanges);
    this.#unsure = { batch, version: loaded.version, eventSeq: loaded.eventSeq, events };
    const unit = batch.toUnit(loaded.run.execution, loaded, parts.clock());
    for (const event of events) unit.push({ op: 'flowEvent.put', event });
    if (batch.jobs.length > 0)
      unit.push(...(await this.#host.jobsOf(loaded.run, batch.jobs, loaded.version + 1)));
    if (batch.effects.some(({ effect }) => effect === 'completed')) {
      const messages = await this.#host.messagesAtEnd(loaded.run.execution);
      batch.isParentNotified = messages.length > 0;
      unit.push(...messages);
    }
    batch.lines = await parts.logs.take(this.executionId);
    await parts.store.commit([...unit, ...alongside, ...batch.lines]);
    this.#unsure = undefined;
    this.#loaded = {
      run: loaded.run,
      version: loaded.version + 1,
      eventSeq: loaded.eventSeq + (batch.eventCount > 0 ? 1 : 0),
    };
    return events;
  }

  /**
   * The response to a stored commit is lost when the connection breaks. Its effects must still happen, once. Version and
   * event sequence prove that the batch is stored, because only the owner appends events and a new owner raises the version.
   */
  #settleUnsure(loaded: LoadedRun): void {
    const unsure = this.#unsure;
    this.#unsure = undefined;
    if (!unsure) return;
    const isStored = loaded.version === unsure.version + 1;
    if (!isStored) this.#unstored = unsure.batch.lines;
    if (!isStored || unsure.batch.eventCount === 0 || loaded.eventSeq !== unsure.eventSeq + 1) return;
    this.#failures = 0;
    const applied = new Set(unsure.batch.commands);
    this.#commands = this.#commands.filter((command) => !applied.has(command));
    this.#announce(loaded.run, unsure.batch, unsure.events);
  }

  /**
   * Returns the lines of failed commits to the buffer. Lines of a task run that is not stored are dropped: the pure task
   * runs again as another task run. Without a run, another server owns the execution.
   */
  async #returnLines(run?: LiveRun): Promise<void> {
    const { store, logs } = this.#host.parts;
    const unsure = this.#unsure;
    if (unsure) {
      const [appended] = await store.listEvents(this.executionId, { from: unsure.eventSeq + 1, limit: 1 });
      if (JSON.stringify(appended?.events) !== JSON.stringify(unsure.batch.events))
        this.#unstored = [...this.#unstored, ...unsure.batch.lines];
      this.#unsure = undefined;
    }
    const lines = this.#unstored;
    this.#unstored = [];
    logs.putBack(this.executionId, run ? lines.filter((op) => isAboutStored(op, run)) : lines);
  }

  /** The step is durable: errors from here on must not stop the execution. */
  #announce(run: LiveRun, batch: StepBatch, events: readonly FlowEventRecord[]): void {
    const { log } = this.#host.parts;
    if (log.level() === 'debug')
      log.debug('A step of an execution was stored.', {
        executionId: this.executionId,
        state: run.execution.state.current,
        events: batch.events.map(({ type }) => type),
      });
    for (const command of batch.commands) this.#safely(() => command.committed?.(run));
    this.#safely(() => this.#publish(run, batch));
    this.#safely(() => this.#host.flowEvents(events));
    try {
      this.#host.perform(run, batch.effects, batch.isParentNotified);
      this.#effectFailures = 0;
    } catch (error) {
      this.#report('An effect of a step failed; the execution resumes from its rows.', error);
      if (++this.#effectFailures < maxEffectFailures) this.#host.recoverStored(this.executionId);
      else this.#commands.unshift(endWith(error));
    }
  }

  #safely(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#report('A listener of an execution failed.', error);
    }
  }

  #report(message: string, error: unknown): void {
    this.#host.parts.log.error(message, { executionId: this.executionId, error });
  }

  #publish(run: LiveRun, batch: StepBatch): void {
    const { watchers } = this.#host.parts;
    if (batch.hasChanges && this.#loaded && watchers.isWatched(this.executionId)) {
      const { version } = this.#loaded;
      const row = { seq: 0, at: this.#host.parts.clock(), events: batch.events };
      const removed = removedIn(this.executionId, row);
      watchers.publish({ execution: run.execution, taskRuns: run.taskRuns(), version, removed });
    }
  }

  /**
   * The first batch of a new execution failed, so the caller gets the error and can try again. The execution can be stored
   * nevertheless; then it is resumed.
   */
  #giveUpNew(error: unknown, batch: StepBatch): void {
    this.#loaded = undefined;
    // Lines of pure tasks of an execution that does not exist.
    this.#host.parts.logs.drop(this.executionId);
    this.#unsure = undefined;
    for (const command of batch.commands) this.#safely(() => command.refused?.(error));
    this.close();
    if (!(error instanceof Conflict) && !(error instanceof StepFailed))
      this.#host.recoverStored(this.executionId);
  }

  /**
   * The memory is outdated after a failed commit, so the execution is loaded again. Facts are applied again; requests are
   * refused, and their senders can try again.
   */
  async #recoverFrom(error: unknown, batch: StepBatch): Promise<void> {
    this.#loaded = undefined;
    const { log } = this.#host.parts;
    if (error instanceof StepFailed) this.#endBroken(error);
    if (error instanceof Conflict) {
      // A conflict writes nothing.
      this.#unsure = undefined;
      this.#unstored = [...this.#unstored, ...batch.lines];
    }
    if (error instanceof Conflict && this.#failures === 0) {
      // The commands are applied to the current rows, or forwarded to the current owner.
      this.#failures++;
      this.#commands.unshift(...batch.commands);
      // A commit of this server that seemed lost can have caused the conflict.
      this.#host.recoverStored(this.executionId);
      log.warn('Another server changed an execution; it is loaded again.', {
        executionId: this.executionId,
      });
      return;
    }
    const isKept = (command: Command) => !command.isRequest || command.isStored === true;
    for (const command of batch.commands) if (!isKept(command)) this.#refuse(command, error);
    this.#commands.unshift(...batch.commands.filter(isKept));
    log.error('A step of an execution could not be stored.', { executionId: this.executionId, error });
    const delayMs = retryDelaysMs[Math.min(this.#failures++, retryDelaysMs.length - 1)];
    await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
  }

  /** A command that the engine cannot apply would fail again and again, so the execution ends with the reason. */
  #endBroken({ command, cause }: StepFailed): void {
    if (command.isLast) this.close();
    else this.#commands.unshift(endWith(cause));
  }

  #refuse(command: Command, cause?: unknown): void {
    const error = this.#isClosed
      ? new AppError('not-found', `there is no execution "${this.executionId}"`)
      : new AppError('unavailable', 'the change could not be stored; please try again', { cause });
    this.#safely(() => command.refused?.(error));
  }
}
