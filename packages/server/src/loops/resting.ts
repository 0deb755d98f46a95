import type { Mailbox } from './mailbox.ts';

/** Task runs of all that rest: those of some four thousand executions with two each. */
const maxWeight = 30_000;
/** What an execution takes in memory besides its task runs, counted in those. */
const ownWeight = 5;

/**
 * Executions that wait for something (a worker, a person, a date, a child) and are kept in memory nevertheless. To read
 * one again takes three questions and longer than to carry it on: a server that keeps fewer than its workers have would
 * fall behind ever further.
 */
export class Resting {
  /** With what each takes; the one that has rested longest is the first. */
  readonly #weights = new Map<Mailbox, number>();
  #total = 0;

  /** Answers those that there is no room for any more, never the one that came just now. */
  add(mailbox: Mailbox, taskRuns: number): readonly Mailbox[] {
    this.delete(mailbox);
    const tooMany: Mailbox[] = [];
    this.#total += ownWeight + taskRuns;
    for (const oldest of this.#weights.keys()) {
      if (this.#total <= maxWeight) break;
      this.delete(oldest);
      tooMany.push(oldest);
    }
    this.#weights.set(mailbox, ownWeight + taskRuns);
    return tooMany;
  }

  delete(mailbox: Mailbox): void {
    this.#total -= this.#weights.get(mailbox) ?? 0;
    this.#weights.delete(mailbox);
  }
}
