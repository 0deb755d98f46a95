import type { ExecutionRecord } from '@millrace/contract';
import { clockSkewMs } from '@millrace/engine';
import type { TriggerRecord, TriggerSource } from '@millrace/store';
import { changeTrigger, type TriggerKey } from './changeTrigger.ts';
import { correctTriggers } from './correctTriggers.ts';
import type { Evaluations } from './evaluations.ts';
import { fireSchedule, type ScheduleParts } from './fireSchedule.ts';
import { releaseForgotten, releaseTrigger } from './releaseTrigger.ts';
import { isEvaluated, stateOf, withState } from './triggerState.ts';
import { tellWaiting } from './waitingForWorkers.ts';

/** Triggers that are looked at together, so that their commits share a group. */
const batchSize = 200;
/** Nothing relies on this: it is for a clock that was set, and for what another process has changed. */
const safetyMs = 30_000;
/** A longer silence than this means that the machine slept: what came due meanwhile was missed. */
const sleepMs = 5 * 60_000;
const lateMs = 60_000;
const releaseEveryMs = 5 * 60_000;
/** A trigger that could not be looked at is left alone for a while, so that it holds nobody else up. */
const troubledMs = 10_000;

export interface SchedulerParts extends ScheduleParts {
  readonly evaluations: Evaluations;
  /** Whose triggers these are: all, where there is one server; otherwise those of no group, or of this worker's. */
  readonly source: TriggerSource;
  /** Whether somebody evaluates the triggers of a group. */
  readonly hasWorkers?: (group: string) => boolean;
  /** The one in this process that evaluates for a group: what is changed here is not announced to it. */
  readonly companion?: Scheduler;
}

/**
 * Starts executions at their dates. One timer waits for the earliest date of all; changes of flows and triggers and the
 * end of an execution wake it up. Any number of schedulers may work on one database: a slot is fired once.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #troubled = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = true;
  #stopListening = () => {};
  /** Dates up to here came while nobody looked. */
  #missedBefore = Number.NEGATIVE_INFINITY;
  #lastLookAt = 0;
  #releasedAt = 0;
  #hasLooked = false;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Carries on from the rows: what was missed is missed from now on, and locks without an execution go. */
  async start(): Promise<void> {
    const { evaluations, log } = this.#parts;
    this.#isStopped = false;
    this.#lastLookAt = this.#parts.clock();
    this.#missedBefore = this.#lastLookAt - 1;
    this.#stopListening = this.#parts.store.onChange(({ flows, triggers, isElsewhere, hasGap }) => {
      for (const { namespace, id } of flows) {
        evaluations
          .flowChanged(namespace, id)
          .catch((error: unknown) => log.error('A trigger could not be stopped.', { error }));
      }
      const isTold = (triggers && isElsewhere) || hasGap;
      if (isTold) {
        // What runs here may go by what the trigger was before.
        evaluations
          .changedElsewhere(hasGap ? undefined : triggers)
          .catch((error: unknown) => log.error('A trigger could not be stopped.', { error }));
      }
      if (flows.length > 0 || isTold) this.wake();
    });
    await evaluations.start(() => this.wake());
    this.wake();
  }

  /** Something may be due now that was not before. */
  wake(): void {
    this.#isWanted = true;
    if (!this.#looking && !this.#isStopped) this.#looking = this.#look();
  }

  /** Somebody has changed a trigger: what still goes by what it was stops, and what is due now begins. */
  async changed(key: TriggerKey): Promise<void> {
    await this.#parts.evaluations.changed(key);
    this.wake();
    await this.#parts.companion?.changed(key);
  }

  /** Looks at everything that is due; settles when that is done. */
  async runDue(): Promise<void> {
    this.wake();
    // A look that was about to end is followed by another one.
    while (this.#looking) await this.#looking;
  }

  /** An execution is over or gone: the trigger that waits for it goes on. */
  async release(execution: ExecutionRecord): Promise<void> {
    if (!(await releaseTrigger(execution, this.#parts))) return;
    const { namespace, flowId, trigger } = execution;
    if (trigger) await this.changed({ namespace, flowId, triggerId: trigger.id });
  }

  /** An execution is done again by another one: the trigger waits for that one instead. */
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
    await this.#looking;
    await this.#parts.evaluations.stop();
  }

  async #look(): Promise<void> {
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
      if (!this.#isStopped) this.#parts.log.error('Due triggers could not be looked at.', { error });
      waitMs = 1_000;
    }
    this.#looking = undefined;
    if (this.#isStopped) return;
    if (this.#isWanted) this.wake();
    else this.#timer = setTimeout(() => this.wake(), waitMs);
  }

  async #keepUp(): Promise<void> {
    const now = this.#parts.clock();
    if (typeof this.#parts.source === 'object') return;
    await tellWaiting(now, this.#parts);
    // The clock was ahead and is corrected; at the first look a process before may have seen it.
    if (!this.#hasLooked || now < this.#lastLookAt - clockSkewMs) {
      const triggers = await correctTriggers(this.#parts);
      if (triggers > 0)
        this.#parts.log.warn('The clock was ahead; triggers continue with their next date from now.', {
          triggers,
        });
    }
    // A date of the last moments before it woke up is only late.
    if (now - this.#lastLookAt > sleepMs) this.#missedBefore = now - lateMs;
    // The clock may have been set ahead for a while: what is still to come was not missed.
    this.#missedBefore = Math.min(this.#missedBefore, now - 1);
    this.#lastLookAt = now;
    // What a process that ended has left behind; at the first look that is everything there is.
    await this.#parts.flowTriggers.resume(this.#hasLooked ? now - safetyMs : now);
    this.#hasLooked = true;
    if (Math.abs(now - this.#releasedAt) < releaseEveryMs) return;
    this.#releasedAt = now;
    await releaseForgotten(this.#parts);
  }

  async #fireDue(): Promise<void> {
    while (!this.#isStopped) {
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
      this.#troubled.set(keyOf(row), this.#parts.clock() + troubledMs);
      const { namespace, flowId, triggerId } = row;
      this.#parts.log.error('A trigger could not be evaluated.', { namespace, flowId, triggerId, error });
    }
  }

  async #timeToNext(): Promise<number> {
    const [next] = await this.#parts.store.dueTriggers(Number.MAX_SAFE_INTEGER, 1, this.#parts.source);
    if (next?.nextAt === undefined) return safetyMs;
    const leastMs = this.#troubled.size > 0 ? 1_000 : 0;
    return Math.min(Math.max(next.nextAt - this.#parts.clock(), leastMs), safetyMs);
  }
}

/** Also when the clock was set back meanwhile. */
const isPast = (until: number, now: number): boolean => until <= now || until > now + troubledMs;

const keyOf = ({ namespace, flowId, triggerId }: TriggerRecord): string =>
  `${namespace}/${flowId}/${triggerId}`;
