import {
  type ExecutionRecord,
  playgroundKind,
  type TriggerDefinition,
  terminalStates,
} from '@millrace/contract';
import { mayListenTo, triggerTypeOf } from '@millrace/engine';
import { type FlowEventRecord, type Store, throwIfUnavailable } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';
import type { ProcessLog } from '../processLog.ts';

interface Listening {
  readonly namespace: string;
  readonly flowId: string;
  readonly trigger: TriggerDefinition;
  readonly states: ReadonlySet<string>;
}

interface IndexParts {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly log: ProcessLog;
  /** The state changes that alerts react to; they are stored and resumed in the same way. */
  readonly watched?: { eventsOf(execution: ExecutionRecord, count: number): readonly FlowEventRecord[] };
}

const flowTrigger = 'core.trigger.Flow';
const pageSize = 1_000;

export const isFlowTrigger = ({ type }: TriggerDefinition): boolean => triggerTypeOf(type) === flowTrigger;

/**
 * The flows that listen to other flows. Kept in memory because every state change of every execution queries
 * it, and most of them match no flow.
 */
export class FlowTriggerIndex {
  readonly #parts: IndexParts;
  readonly #byFlow = new Map<string, readonly Listening[]>();

  constructor(parts: IndexParts) {
    this.#parts = parts;
  }

  /** Reads the flows that have flow triggers; the others are never parsed for it. */
  async load(): Promise<void> {
    const filters = [{ field: 'type', operation: 'EQUALS', value: flowTrigger }] as const;
    for (let page = 1; ; page++) {
      const { results } = await this.#parts.store.listTriggers({ page, size: pageSize, filters });
      const flows = new Map(
        results.map(({ namespace, flowId }) => [`${namespace}/${flowId}`, { namespace, flowId }]),
      );
      for (const { namespace, flowId } of flows.values()) {
        await this.refresh(namespace, flowId).catch((error: unknown) => {
          throwIfUnavailable(error);
          // A flow that cannot be read listens to no flow; the others are unaffected.
          this.#parts.log.error('A flow cannot be read.', { namespace, flowId, error });
        });
      }
      if (results.length < pageSize) return;
    }
  }

  /** Changes may have been missed: those that are known are looked at again, and new ones are found. */
  async reload(): Promise<void> {
    const known = [...this.#byFlow.values()].flatMap(([first]) => first ?? []);
    for (const { namespace, flowId } of known) await this.refresh(namespace, flowId);
    await this.load();
  }

  /** A flow was saved or deleted. */
  async refresh(namespace: string, flowId: string): Promise<void> {
    const found = await this.#parts.flows.find(namespace, flowId);
    const isOn = found && !found.record.deleted && !found.record.disabled && found.problem === undefined;
    const triggers = isOn ? (found.runnable.triggers ?? []) : [];
    const listening = triggers
      .filter((trigger) => isFlowTrigger(trigger) && trigger.disabled !== true)
      .map((trigger) => ({ namespace, flowId, trigger, states: statesOf(trigger) }));
    if (listening.length > 0) this.#byFlow.set(`${namespace}/${flowId}`, listening);
    else this.#byFlow.delete(`${namespace}/${flowId}`);
  }

  /** The last `count` state changes of an execution, once for each trigger that may match. */
  eventsOf(execution: ExecutionRecord, count: number): readonly FlowEventRecord[] {
    if (execution.kind === playgroundKind) return none;
    const watched = this.#parts.watched?.eventsOf(execution, count) ?? none;
    if (this.#byFlow.size === 0 || count === 0) return watched;
    const { id: executionId, namespace, flowId } = execution;
    const { histories } = execution.state;
    const events: FlowEventRecord[] = [...watched];
    for (const listening of this.#byFlow.values()) {
      for (const one of listening) {
        if (one.namespace === namespace && one.flowId === flowId) continue;
        for (let position = histories.length - count; position < histories.length; position++) {
          const history = histories[position];
          if (!history || history.state === 'CREATED' || !one.states.has(history.state)) continue;
          if (!mayListenTo(one.trigger, { namespace, id: flowId })) break;
          events.push({
            executionId,
            position,
            namespace: one.namespace,
            flowId: one.flowId,
            triggerId: one.trigger.id,
            at: history.date,
          });
        }
      }
    }
    return events;
  }
}

const none: readonly FlowEventRecord[] = [];

const statesOf = (trigger: TriggerDefinition): ReadonlySet<string> =>
  new Set(Array.isArray(trigger.states) ? trigger.states.map(String) : terminalStates);
