import type { Inbox } from './inbox.ts';
import { claimExecutions, type TakeOverParts } from './takeOver.ts';

/** Beats between two looks at what is seldom wrong. */
const placesEvery = 3;
const strangersEvery = 15;
/** An execution that was given a place is told so at once; when it has not started after this, it was not told. */
const startsWithinMs = 5_000;

/** What an executor looks after beyond its own executions: what dead servers have left, and what was never told. */
export class Upkeep {
  readonly #parts: TakeOverParts;
  readonly #inbox: Inbox;
  #beats = 0;

  constructor(parts: TakeOverParts, inbox: Inbox) {
    this.#parts = parts;
    this.#inbox = inbox;
  }

  /** Everything that nobody alive has, for a server that starts. */
  async start(): Promise<number> {
    const { cluster, membership } = this.#parts;
    return claimExecutions([...membership.goneIds, ...(await cluster.unknownOwners())], this.#parts);
  }

  async afterBeat(): Promise<void> {
    const { cluster, membership, log } = this.#parts;
    const beat = this.#beats++;
    const isThorough = beat % strangersEvery === strangersEvery - 1;
    const gone = [...membership.goneIds, ...(isThorough ? await cluster.unknownOwners() : [])];
    if (gone.length > 0 || beat % placesEvery === 0) {
      const claimed = await claimExecutions(gone, this.#parts);
      if (claimed > 0) {
        log.info('Executions of other servers go on here.', { executions: claimed });
        this.#inbox.wake();
      }
    }
    if (!membership.isAlone || isThorough) {
      for (const executionId of await cluster.redirectMessages())
        await cluster.acquire(executionId, membership.id);
      this.#inbox.wake();
    }
    if (beat % placesEvery === 0) await this.#fillPlaces();
    if (isThorough) await cluster.forgetGone();
  }

  /** A place is given on when its execution ends; whoever should have done that may have died on the way. */
  async #fillPlaces(): Promise<void> {
    const { cluster, flows, admission, executor } = this.#parts;
    const { flows: neglected, waiting } = await cluster.neglectedPlaces(startsWithinMs);
    for (const flow of neglected) {
      const found = await flows.find(flow.namespace, flow.id);
      const started = found?.flow.concurrency
        ? await admission.fill(found.flow)
        : await cluster.fillPlaces(flow, Number.MAX_SAFE_INTEGER);
      for (const id of started) executor.tell(id, { type: 'start' });
    }
    for (const id of waiting) executor.tell(id, { type: 'start' });
  }
}
