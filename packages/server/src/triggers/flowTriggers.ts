import type { ExecutionRecord } from '@millrace/contract';
import type { FlowEventRecord } from '@millrace/store';
import { type FlowTriggerParts, fireFlowTrigger } from './fireFlowTrigger.ts';
import { FlowTriggerIndex } from './flowTriggerIndex.ts';

const pageSize = 500;

/** What the executor tells of state changes: which rows to commit with them, and that they are on disk. */
export interface StateChanges {
  eventsOf(execution: ExecutionRecord, count: number): readonly FlowEventRecord[];
  process(events: readonly FlowEventRecord[]): void;
}

/** Starts flows when others change their state. Each trigger looks at its events one after the other. */
export class FlowTriggers implements StateChanges {
  readonly #index: FlowTriggerIndex;
  readonly #base: Omit<FlowTriggerParts, 'executor'>;
  #executor!: FlowTriggerParts['executor'];
  /** The last piece of work of each trigger. */
  readonly #queues = new Map<string, Promise<void>>();
  /** Events under way, so that none is looked at twice. */
  readonly #underway = new Set<string>();
  #stopListening = () => {};
  #isStopped = false;

  constructor(parts: Omit<FlowTriggerParts, 'executor'>) {
    this.#base = parts;
    this.#index = new FlowTriggerIndex(parts);
  }

  connect(executor: FlowTriggerParts['executor']): void {
    this.#executor = executor;
  }

  /** Learns who listens. Before this no state change is told to anybody. */
  async start(): Promise<void> {
    this.#stopListening = this.#base.store.onChange(({ flows, hasGap }) => {
      if (hasGap) {
        this.#index.reload().catch((error: unknown) => {
          if (!this.#isStopped) this.#base.log.error('Flow triggers could not be read again.', { error });
        });
      }
      for (const { namespace, id } of flows) {
        this.refresh(namespace, id).catch((error: unknown) => {
          if (!this.#isStopped)
            this.#base.log.error('A changed flow could not be read.', { namespace, id, error });
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
    for (const event of events) this.#enqueue(event);
  }

  /** Looks at what a process has left behind: events written before a moment that are still there. */
  async resume(before: number): Promise<void> {
    this.process(await this.#base.store.openFlowEvents(before, pageSize));
  }

  /** Settles when nothing is under way. */
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

  /** What fails stays stored and is tried again later. */
  async #look(event: FlowEventRecord): Promise<void> {
    if (this.#isStopped) return;
    try {
      await fireFlowTrigger(event, { ...this.#base, executor: this.#executor });
    } catch (error) {
      if (!this.#isStopped)
        this.#base.log.error('A flow trigger could not be evaluated.', { ...event, error });
    }
  }
}
