import { setTimeout as delay } from 'node:timers/promises';
import { Conflict, type Op, type Store, type TriggerRecord } from '@millrace/store';
import { Interruption } from '../worker/interruption.ts';
import { putAsRead } from './changeTrigger.ts';

/** The lease of a claim. Workers renew it three times as often. */
export const leaseMs = 60_000;

/** Pauses before a failed write of an evaluation's end is tried again. */
const retryDelaysMs = [50, 250, 1_000, 3_000];

export type RowChange = (row: TriggerRecord) => TriggerRecord;

/**
 * The right to evaluate one trigger. It is stored in the trigger's row: `evaluationStartedAt` and `workerId`
 * name the owner, `nextAt` is the lease's end. Any change of the row revokes the claim: later writes fail.
 */
export class Claim {
  readonly interruption = new Interruption();
  readonly #store: Store;
  #row: TriggerRecord;
  #writing: Promise<unknown> = Promise.resolve();
  #isLost = false;

  constructor(row: TriggerRecord, store: Store) {
    this.#row = row;
    this.#store = store;
  }

  get row(): TriggerRecord {
    return this.#row;
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Serializes writes; each one expects the row of the previous write. `work` commits the op that `put`
   * returns; a conflict means that the claim is lost.
   */
  write<T>(work: (put: (change: RowChange) => Op) => Promise<T>): Promise<T> {
    const next = this.#writing.then(async () => {
      const { namespace, flowId, triggerId } = this.#row;
      if (this.#isLost) throw new Conflict(`The trigger ${namespace}/${flowId}/${triggerId}`);
      let later = this.#row;
      const put = (change: RowChange) => {
        const changed = change(this.#row);
        later = { ...changed, updatedAt: Math.max(changed.updatedAt, this.#row.updatedAt + 1) };
        return putAsRead(this.#row, later);
      };
      try {
        const result = await work(put);
        this.#row = later;
        return result;
      } catch (error) {
        if (error instanceof Conflict) this.#lose();
        throw error;
      }
    });
    this.#writing = next.catch(() => {});
    return next;
  }

  /**
   * Commits the end of an evaluation, unless it is stored already. Tries again when a commit fails: otherwise the trigger
   * would wait for the end of its lease, and its log lines would be lost.
   */
  writeEnd(change: RowChange, lines: readonly Op[] = []): Promise<void> {
    return this.write(async (put) => {
      if (this.isHandedBack) return;
      const unit = [put(change), ...lines];
      for (let tries = 0; ; tries++) {
        try {
          return await this.#store.commit(unit);
        } catch (error) {
          // A conflict with a write whose response was lost is none.
          if (error instanceof Conflict && tries > 0 && (await this.#isStored(unit))) return;
          const delayMs = retryDelaysMs[tries];
          if (error instanceof Conflict || delayMs === undefined) throw error;
          await delay(delayMs);
        }
      }
    });
  }

  async #isStored(unit: readonly Op[]): Promise<boolean> {
    const { namespace, flowId, triggerId } = this.#row;
    const row = await this.#store.getTrigger(namespace, flowId, triggerId);
    return unit.some((op) => op.op === 'trigger.put' && op.trigger.updatedAt === row?.updatedAt);
  }

  /** Renews the lease, unless the trigger was handed back meanwhile. */
  async renew(now: number): Promise<void> {
    await this.write(async (put) => {
      if (!this.isHandedBack) await this.#store.commit([put((row) => ({ ...row, nextAt: now + leaseMs }))]);
    }).catch((error: unknown) => {
      if (!(error instanceof Conflict)) throw error;
    });
  }

  /** Whether the last write has ended the evaluation: the row is free for the next one. */
  get isHandedBack(): boolean {
    return this.#row.evaluationStartedAt === undefined;
  }

  /** Whether the claim is still valid; when the row has changed since, the evaluation is interrupted. */
  async check(): Promise<boolean> {
    await this.#writing;
    // The row is free for the next evaluation; this one may still finish, for example with acknowledgments.
    if (this.isHandedBack) return !this.#isLost;
    const { namespace, flowId, triggerId } = this.#row;
    const row = await this.#store.getTrigger(namespace, flowId, triggerId);
    if (row?.updatedAt !== this.#row.updatedAt) this.#lose();
    return !this.#isLost;
  }

  #lose(): void {
    this.#isLost = true;
    this.interruption.interrupt('kill');
  }
}
