import { messageOf } from '@millrace/plugin-kit';
import { Conflict, type TriggerRecord } from '@millrace/store';
import { putAsRead, type TriggerKey } from './changeTrigger.ts';
import { Claim, leaseMs } from './claim.ts';
import { type EvaluatedTrigger, findEvaluatedTrigger } from './evaluatedTrigger.ts';
import type { EvaluationParts } from './evaluationParts.ts';
import { poll } from './poll.ts';
import { runRealtime } from './runRealtime.ts';
import { triggerLog } from './triggeredExecution.ts';

interface Held {
  readonly claim: Claim;
  readonly found: EvaluatedTrigger;
  readonly ended: Promise<void>;
}

/** Concurrent polls; further ones wait and keep their claims. */
const maxConcurrentPolls = 32;
/** A trigger whose last evaluation is still stopping is retried after this time. */
const stoppingMs = 500;
const adoptAtOnce = 10_000;

/**
 * The triggers that this process evaluates. A due row is claimed in one commit, evaluated, and written again
 * in the commit of its result, so that every event of a source is accepted once.
 */
export class Evaluations {
  readonly #parts: EvaluationParts;
  readonly #held = new Map<string, Held>();
  readonly #waiting: (() => void)[] = [];
  #polling = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Called when a trigger may be due again. */
  #wake = () => {};

  constructor(parts: EvaluationParts) {
    this.#parts = parts;
  }

  async start(wake: () => void): Promise<void> {
    this.#isStopped = false;
    this.#wake = wake;
    this.#timer = setInterval(() => void this.#renew(), leaseMs / 3);
    this.#timer.unref();
    if (this.#parts.isAlone) await this.#adopt();
  }

  /** Claims a due row. Resolves once it is claimed or needs no evaluation; the evaluation continues. */
  async begin(row: TriggerRecord): Promise<void> {
    const { store, clock } = this.#parts;
    try {
      const held = this.#held.get(keyOf(row));
      if (held) return await this.#meet(held, row);
      const found = await findEvaluatedTrigger(row, this.#parts);
      if (!found || this.#isStopped) return;
      const now = clock();
      const { waitsFor: _, ...memo } = row.memo ?? {};
      const claimed: TriggerRecord = {
        ...row,
        evaluationStartedAt: now,
        nextAt: now + leaseMs,
        updatedAt: Math.max(now, row.updatedAt + 1),
        memo: { ...memo, workerId: this.#parts.workerId },
      };
      const isTakenOver = row.evaluationStartedAt !== undefined;
      await store.commit([
        putAsRead(row, claimed),
        ...(isTakenOver ? [{ op: 'log.insert' as const, log: takeOverLine(found, now) }] : []),
      ]);
      this.#hold(new Claim(claimed, store), found);
    } catch (error) {
      // Another scheduler changed the row first.
      if (!(error instanceof Conflict)) throw error;
    }
  }

  /** A trigger has changed: interrupts an evaluation of its previous version. */
  async changed(key: TriggerKey): Promise<void> {
    await this.#held.get(keyOf(key))?.claim.check();
  }

  /** Another process has changed these triggers; without keys, any trigger may have changed. */
  async changedElsewhere(
    keys: readonly TriggerKey[] = [...this.#held.values()].map(({ claim }) => claim.row),
  ) {
    for (const key of keys) await this.changed(key);
  }

  /** A flow was saved or deleted. Listeners start over, so that they see the flow as it is. */
  async flowChanged(namespace: string, flowId: string): Promise<void> {
    for (const { claim, found } of [...this.#held.values()]) {
      if (claim.row.namespace !== namespace || claim.row.flowId !== flowId) continue;
      const isOurs = await claim.check();
      if (isOurs && found.role === 'realtime') claim.interruption.interrupt('shutdown');
    }
  }

  /** Stops realtime triggers; polls in progress end on their own. */
  async interruptListeners(): Promise<void> {
    for (const { claim, found } of [...this.#held.values()])
      if (found.role === 'realtime') claim.interruption.interrupt('shutdown');
  }

  /** Stops everything and hands the triggers back: they are due at the next start. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const go of this.#waiting.splice(0)) go();
    const held = [...this.#held.values()];
    for (const { claim } of held) claim.interruption.interrupt('shutdown');
    await Promise.all(held.map(({ ended }) => ended));
  }

  #hold(claim: Claim, found: EvaluatedTrigger): void {
    const key = keyOf(claim.row);
    const ended = this.#evaluate(claim, found)
      .catch((error: unknown) => {
        const { namespace, flowId, triggerId } = claim.row;
        const details = { namespace, flowId, triggerId, reason: messageOf(error) };
        this.#parts.log.error('What came of a trigger could not be stored.', details);
      })
      .finally(() => {
        this.#held.delete(key);
        this.#wake();
      });
    this.#held.set(key, { claim, found, ended });
  }

  async #evaluate(claim: Claim, found: EvaluatedTrigger): Promise<void> {
    if (found.role === 'realtime') return runRealtime(claim, found, this.#parts);
    if (this.#polling >= maxConcurrentPolls) await new Promise<void>((go) => this.#waiting.push(go));
    this.#polling++;
    try {
      await poll(claim, found, this.#parts);
    } finally {
      this.#polling--;
      this.#waiting.shift()?.();
    }
  }

  /** The row of a trigger that is evaluated here is due: it changed, or its lease was not renewed in time. */
  async #meet({ claim, ended }: Held, row: TriggerRecord): Promise<void> {
    const { store, clock } = this.#parts;
    const isOurs = await claim.check();
    // Handed back a moment ago: it is due, and starts again once its end is recorded here.
    if (isOurs && claim.isHandedBack) return ended;
    if (isOurs) return claim.renew(clock());
    const later = { ...row, nextAt: clock() + stoppingMs, updatedAt: row.updatedAt + 1 };
    await store.commit([putAsRead(row, later)]);
  }

  async #renew(): Promise<void> {
    const now = this.#parts.clock();
    const renewals = [...this.#held.values()].map(({ claim }) => claim.renew(now));
    for (const { status, ...end } of await Promise.allSettled(renewals)) {
      if (status === 'rejected') this.#parts.log.error('A claim could not be renewed.', { error: end });
    }
  }

  /** Makes triggers due whose evaluation was interrupted by a crash. */
  async #adopt(): Promise<void> {
    const { store, clock } = this.#parts;
    const now = clock();
    for (const row of await store.dueTriggers(now + leaseMs, adoptAtOnce)) {
      if (row.evaluationStartedAt === undefined) continue;
      await store
        .commit([putAsRead(row, { ...row, nextAt: now, updatedAt: row.updatedAt + 1 })])
        .catch((error: unknown) => {
          if (!(error instanceof Conflict)) throw error;
        });
    }
  }
}

const keyOf = ({ namespace, flowId, triggerId }: TriggerKey): string => `${namespace}/${flowId}/${triggerId}`;

const takeOverLine = ({ flow, trigger }: EvaluatedTrigger, at: number) =>
  triggerLog(flow, trigger, {
    level: 'WARN',
    at,
    message: 'The last evaluation did not end, because its worker was lost; the trigger is evaluated again.',
  });
