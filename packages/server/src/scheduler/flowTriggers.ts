import { setTimeout as delay } from 'node:timers/promises';
import type { ExecutionRecord } from '@millrace/contract';
import { type FlowEventRecord, isUnavailable } from '@millrace/store';
import { isWatchedEvent } from '../alerts/watchedEvents.ts';
import { Background } from '../background.ts';
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
const longestPauseMs = 5_000;

/** Starts flows when executions of others change state. Each trigger processes its events in order. */
export class FlowTriggers implements FlowEvents {
  readonly #index: FlowTriggerIndex;
  readonly #parts: Parts;
  /** The last piece of work of each trigger. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Events in progress, so that none is processed twice. */
  readonly #underway = new Set<string>();
  readonly #background: Background;
  readonly #stopping = new AbortController();
  #stopListening = () => {};
  #isStopped = false;

  constructor(index: FlowTriggerIndex, parts: Parts) {
    this.#index = index;
    this.#parts = parts;
    this.#background = new Background(parts.log);
  }

  /** Loads the listening flows. Before this, state changes start nothing. */
  async start(): Promise<void> {
    this.#stopListening = this.#parts.store.onChange(({ flows, hasGap }) => {
      // A flow that is not read again would start nothing until the server does.
      if (hasGap) this.#background.run('read the flow triggers again', undefined, () => this.#index.reload());
      for (const { namespace, id } of flows)
        this.#background.run('read a changed flow', undefined, () => this.refresh(namespace, id));
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
    this.#stopping.abort();
    this.#background.stop();
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
      await this.#evaluate(event);
      this.#underway.delete(key);
      if (this.#queues.get(trigger) === work) this.#queues.delete(trigger);
    });
    this.#queues.set(trigger, work);
  }

  /** An event that fails stays stored and is retried later; while the database is away, soon and in order. */
  async #evaluate(event: FlowEventRecord): Promise<void> {
    for (let pauseMs = 100; !this.#isStopped && !this.#parts.areStartsHeld?.(); pauseMs *= 2) {
      try {
        return await fireFlowTrigger(event, this.#parts);
      } catch (error) {
        if (this.#isStopped) return;
        this.#parts.log.error('A flow trigger could not be evaluated.', { ...event, error });
        if (!isUnavailable(error)) return;
        const { signal } = this.#stopping;
        await delay(Math.min(pauseMs, longestPauseMs), undefined, { signal, ref: false }).catch(() => {});
      }
    }
  }
}
