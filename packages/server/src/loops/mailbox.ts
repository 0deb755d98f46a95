import { AppError, type ExecutionRecord } from '@millrace/contract';
import type { Effect, LiveRun } from '@millrace/engine';
import { Conflict, type FlowEventRecord, type Op } from '@millrace/store';
import { mayBeRemote, type RemoteEffect } from './effects.ts';
import type { ExecutorParts } from './executorParts.ts';
import { endWith, type Letter, StepFailed } from './letter.ts';
import { isAboutStored, type NewRow, Turn } from './turn.ts';

/** Steps of one execution between two commits; more would keep its progress invisible and its memory unwritten. */
const maxSteps = 500;
/** Effects that fail this often in a row end the execution, because nothing else would. */
const maxEffectFailures = 3;
const retryDelaysMs = [100, 1_000, 5_000];

/** An execution as it was loaded or created, with what guards its row. */
export interface LoadedRun {
  readonly run: LiveRun;
  /** 0 while there is no row: the first turn inserts it. */
  readonly version: number;
  readonly eventSeq: number;
  /** What the insert of a new one says besides the record. */
  readonly insert?: NewRow;
}

/** A turn whose commit failed: whether it is stored nevertheless is seen when the rows can be read again. */
interface Unsure {
  readonly turn: Turn;
  readonly version: number;
  readonly eventSeq: number;
  readonly events: readonly FlowEventRecord[];
}

/** What a mailbox needs of the executor around it. */
export interface MailboxOwner {
  readonly parts: ExecutorParts;
  /** Undefined when there is no such execution; `elsewhere` when another server carries it on. */
  load(executionId: string): Promise<LoadedRun | 'elsewhere' | undefined>;
  /** Tells the server that carries the execution on. */
  passOn(executionId: string, letters: readonly Letter[]): void;
  /** Whether something is work for another process, and the job that takes it there. */
  isRemote(effect: RemoteEffect): boolean;
  jobsOf(run: LiveRun, effects: readonly RemoteEffect[], version: number): Promise<readonly Op[]>;
  /** Starts an attempt that only computes, before the step is on disk. */
  submit(execution: ExecutionRecord, effect: Effect & { effect: 'run' }): void;
  /** Makes sure that everything which follows from what is stored happens. */
  takeUp(executionId: string): void;
  /** What others must be told of an end, where they are elsewhere: it commits with the end. */
  endOps(execution: ExecutionRecord): Promise<readonly Op[]>;
  /** Everything else that follows from a step, once it is on disk. */
  perform(run: LiveRun, effects: readonly Effect[], isParentTold: boolean): void;
  /** Nothing is left to do for now. */
  rested(mailbox: Mailbox): void;
}

/**
 * The events of one execution, applied one after the other. A turn takes what waits, lets attempts that only compute
 * run to their end, commits everything as one unit, and only then tells anyone: nothing is shown, answered or started
 * before it is on disk.
 */
