import type { ExecutionRecord } from '@millrace/contract';
import { clockSkewMs } from '@millrace/engine';
import { isUnavailable, type TriggerRecord, type TriggerSource } from '@millrace/store';
import { Background } from '../background.ts';
import { changeTrigger, type TriggerKey } from './changeTrigger.ts';
import { correctTriggers } from './correctTriggers.ts';
import type { Evaluations } from './evaluations.ts';
import { fireSchedule, type ScheduleParts } from './fireSchedule.ts';
import { releaseForgotten, releaseTrigger } from './releaseTrigger.ts';
import { isEvaluated, stateOf, withState } from './triggerState.ts';
import { logMissingWorkers } from './waitingForWorkers.ts';

/** Triggers that are looked at together, so that their commits share a group. */
const batchSize = 200;
/** The fallback poll interval, for clock changes and for lost notifications of other processes. */
const safetyMs = 30_000;
/** A longer gap between polls means that the machine slept: dates that came due meanwhile were missed. */
const sleepMs = 5 * 60_000;
const lateMs = 60_000;
const releaseEveryMs = 5 * 60_000;
/** A trigger that failed to fire is skipped for this long, so that it does not delay other triggers. */
const troubledMs = 10_000;
/** The same while the database is away. */
const awayMs = 1_000;

export interface SchedulerParts extends ScheduleParts {
  readonly evaluations: Evaluations;
  /** The triggers of this scheduler: all on a single server; otherwise ungrouped ones, or one group. */
  readonly source: TriggerSource;
  /** Whether a worker evaluates the triggers of a group. */
  readonly hasWorkers?: (group: string) => boolean;
  /** While true, no trigger is evaluated. */
  readonly isPaused?: () => boolean;
  /** The scheduler of this process for a worker group: local changes are not announced to it. */
  readonly companion?: Scheduler;
}

