import { AppError } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { Op, StoredMessage } from '@millrace/store';
import type { Executor } from '../loops/executor.ts';
import type { Letter } from '../loops/letter.ts';
import type { SharingParts } from './sharing.ts';

export interface InboxParts extends SharingParts {
  readonly executor: Executor;
  /** Carries on with executions that were given to this server. */
  readonly adopt: (executionIds: readonly string[]) => Promise<void>;
}

const pageSize = 1_000;

/** What other servers and workers have told this one: read when it is announced, and after every beat. */
export class Inbox {
  readonly #parts: InboxParts;
  /** Read and not taken yet. */
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
      // The next beat reads again.
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
    // An attempt whose start and end are told together was not begun by a commit of its own.
    const [only] = events.length === 1 ? events : [];
    if (only?.type === 'taskEnded' || only?.type === 'workerLost') {
      const { taskRunId, attempt } = only;
      done.push({ op: 'attempt.end', attempt: { executionId, taskRunId, attempt } });
    }
    const isRequest = content.kind === 'request';
    const letter: Letter = {
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
    this.#parts.executor.deliver(executionId, letter);
  }

  /** Until they are carried on the messages stay stored, and are read again after the next beat. */
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