export class Mailbox {
  readonly executionId: string;
  readonly #owner: MailboxOwner;
  #letters: Letter[] = [];
  #loaded: LoadedRun | undefined;
  #isBusy = false;
  #isClosed = false;
  #failures = 0;
  #unsure: Unsure | undefined;
  /** Log lines and metrics of commits that failed. */
  #unstored: readonly Op[] = [];
  #effectFailures = 0;
  /** Attempts that only compute and have not answered yet. */
  #computing = 0;
  #wake: (() => void) | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(executionId: string, owner: MailboxOwner, loaded?: LoadedRun) {
    this.executionId = executionId;
    this.#owner = owner;
    this.#loaded = loaded;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get isOver(): boolean {
    return this.#loaded?.run.isOver() ?? false;
  }

  /** The run in memory, if it is there. */
  get run(): LiveRun | undefined {
    return this.#loaded?.run;
  }

  post(letter: Letter): void {
    if (this.#isClosed) {
      letter.refused?.(new AppError('not-found', `there is no execution "${this.executionId}"`));
      return;
    }
    this.#letters.push(letter);
    if (this.#wake) this.#wake();
    else if (!this.#isBusy) this.#working = this.#work();
  }

  whenRested(): Promise<void> {
    return this.#working;
  }

  computingEnded(): void {
    this.#computing--;
  }

  /** What is in memory is known to be old. In the middle of a turn the commit finds that out by itself. */
  reload(): void {
    if (!this.#isBusy) this.#loaded = undefined;
  }

  /** The execution is gone: what waits is refused and nothing is accepted any more. */
  close(): void {
    this.#isClosed = true;
    for (const letter of this.#letters.splice(0)) this.#refuse(letter);
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      while (this.#hasWork && !this.#isClosed) await this.#takeTurn();
    } catch (error) {
      this.#loaded = undefined;
      this.#report('A step of an execution led to an error; it is loaded again.', error);
      this.#owner.takeUp(this.executionId);
    } finally {
      this.#isBusy = false;
      this.#owner.rested(this);
    }
  }

  /** A commit without an answer is looked up even when nothing waits: its effects have not happened yet. */
  get #hasWork(): boolean {
    return this.#letters.length > 0 || this.#unsure !== undefined || this.#unstored.length > 0;
  }

  async #takeTurn(): Promise<void> {
    const turn = new Turn();
    let events: readonly FlowEventRecord[];
    try {
      const loaded = this.#loaded ?? (await this.#owner.load(this.executionId));
      if (loaded === 'elsewhere') {
        this.#computing = 0;
        await this.#returnLines();
        this.#owner.passOn(this.executionId, this.#letters.splice(0));
        return;
      }
      this.#loaded = loaded;
      if (!this.#loaded) {
        this.close();
        return;
      }
      this.#settleUnsure(this.#loaded);
      await this.#returnLines(this.#loaded.run);
      await this.#drive(this.#loaded.run, turn);
      events = await this.#commit(this.#loaded, turn);
    } catch (error) {
      if (this.#loaded?.version === 0) this.#giveUpNew(error, turn);
      else await this.#recoverFrom(error, turn);
      return;
    }
    this.#failures = 0;
    this.#announce(this.#loaded.run, turn, events);
  }

  /** Applies what waits, and what the attempts it starts answer within the same moment. */
  async #drive(run: LiveRun, turn: Turn): Promise<void> {
    for (let steps = 0; steps < maxSteps; steps++) {
      const letter = this.#letters.shift();
      if (letter) this.#apply(run, letter, turn);
      else if (this.#computing <= 0 || !(await this.#hasMoreSoon())) return;
    }
  }

  #apply(run: LiveRun, letter: Letter, turn: Turn): void {
    const { parts } = this.#owner;
    const now = parts.clock();
    try {
      letter.step(run, now);
    } catch (error) {
      if (error instanceof AppError) {
        letter.refused?.(error);
        return;
      }
      // A bug: the run may be half changed and is loaded again.
      const failure = new StepFailed(letter, error);
      letter.refused?.(failure);
      throw failure;
    }
    turn.answered.push(letter);
    const changes = run.takeChanges();
    turn.gather(changes);
    letter.applied?.(run);
    for (const effect of changes.effects) this.#sort(run, effect, turn, now);
  }

  #sort(run: LiveRun, effect: Effect, turn: Turn, now: number): void {
    if (effect.effect === 'stateChanged') turn.stateChanges++;
    else if (effect.effect === 'log') turn.addLog(run, effect, now);
    else if (mayBeRemote(effect) && this.#owner.isRemote(effect)) turn.jobs.push(effect);
    else if (effect.effect === 'run' && !effect.sideEffects) {
      this.#computing++;
      this.#owner.submit(run.execution, effect);
    } else turn.effects.push(effect);
  }

  /** Waits until an attempt answers, but no longer than work that only computes can take: one round of the loop. */
  async #hasMoreSoon(): Promise<boolean> {
    await new Promise<void>((resolve) => {
      const immediate = setImmediate(resolve);
      this.#wake = () => {
        clearImmediate(immediate);
        resolve();
      };
    });
    this.#wake = undefined;
    return this.#letters.length > 0;
  }

  /** Answers the state changes that flow triggers want to look at; they are on disk with the step. */
  async #commit(loaded: LoadedRun, turn: Turn): Promise<readonly FlowEventRecord[]> {
    const { parts } = this.#owner;
    const alongside = turn.answered.flatMap((letter) => letter.alongside ?? []);
    if (!turn.hasChanges && turn.jobs.length === 0) {
      if (alongside.length > 0) await parts.store.commit(alongside);
      return [];
    }
    const events = parts.stateChanges.eventsOf(loaded.run.execution, turn.stateChanges);
    this.#unsure = { turn, version: loaded.version, eventSeq: loaded.eventSeq, events };
    const unit = turn.toUnit(loaded.run.execution, loaded, parts.clock());
    for (const event of events) unit.push({ op: 'flowEvent.put', event });
    if (turn.jobs.length > 0)
      unit.push(...(await this.#owner.jobsOf(loaded.run, turn.jobs, loaded.version + 1)));
    if (turn.effects.some(({ effect }) => effect === 'completed')) {
      const told = await this.#owner.endOps(loaded.run.execution);
      turn.isParentTold = told.length > 0;
      unit.push(...told);
    }
    turn.lines = await parts.logs.take(this.executionId);
    await parts.store.commit([...unit, ...alongside, ...turn.lines]);
    this.#unsure = undefined;
    this.#loaded = {
      run: loaded.run,
      version: loaded.version + 1,
      eventSeq: loaded.eventSeq + (turn.eventCount > 0 ? 1 : 0),
    };
    return events;
  }

  /**
   * The answer to a commit can get lost although the commit is stored: the connection broke. Then everything that follows
   * from it still has to happen, once, or nobody would ever do it. Only this server writes the event log of this run, and
   * whoever takes it over raises the version.
   */
  #settleUnsure(loaded: LoadedRun): void {
    const unsure = this.#unsure;
    this.#unsure = undefined;
    if (!unsure) return;
    const isStored = loaded.version === unsure.version + 1;
    if (!isStored) this.#unstored = unsure.turn.lines;
    if (!isStored || unsure.turn.eventCount === 0 || loaded.eventSeq !== unsure.eventSeq + 1) return;
    this.#failures = 0;
    const answered = new Set(unsure.turn.answered);
    this.#letters = this.#letters.filter((letter) => !answered.has(letter));
    this.#announce(loaded.run, unsure.turn, unsure.events);
  }

  /**
   * Gives the lines of failed commits back to the buffer. Lines of a task run that is not stored are dropped: the task
   * only computed, and it runs again as another task run. Without a run, another server has the execution.
   */
  async #returnLines(run?: LiveRun): Promise<void> {
    const { store, logs } = this.#owner.parts;
    const unsure = this.#unsure;
    if (unsure) {
      const appended = (await store.listEvents(this.executionId)).find(
        ({ seq }) => seq === unsure.eventSeq + 1,
      );
      if (JSON.stringify(appended?.events) !== JSON.stringify(unsure.turn.events))
        this.#unstored = [...this.#unstored, ...unsure.turn.lines];
      this.#unsure = undefined;
    }
    const lines = this.#unstored;
    this.#unstored = [];
    logs.putBack(this.executionId, run ? lines.filter((op) => isAboutStored(op, run)) : lines);
  }

  /** The step is stored: whatever goes wrong from here on must not keep the execution from continuing. */
  #announce(run: LiveRun, turn: Turn, events: readonly FlowEventRecord[]): void {
    for (const letter of turn.answered) this.#safely(() => letter.committed?.(run));
    this.#safely(() => this.#publish(run, turn));
    this.#safely(() => this.#owner.parts.stateChanges.process(events));
    try {
      this.#owner.perform(run, turn.effects, turn.isParentTold);
      this.#effectFailures = 0;
    } catch (error) {
      this.#report('An effect of a step failed; the execution resumes from its rows.', error);
      if (++this.#effectFailures < maxEffectFailures) this.#owner.takeUp(this.executionId);
      else this.#letters.unshift(endWith(error));
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
    this.#owner.parts.log.error(message, { executionId: this.executionId, error });
  }

  #publish(run: LiveRun, turn: Turn): void {
    const { watchers } = this.#owner.parts;
    if (turn.hasChanges && this.#loaded && watchers.isWatched(this.executionId)) {
      const { version } = this.#loaded;
      watchers.publish({ execution: run.execution, taskRuns: run.taskRuns(), version });
    }
  }

  /**
   * The first turn of a new execution failed, so there is none: whoever wanted it is told why, and may try again. It may
   * be stored nevertheless, and then it must not lie there for ever.
   */
  #giveUpNew(error: unknown, turn: Turn): void {
    this.#loaded = undefined;
    // Lines of tasks that only computed, about an execution that nobody will find.
    this.#owner.parts.logs.drop(this.executionId);
    this.#unsure = undefined;
    for (const letter of turn.answered) this.#safely(() => letter.refused?.(error));
    this.close();
    if (!(error instanceof Conflict) && !(error instanceof StepFailed)) this.#owner.takeUp(this.executionId);
  }

  /**
   * What was in memory is worth nothing after a failed commit: it is loaded again. Facts are applied again then;
   * requests are refused, their senders may ask again.
   */
  async #recoverFrom(error: unknown, turn: Turn): Promise<void> {
    this.#loaded = undefined;
    const { log } = this.#owner.parts;
    if (error instanceof StepFailed) this.#endBroken(error);
    if (error instanceof Conflict) {
      // Nothing of it was written.
      this.#unsure = undefined;
      this.#unstored = [...this.#unstored, ...turn.lines];
    }
    if (error instanceof Conflict && this.#failures === 0) {
      // Everything is tried again on what is there now, or by whoever it belongs to now.
      this.#failures++;
      this.#letters.unshift(...turn.answered);
      // It may have been changed by a commit of this very server that was given up for lost.
      this.#owner.takeUp(this.executionId);
      log.warn('An execution was changed by someone else; it is loaded again.', {
        executionId: this.executionId,
      });
      return;
    }
    const isKept = (letter: Letter) => !letter.isRequest || letter.isStored === true;
    for (const letter of turn.answered) if (!isKept(letter)) this.#refuse(letter, error);
    this.#letters.unshift(...turn.answered.filter(isKept));
    log.error('A step of an execution could not be stored.', { executionId: this.executionId, error });
    const delayMs = retryDelaysMs[Math.min(this.#failures++, retryDelaysMs.length - 1)];
    await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
  }

  /** What the engine cannot apply would be lost or come back for ever: the execution ends instead, and says why. */
  #endBroken({ letter, cause }: StepFailed): void {
    if (letter.isLast) this.close();
    else this.#letters.unshift(endWith(cause));
  }

  #refuse(letter: Letter, cause?: unknown): void {
    const error = this.#isClosed
      ? new AppError('not-found', `there is no execution "${this.executionId}"`)
      : new AppError('unavailable', 'the change could not be stored; please try again', { cause });
    this.#safely(() => letter.refused?.(error));
  }
}
