import type { ExecutionRecord } from '@millrace/contract';
import type { FlowEventRecord } from '@millrace/store';
import { isWatchedEvent } from '../alerts/watchedEvents.ts';
import { type FlowTriggerParts, fireFlowTrigger } from './fireFlowTrigger.ts';
import type { FlowEvents } from './flowEvents.ts';
import type { FlowTriggerIndex } from './flowTriggerIndex.ts';

type Parts = FlowTriggerParts & {
  /** Evaluates the state changes that alerts react to. */
  readonly alerts?: { process(events: readonly FlowEventRecord[]): void };
  /** While true, events stay stored and start nothing. */
  readonly areStartsHeld?: () => boolean;
};

const pageSize = 500;

/** Starts flows when executions of others change state. Each trigger processes its events in order. */
export class FlowTriggers implements FlowEvents {
  readonly #index: FlowTriggerIndex;
  readonly #parts: Parts;
  /** The last piece of work of each trigger. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Events in progress, so that none is processed twice. */
  readonly #underway = new Set<string>();
  #stopListening = () => {};
  #isStopped = false;

  constructor(index: FlowTriggerIndex, parts: Parts) {
    this.#index = index;
    this.#parts = parts;
  }

  /** Loads the listening flows. Before this, state changes start nothing. */
  async start(): Promise<void> {
    this.#stopListening = this.#parts.store.onChange(({ flows, hasGap }) => {
      if (hasGap) {
        this.#index.reload().catch((error: unknown) => {
          if (!this.#isStopped) this.#parts.log.error('Flow triggers could not be read again.', { error });
        });
      }
      for (const { namespace, id } of flows) {
        this.refresh(namespace, id).catch((error: unknown) => {
          if (!this.#isStopped)
            this.#parts.log.error('A changed flow could not be read.', { namespace, id, error });
        });
      }
    });
    await this.#index.load();
  }

  refresh(namespace: string, flowId: string): Promise<void> {
    return this.#index.refresh(namespace, flowId);
  }

  eventsOf(execution: ExecutionRecord, count: number): readonly FlowEventRecord[] {
    return this.#index.eventsOf(execution, count);
  }

  process(events: readonly FlowEventRecord[]): void {
    const watched = events.filter(isWatchedEvent);
    if (watched.length > 0) this.#parts.alerts?.process(watched);
    for (const event of events) if (!isWatchedEvent(event)) this.#enqueue(event);
  }

  /** Processes events that a stopped process left: those written before this time that still exist. */
  async resume(before: number): Promise<void> {
    this.process(await this.#parts.store.openFlowEvents(before, pageSize));
  }

  /** Settles when no event is in progress. */
  async settle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopListening();
    await this.settle();
  }

  #enqueue(event: FlowEventRecord): void {
    const trigger = `${event.namespace}/${event.flowId}/${event.triggerId}`;
    const key = `${trigger}/${event.executionId}/${event.position}`;
    if (this.#underway.has(key)) return;
    this.#underway.add(key);
    const before = this.#queues.get(trigger);
    const work = (before ?? Promise.resolve()).then(async () => {
      await this.#look(event);
      this.#underway.delete(key);
      if (this.#queues.get(trigger) === work) this.#queues.delete(trigger);
    });
    this.#queues.set(trigger, work);
  }

  /** An event that fails stays stored and is retried later. */
  async #look(event: FlowEventRecord): Promise<void> {
    if (this.#isStopped || this.#parts.areStartsHeld?.()) return;
    try {
      await fireFlowTrigger(event, this.#parts);
    } catch (error) {
      if (!this.#isStopped)
        this.#parts.log.error('A flow trigger could not be evaluated.', { ...event, error });
    }
  }
}
