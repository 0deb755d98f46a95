import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { Cluster, MessageRecord, Op, Store } from '@millrace/store';
import type { Letter } from '../loops/letter.ts';
import { newId } from '../newId.ts';
import type { ProcessLog } from '../processLog.ts';
import type { Membership } from './membership.ts';

export interface SharingParts {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly log: ProcessLog;
}

/** How long somebody waits for an answer of the server that carries an execution on. */
const answerWithinMs = 20_000;
/** Nothing relies on it: an answer is announced. */
const lookEveryMs = 1_000;
const tellAgainMs = [100, 500, 2_000, 5_000];

/**
 * Executions that several servers share: each is carried on by one of them, its owner. What another one wants of it is
 * stored as a message in the order it was sent; the owner takes it in the commit of what it leads to, so that it happens
 * once, whoever dies when.
 */
export class Sharing {
  readonly #parts: SharingParts;
  #isStopped = false;

  constructor(parts: SharingParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Who is to carry a new execution on. This server, when it can; otherwise another one, which is invited by a message
   * that commits with the execution. While there is none, the next one that starts takes it.
   */
  homeFor(executionId: string): { readonly owner?: { owner: string }; readonly invitation?: readonly Op[] } {
    const { membership } = this.#parts;
    if (membership.carriesOn) return { owner: { owner: membership.id } };
    const owner = membership.pickExecutor();
    return {
      ...(owner === undefined ? {} : { owner: { owner } }),
      invitation: [putMessage(executionId, owner, { kind: 'adopt' })],
    };
  }

  /** Whether this server carries the execution on. One that nobody alive has is taken, or given to one that can. */
  async isHere(executionId: string): Promise<boolean> {
    const { cluster, membership } = this.#parts;
    if (!membership.carriesOn) return false;
    const found = await cluster.acquire(executionId, membership.id);
    // One that does not exist is nowhere else either.
    return found === undefined || found.owner === membership.id;
  }

  /** Attempts `taskRunId/attempt` that workers in other processes have. Ask after the execution was read. */
  async begunElsewhere(executionId: string): Promise<readonly string[]> {
    const attempts = await this.#parts.cluster.listAttempts([executionId]);
    return attempts.map(({ taskRunId, attempt }) => `${taskRunId}/${attempt}`);
  }

  /** A fact for an execution of another server, to be stored together with what it is about. */
  async messageFor(executionId: string, event: Event): Promise<readonly Op[]> {
    const found = await this.#parts.cluster.acquire(executionId, undefined);
    return found ? [putMessage(executionId, found.owner, { kind: 'fact', event })] : [];
  }

  passOn(executionId: string, letters: readonly Letter[]): void {
    for (const letter of letters) {
      if (letter.isStored) letter.left?.();
      else if (!letter.event) letter.refused?.(new AppError('unavailable', 'another server carries it on'));
      else if (letter.isRequest) {
        this.#ask(executionId, letter.event).then(
          (left) => letter.answered?.(left),
          (error: unknown) => letter.refused?.(error),
        );
      } else void this.#tell(executionId, letter.event);
    }
  }

  /** Calls back when an execution is over or gone that another server carries on. Answers how to call that off. */
  whenOver(executionId: string, isHere: () => boolean, over: () => void): () => void {
    const { store, log } = this.#parts;
    const look = async () => {
      const execution = await store.getExecutionRecord(executionId);
      if (!execution || execution.overAt !== undefined) over();
    };
    return store.onChange(({ executionIds, hasGap }) => {
      if (isHere() || !(hasGap || executionIds.includes(executionId))) return;
      look().catch((error: unknown) => log.error('An execution could not be read.', { executionId, error }));
    });
  }

  async #ask(executionId: string, event: Event) {
    const { store, cluster } = this.#parts;
    if (!(await store.getExecutionRecord(executionId))) throw missing(executionId);
    const message = putMessage(executionId, await this.#ownerOf(executionId), { kind: 'request', event });
    const { id } = message.message;
    let wake = () => {};
    const stopListening = store.onChange(({ executionIds, hasGap }) => {
      if (hasGap || executionIds.includes(executionId)) wake();
    });
    try {
      await store.commit([message]);
      for (const until = Date.now() + answerWithinMs; Date.now() < until && !this.#isStopped; ) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const found = await cluster.findMessage(id);
        if (!found) {
          const left = await store.getExecution(executionId);
          if (!left) throw missing(executionId);
          return left;
        }
        if (found.refusal) {
          await cluster.withdraw(id);
          throw new AppError(found.refusal.code, found.refusal.message);
        }
        await Promise.race([woken, delay(lookEveryMs, undefined, { ref: false })]);
        if ((await store.listStates([executionId])).length === 0) throw missing(executionId);
      }
      await cluster.withdraw(id);
      throw new AppError(
        'unavailable',
        'the server that carries the execution on does not answer; please try again',
      );
    } finally {
      stopListening();
    }
  }

  /** A fact must arrive; only the end of this process keeps it from trying. */
  async #tell(executionId: string, event: Event): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        const owner = await this.#ownerOf(executionId);
        await this.#parts.store.commit([putMessage(executionId, owner, { kind: 'fact', event })]);
        return;
      } catch (error) {
        if (this.#isStopped) return;
        this.#parts.log.error('Another server could not be told of an event.', { executionId, error });
        await delay(tellAgainMs[Math.min(tries, tellAgainMs.length - 1)]);
      }
    }
  }

  async #ownerOf(executionId: string): Promise<string | undefined> {
    const { cluster, membership } = this.#parts;
    const candidate = membership.carriesOn ? membership.id : membership.pickExecutor();
    return (await cluster.acquire(executionId, candidate))?.owner;
  }
}

export const putMessage = (
  executionId: string,
  owner: string | undefined,
  content: MessageRecord['content'],
  id: string = newId(),
): Op & { op: 'message.put' } => ({
  op: 'message.put',
  message: { id, executionId, content, ...(owner === undefined ? {} : { owner }) },
});

const missing = (executionId: string): AppError =>
  new AppError('not-found', `there is no execution "${executionId}"`);