/**
 * Starts executions at their dates. One timer waits for the earliest date; changes of flows and triggers and
 * the end of an execution wake it up. Any number of schedulers may share one database: each date fires once.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #troubled = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = true;
  #stopListening = () => {};
  /** Dates up to this time passed while no scheduler ran. */
  #missedBefore = Number.NEGATIVE_INFINITY;
  #lastPollAt = 0;
  #releasedAt = 0;
  #hasLooked = false;
  #wasPaused = false;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Resumes from the stored rows: past dates count as missed, locks without an execution are released. */
  async start(): Promise<void> {
    const { evaluations, log } = this.#parts;
    const background = new Background(log);
    this.#isStopped = false;
    this.#lastPollAt = this.#parts.clock();
    this.#missedBefore = this.#lastPollAt - 1;
    const stopListening = this.#parts.store.onChange(({ flows, triggers, isElsewhere, hasGap }) => {
      for (const { namespace, id } of flows)
        background.run('stop a trigger', undefined, () => evaluations.flowChanged(namespace, id));
      const isTold = (triggers && isElsewhere) || hasGap;
      // A running evaluation may use the previous version of the trigger.
      if (isTold)
        background.run('stop a trigger', undefined, () =>
          evaluations.changedElsewhere(hasGap ? undefined : triggers),
        );
      if (flows.length > 0 || isTold) this.wake();
    });
    this.#stopListening = () => {
      stopListening();
      background.stop();
    };
    await evaluations.start(() => this.wake());
    this.wake();
  }

  /** The operator paused or resumed the scheduler. */
  async pauseChanged(): Promise<void> {
    if (this.#isStopped) return;
    if (this.#parts.isPaused?.()) await this.#parts.evaluations.interruptListeners();
    this.wake();
  }

  /** Something may be due now that was not before. */
  wake(): void {
    this.#isWanted = true;
    if (!this.#reading && !this.#isStopped) this.#reading = this.#startDue();
  }

  /** A trigger has changed: stops evaluations of its previous version and starts what is due now. */
  async changed(key: TriggerKey): Promise<void> {
    await this.#parts.evaluations.changed(key);
    this.wake();
    await this.#parts.companion?.changed(key);
  }

  /** Processes everything that is due; settles when that is done. */
  async runDue(): Promise<void> {
    this.wake();
    // A poll that was about to end is followed by another one.
    while (this.#reading) await this.#reading;
  }

  /** An execution ended or was deleted: the trigger that waits for it continues. */
  async release(execution: ExecutionRecord): Promise<void> {
    if (!(await releaseTrigger(execution, this.#parts))) return;
    const { namespace, flowId, trigger } = execution;
    if (trigger) await this.changed({ namespace, flowId, triggerId: trigger.id });
  }

  /** An execution is replaced by another one: the trigger waits for the replacement. */
  async handOver(execution: ExecutionRecord, replacementId: string): Promise<void> {
    const { clock, store } = this.#parts;
    const { namespace, flowId, trigger } = execution;
    if (!trigger) return;
    await changeTrigger({ namespace, flowId, triggerId: trigger.id }, store, (row) =>
      row.executionId === execution.id
        ? withState(row, { ...stateOf(row), executionId: replacementId }, clock())
        : undefined,
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    clearTimeout(this.#timer);
    await this.#reading;
    await this.#parts.evaluations.stop();
  }

  async #startDue(): Promise<void> {
    clearTimeout(this.#timer);
    let waitMs = safetyMs;
    try {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        await this.#keepUp();
        await this.#fireDue();
      }
      waitMs = await this.#timeToNext();
    } catch (error) {
      if (!this.#isStopped) this.#parts.log.error('Due triggers could not be read.', { error });
      waitMs = 1_000;
    }
    this.#reading = undefined;
    if (this.#isStopped) return;
    if (this.#isWanted) this.wake();
    else this.#timer = setTimeout(() => this.wake(), waitMs);
  }

  async #keepUp(): Promise<void> {
    const now = this.#parts.clock();
    if (typeof this.#parts.source === 'object') return;
    await logMissingWorkers(now, this.#parts);
    // The clock was ahead and was corrected; at the first poll, a previous process may have seen the wrong
    // time.
    if (!this.#hasLooked || now < this.#lastPollAt - clockSkewMs) {
      const triggers = await correctTriggers(this.#parts);
      if (triggers > 0)
        this.#parts.log.warn('The clock was ahead; triggers continue with their next date from now.', {
          triggers,
        });
    }
    // Dates shortly before the machine woke up are only late.
    if (now - this.#lastPollAt > sleepMs) this.#missedBefore = now - lateMs;
    // Dates that passed during a pause were missed: the setting of each schedule decides about them.
    if (this.#parts.isPaused?.()) this.#wasPaused = true;
    else if (this.#wasPaused) {
      this.#wasPaused = false;
      this.#missedBefore = now - 1;
    }
    // The clock may have been ahead for a while: future dates were not missed.
    this.#missedBefore = Math.min(this.#missedBefore, now - 1);
    this.#lastPollAt = now;
    // Resumes flow events of processes that stopped; the first poll takes all stored events.
    await this.#parts.flowTriggers.resume(this.#hasLooked ? now - safetyMs : now);
    this.#hasLooked = true;
    if (Math.abs(now - this.#releasedAt) < releaseEveryMs) return;
    this.#releasedAt = now;
    await releaseForgotten(this.#parts);
  }

  async #fireDue(): Promise<void> {
    while (!this.#isStopped && !this.#parts.isPaused?.()) {
      const now = this.#parts.clock();
      for (const [key, until] of this.#troubled) if (isPast(until, now)) this.#troubled.delete(key);
      const rows = await this.#parts.store.dueTriggers(
        now,
        batchSize + this.#troubled.size,
        this.#parts.source,
      );
      const due = rows.filter((row) => !this.#troubled.has(keyOf(row))).slice(0, batchSize);
      if (due.length === 0) return;
      await Promise.all(due.map((row) => this.#fire(row)));
    }
  }

  async #fire(row: TriggerRecord): Promise<void> {
    try {
      if (isEvaluated(row)) await this.#parts.evaluations.begin(row);
      else await fireSchedule(row, this.#missedBefore, this.#parts);
    } catch (error) {
      this.#troubled.set(keyOf(row), this.#parts.clock() + (isUnavailable(error) ? awayMs : troubledMs));
      const { namespace, flowId, triggerId } = row;
      this.#parts.log.error('A trigger could not be evaluated.', { namespace, flowId, triggerId, error });
    }
  }

  async #timeToNext(): Promise<number> {
    if (this.#parts.isPaused?.()) return safetyMs;
    const [next] = await this.#parts.store.dueTriggers(Number.MAX_SAFE_INTEGER, 1, this.#parts.source);
    if (next?.nextAt === undefined) return safetyMs;
    const leastMs = this.#troubled.size > 0 ? 1_000 : 0;
    return Math.min(Math.max(next.nextAt - this.#parts.clock(), leastMs), safetyMs);
  }
}

/** Also true when the clock was set back meanwhile. */
const isPast = (until: number, now: number): boolean => until <= now || until > now + troubledMs;

const keyOf = ({ namespace, flowId, triggerId }: TriggerRecord): string =>
  `${namespace}/${flowId}/${triggerId}`;
