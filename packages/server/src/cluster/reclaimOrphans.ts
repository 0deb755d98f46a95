import type { Inbox } from './inbox.ts';
import { claimExecutions, type TakeOverParts } from './takeOver.ts';

/** Heartbeats between two checks for rare problems. */
const slotsEvery = 3;
const strangersEvery = 15;
/** An execution with a slot starts at once. If it has not started after this time, its notification was lost. */
const startsWithinMs = 5_000;

/** Claims executions of expired servers, and repeats notifications that a crash lost. */
export class OrphanReclaimer {
  readonly #parts: TakeOverParts;
  readonly #inbox: Inbox;
  #beats = 0;

  constructor(parts: TakeOverParts, inbox: Inbox) {
    this.#parts = parts;
    this.#inbox = inbox;
  }

  /** Claims every execution without a live owner, at the start of a server. */
  async start(): Promise<number> {
    const { cluster, membership } = this.#parts;
    return claimExecutions([...membership.goneIds, ...(await cluster.unknownOwners())], this.#parts);
  }

  async afterBeat(): Promise<void> {
    const { cluster, membership } = this.#parts;
    const beat = this.#beats++;
    const isThorough = beat % strangersEvery === strangersEvery - 1;
    const checksSlots = beat % slotsEvery === 0;
    const checksMessages = !membership.isAlone || isThorough;
    const gone = [...membership.goneIds, ...(isThorough ? await cluster.unknownOwners() : [])];
    if (gone.length > 0 || checksSlots || checksMessages) {
      const found = await cluster.findNeglected(gone);
      if (found.executions) await this.#claim(gone);
      if (checksMessages && found.messages) {
        for (const executionId of await cluster.redirectMessages())
          await cluster.acquire(executionId, membership.id);
        this.#inbox.wake();
      }
      if (checksSlots && found.slots) await this.#fillSlots();
    }
    if (isThorough) await cluster.deleteExpired();
  }

  async #claim(gone: readonly string[]): Promise<void> {
    const claimed = await claimExecutions(gone, this.#parts);
    if (claimed === 0) return;
    this.#parts.log.info('Claimed executions of other servers.', { executions: claimed });
    this.#inbox.wake();
  }

  /** The server that ends an execution passes its slot on; it can crash before it does. */
  async #fillSlots(): Promise<void> {
    const { cluster, flows, admission, executor, controls } = this.#parts;
    if (controls?.areStartsHeld) return;
    const { flows: neglected, waiting } = await cluster.neglectedSlots(startsWithinMs);
    for (const flow of neglected) {
      const found = await flows.find(flow.namespace, flow.id);
      const started = found?.flow.concurrency
        ? await admission.fill(found.flow)
        : await cluster.fillSlots(flow, Number.MAX_SAFE_INTEGER);
      for (const id of started) executor.notify(id, { type: 'start' });
    }
    for (const id of waiting) executor.notify(id, { type: 'start' });
  }
}
