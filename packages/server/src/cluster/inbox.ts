import { AppError } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { Op, StoredMessage } from '@millrace/store';
import type { Command } from '../executor/command.ts';
import type { Executor } from '../executor/executor.ts';
import type { OwnershipParts } from './ownership.ts';

export interface InboxParts extends OwnershipParts {
  readonly executor: Executor;
  /** Resumes executions that were assigned to this server. */
  readonly adopt: (executionIds: readonly string[]) => Promise<void>;
}

const pageSize = 1_000;

/** Messages of other servers and workers to this one. It reads them when they are announced, and after each heartbeat. */
export class Inbox {
  readonly #parts: InboxParts;
  /** Messages that were read and not taken yet. */
  readonly #underway = new Set<string>();
  #reading: Promise<void> | undefined;
  #isWanted = false;
  #stopListening = () => {};
  #isStopped = false;

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  start(): void {
    const { store, membership } = this.#parts;
    this.#stopListening = store.onChange(({ messageOwners, hasGap }) => {
      if (hasGap || messageOwners?.includes(membership.id)) this.wake();
    });
    this.wake();
  }

  wake(): void {
    this.#isWanted = true;
    if (!this.#isStopped) this.#reading ??= this.#readAll();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    const { cluster, membership, log } = this.#parts;
    try {
      while (this.#isWanted && !this.#isStopped) {
        this.#isWanted = false;
        const messages = await cluster.readMessages(membership.id, [...this.#underway], pageSize);
        if (messages.length === pageSize) this.#isWanted = true;
        const given = messages.filter(({ content }) => content?.kind === 'adopt');
        if (given.length > 0) void this.#adopt(given);
        for (const message of messages) if (message.content?.kind !== 'adopt') this.#deliver(message);
      }
    } catch (error) {
      // The next heartbeat reads again.
      if (!this.#isStopped) log.error('The messages of other servers could not be read.', { error });
    }
    this.#reading = undefined;
  }

  #deliver({ id, executionId, content }: StoredMessage): void {
    this.#underway.add(id);
    const take: Op = { op: 'message.take', id, executionId };
    const events = eventsIn(content);
    if (!content || events.length === 0) {
      this.#parts.log.error('A message of another server cannot be read and is dropped.', { executionId });
      void this.#finish(id, take);
      return;
    }
    const done: Op[] = [take];
    // An attempt that reports start and end in one message has no separate start to remove.
    const [only] = events.length === 1 ? events : [];
    if (only?.type === 'taskEnded' || only?.type === 'workerLost') {
      const { taskRunId, attempt } = only;
      done.push({ op: 'attempt.end', attempt: { executionId, taskRunId, attempt } });
    }
    const isRequest = content.kind === 'request';
    const command: Command = {
      step: (run, now) => {
        for (const event of events) run.apply(event, now);
      },
      isRequest,
      isStored: true,
      alongside: done,
      committed: () => this.#underway.delete(id),
      left: () => this.#underway.delete(id),
      refused: (error) => {
        const isKnown = error instanceof AppError;
        const refusal = {
          code: isKnown ? error.code : 'unavailable',
          message: isKnown ? error.message : 'the change led to an error',
        } as const;
        void this.#finish(id, isRequest ? { op: 'message.refuse', id, executionId, refusal } : done);
      },
    };
    this.#parts.executor.deliver(executionId, command);
  }

  /** The messages stay stored until the executions are resumed; the next heartbeat reads them again. */
  async #adopt(messages: readonly StoredMessage[]): Promise<void> {
    for (const { id } of messages) this.#underway.add(id);
    try {
      await this.#parts.adopt([...new Set(messages.map(({ executionId }) => executionId))]);
      await this.#parts.store.commit(
        messages.map(({ id, executionId }): Op => ({ op: 'message.take', id, executionId })),
      );
    } catch (error) {
      if (!this.#isStopped)
        this.#parts.log.error('Executions that were handed over could not be read.', { error });
    }
    for (const { id } of messages) this.#underway.delete(id);
  }

  async #finish(id: string, ops: Op | readonly Op[]): Promise<void> {
    try {
      await this.#parts.store.commit([ops].flat());
    } catch (error) {
      this.#parts.log.error('A message of another server could not be taken.', { error });
    }
    this.#underway.delete(id);
  }
}

/** `as`: another server of ours has sent them; the engine ignores what does not fit. */
function eventsIn(content: StoredMessage['content']): readonly Event[] {
  switch (content?.kind) {
    case 'fact':
    case 'request':
      return [content.event as Event];
    case 'facts':
      return Array.isArray(content.events) ? (content.events as readonly Event[]) : [];
    default:
      return [];
  }
}
