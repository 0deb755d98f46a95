import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { Cluster, MessageRecord, Op, Store } from '@millrace/store';
import type { Command } from '../executor/command.ts';
import { isApplied } from '../executor/isApplied.ts';
import { newId } from '../newId.ts';
import type { ProcessLog } from '../processLog.ts';
import type { Membership } from './membership.ts';

export interface OwnershipParts {
  readonly store: Store;
  readonly cluster: Cluster;
  readonly membership: Membership;
  readonly log: ProcessLog;
}

/** How long a request waits for the response of the owner. */
const answerWithinMs = 20_000;
/** A fallback: the response is announced. */
const pollEveryMs = 1_000;
const tellAgainMs = [100, 500, 2_000, 5_000];

/**
 * Each open execution has one owner among the servers. Another server stores its request or fact as a message, in order;
 * the owner takes the message in the same commit as its result, so that it happens once even if a server crashes.
 */
export class Ownership {
  readonly #parts: OwnershipParts;
  #isStopped = false;

  constructor(parts: OwnershipParts) {
    this.#parts = parts;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /**
   * The owner of a new execution: this server if it has the executor role, otherwise another executor, which
   * gets a message in the same commit. Without any executor, the next executor that starts claims the
   * execution.
   */
  assignOwner(executionId: string): {
    readonly owner?: { owner: string };
    readonly invitation?: readonly Op[];
  } {
    const { membership } = this.#parts;
    if (membership.carriesOn) return { owner: { owner: membership.id } };
    const owner = membership.pickExecutor();
    return {
      ...(owner === undefined ? {} : { owner: { owner } }),
      invitation: [putMessage(executionId, owner, { kind: 'adopt' })],
    };
  }

  /** Whether this server owns the execution. An execution without a live owner is claimed. */
  async isHere(executionId: string): Promise<boolean> {
    const { cluster, membership } = this.#parts;
    if (!membership.carriesOn) return false;
    const found = await cluster.acquire(executionId, membership.id);
    // An execution that does not exist has no other owner either.
    return found === undefined || found.owner === membership.id;
  }

  /** Attempts `taskRunId/attempt` that workers in other processes run. Read them after the execution. */
  async startedElsewhere(executionId: string): Promise<readonly string[]> {
    const attempts = await this.#parts.cluster.listAttempts([executionId]);
    return attempts.map(({ taskRunId, attempt }) => `${taskRunId}/${attempt}`);
  }

  /** A fact for an execution of another server, to be committed with its cause. */
  async messageFor(executionId: string, event: Event): Promise<readonly Op[]> {
    const found = await this.#parts.cluster.acquire(executionId, undefined);
    return found ? [putMessage(executionId, found.owner, { kind: 'fact', event })] : [];
  }

  forward(executionId: string, commands: readonly Command[]): void {
    for (const command of commands) {
      if (command.isStored) command.left?.();
      else if (!command.event)
        command.refused?.(new AppError('unavailable', 'another server owns the execution'));
      else if (command.isRequest) {
        this.#ask(executionId, command.event).then(
          (left) => command.committedElsewhere?.(left),
          (error: unknown) => command.refused?.(error),
        );
      } else void this.#tell(executionId, command.event);
    }
  }

  /** Calls back when an execution of another server has ended or was deleted. Returns a function that unsubscribes. */
  whenEnded(executionId: string, isHere: () => boolean, ended: () => void): () => void {
    const { store, log } = this.#parts;
    const check = async () => {
      const execution = await store.getExecutionRecord(executionId);
      if (!execution || execution.closedAt !== undefined) ended();
    };
    return store.onChange(({ executionIds, hasGap }) => {
      if (isHere() || !(hasGap || executionIds.includes(executionId))) return;
      check().catch((error: unknown) => log.error('An execution could not be read.', { executionId, error }));
    });
  }

  async #ask(executionId: string, event: Event) {
    const { store, cluster } = this.#parts;
    if (!(await store.getExecutionRecord(executionId))) throw missing(executionId);
    const { requestKey: id = newId() } = event;
    const content = { kind: 'request', event } as const;
    const message = putMessage(executionId, await this.#ownerOf(executionId), content, id);
    let wake = () => {};
    const stopListening = store.onChange(({ executionIds, hasGap }) => {
      if (hasGap || executionIds.includes(executionId)) wake();
    });
    try {
      if (!(await this.#isSent(executionId, event))) await store.commit([message]);
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
        await Promise.race([woken, delay(pollEveryMs, undefined, { ref: false })]);
        if ((await store.listStates([executionId])).length === 0) throw missing(executionId);
      }
      await cluster.withdraw(id);
      throw new AppError(
        'unavailable',
        'the server that owns the execution does not respond; please try again',
      );
    } finally {
      stopListening();
    }
  }

  /** Whether a server that stopped since has sent the request. The owner has then applied it, or will. */
  async #isSent(executionId: string, { requestKey }: Event): Promise<boolean> {
    if (requestKey === undefined) return false;
    // In this order: a message disappears in the commit that adds its event to the log.
    if (await this.#parts.cluster.findMessage(requestKey)) return true;
    return isApplied(executionId, requestKey, this.#parts);
  }

  /** A fact must arrive, so it is retried until this process ends. */
  async #tell(executionId: string, event: Event): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        const owner = await this.#ownerOf(executionId);
        await this.#parts.store.commit([putMessage(executionId, owner, { kind: 'fact', event })]);
        return;
      } catch (error) {
        if (this.#isStopped) return;
        this.#parts.log.error('An event could not be sent to another server.', { executionId, error });
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
