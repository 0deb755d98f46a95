import type { AlertRule, ExecutionRecord } from '@millrace/contract';
import {
  Conflict,
  type FlowEventRecord,
  isUnavailable,
  type Op,
  type Store,
  throwIfUnavailable,
} from '@millrace/store';
import type { ProcessLog } from '../processLog.ts';
import { type Cause, causeOf, type Failure, failureOps, readCause } from './failures.ts';
import { addOccurrences, type Occurrence, openIncidentId } from './incident.ts';
import { incidentOf, kinds, putEnded, putIncident, putMessages } from './records.ts';
import { isInScope } from './rules/scope.ts';
import { breachesOf, slaPosition } from './watchedEvents.ts';

export interface RecorderParts {
  readonly store: Store;
  readonly log: ProcessLog;
  readonly clock: () => number;
  readonly newId: () => string;
  /** The enabled rules. */
  readonly rules: () => Promise<readonly AlertRule[]>;
  /** Messages were stored. */
  readonly wakeSender: () => void;
}

const batchSize = 100;
const maxConflicts = 4;
/** Log lines of another machine may arrive after the state; without one by then, the cause stays unknown. */
const waitForLogsMs = 5_000;
const retryMs = 500;

/** An SLA violation that was reported, so that it is reported once. */
const slaKind = 'alert.sla';

/**
 * Turns stored state changes into failure groups, incidents and messages. Each batch commits the removal of
 * its events together with everything that they cause, so that a crash neither loses nor repeats an event.
 */
export class IncidentRecorder {
  readonly #parts: RecorderParts;
  readonly #waiting = new Map<string, FlowEventRecord>();
  #working: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  process(events: readonly FlowEventRecord[]): void {
    for (const event of events) this.#waiting.set(keyOf(event), event);
    this.#work();
  }

  /** Settles when no event is in progress; events that wait for log lines stay stored. */
  async settle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.settle();
  }

  #work(): void {
    if (this.#working || this.#isStopped || this.#waiting.size === 0) return;
    this.#working = this.#recordAll().finally(() => {
      this.#working = undefined;
      if (this.#waiting.size > 0 && !this.#isStopped) this.#timer = setTimeout(() => this.#work(), retryMs);
    });
  }

  /** Stops when a round could remove nothing: the rest waits for log lines or for the database. */
  async #recordAll(): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.#waiting.size > 0 && !this.#isStopped; ) {
      if (this.#waiting.size >= before) return;
      before = this.#waiting.size;
      const all = [...this.#waiting.values()];
      for (let start = 0; start < all.length && !this.#isStopped; start += batchSize)
        await this.#tryBatch(all.slice(start, start + batchSize));
    }
  }

  async #tryBatch(events: readonly FlowEventRecord[]): Promise<void> {
    try {
      const done = await this.#record(events);
      for (const event of done) this.#waiting.delete(keyOf(event));
    } catch (error) {
      if (error instanceof Conflict && events.length > 1) {
        // Another server took one of them, or changed an incident: each is tried alone.
        for (const event of events) await this.#tryBatch([event]);
        return;
      }
      // A conflict of a single event: it was taken. Otherwise it stays stored and the scheduler resumes it.
      if (!isUnavailable(error)) for (const event of events) this.#waiting.delete(keyOf(event));
      if (!(error instanceof Conflict) && !this.#isStopped)
        this.#parts.log.error('State changes could not be evaluated for alerts.', { error });
    }
  }

  /** Returns the events that are done. */
  async #record(events: readonly FlowEventRecord[]): Promise<readonly FlowEventRecord[]> {
    for (let conflicts = 0; ; conflicts++) {
      const facts = await Promise.all(events.map((event) => this.#read(event)));
      const ready = facts.filter((fact) => fact !== 'later');
      if (ready.length === 0) return [];
      const { ops, hasMessages } = await this.#opsOf(ready);
      const takes = ready.map(({ event }): Op => ({ op: 'flowEvent.take', event }));
      try {
        await this.#parts.store.commit([...takes, ...ops]);
        if (hasMessages) this.#parts.wakeSender();
        return ready.map(({ event }) => event);
      } catch (error) {
        if (!(error instanceof Conflict) || events.length > 1 || conflicts >= maxConflicts) throw error;
      }
    }
  }

  async #read(event: FlowEventRecord): Promise<Fact | 'later'> {
    const { store, clock } = this.#parts;
    const execution = await store.getExecutionRecord(event.executionId).catch(unlessUnavailable);
    if (!execution) return { event };
    if (event.position < 0) {
      const breach = breachesOf(execution).find((_, index) => slaPosition(index) === event.position);
      const isKnown = await store.getDocument(slaKind, slaId(event));
      return breach && !isKnown ? { event, execution, slaId: breach.id } : { event };
    }
    const state = execution.state.histories[event.position]?.state;
    if (state !== 'FAILED') return { event, execution, ...(state && { state }) };
    const cause = await readCause(execution, store);
    if (!cause && clock() - event.at < waitForLogsMs) return 'later';
    return { event, execution, state, cause: cause ?? causeOf(execution, '') };
  }

  async #opsOf(facts: readonly Fact[]): Promise<{ ops: Op[]; hasMessages: boolean }> {
    const { store, clock, newId } = this.#parts;
    const failures = facts.flatMap(({ execution, cause, event }): Failure[] =>
      execution && cause ? [{ execution, cause, at: event.at }] : [],
    );
    const ops = await failureOps(failures, store);
    for (const { event, slaId: id } of facts)
      if (id !== undefined)
        ops.push({
          op: 'document.put',
          document: { kind: slaKind, id: slaId(event), at: event.at, data: { slaId: id } },
          expectVersion: 0,
        });
    let hasMessages = false;
    const context = { now: clock(), newId };
    for (const rule of await this.#parts.rules()) {
      for (const [key, occurrences] of groupsOf(rule, facts)) {
        const openId = openIncidentId(rule.id, key);
        const isSingle = rule.groupBy === 'none';
        const stored = isSingle ? undefined : await store.getDocument(kinds.open, openId);
        const change = addOccurrences(rule, stored && incidentOf(stored), occurrences, context);
        // Without grouping there is nothing to recover from: the incident is only the subject of its message.
        ops.push(
          isSingle ? putEnded(change.incident) : putIncident(openId, change.incident, stored?.version ?? 0),
        );
        if (!change.message) continue;
        hasMessages = true;
        ops.push(...putMessages(rule, change.incident, change.message, context, openId));
      }
    }
    return { ops, hasMessages };
  }
}

/** The details of an event. An event without an execution only has to be removed. */
interface Fact {
  readonly event: FlowEventRecord;
  readonly execution?: ExecutionRecord;
  readonly state?: string;
  readonly cause?: Cause;
  readonly slaId?: string;
}

/** A damaged execution counts as deleted. A database that is away says nothing about it: the event stays. */
function unlessUnavailable(error: unknown): undefined {
  throwIfUnavailable(error);
}

const keyOf = ({ executionId, position }: FlowEventRecord): string => `${executionId}/${position}`;
const slaId = keyOf;

/** The events that a rule reports, by the incident they belong to. */
function groupsOf(rule: AlertRule, facts: readonly Fact[]): Map<string, [Occurrence, ...Occurrence[]]> {
  const groups = new Map<string, [Occurrence, ...Occurrence[]]>();
  for (const fact of facts) {
    const { execution, event } = fact;
    if (!execution || !isInScope(rule, execution) || !reports(rule, fact)) continue;
    const occurrence = occurrenceOf(rule, execution, fact);
    // Every event of a rule without grouping is an incident by itself.
    const key = rule.groupBy === 'none' ? `${occurrence.key}/${keyOf(event)}` : occurrence.key;
    const known = groups.get(key);
    if (known) known.push(occurrence);
    else groups.set(key, [occurrence]);
  }
  return groups;
}

function reports({ when }: AlertRule, { state, slaId: id }: Fact): boolean {
  if (when.type === 'sla') return id !== undefined;
  return when.type === 'state' && when.states.some((wanted) => wanted === state);
}

function occurrenceOf(
  rule: AlertRule,
  { id, namespace, flowId }: ExecutionRecord,
  { event, state, cause, slaId: sla }: Fact,
): Occurrence {
  const flow = `${namespace}.${flowId}`;
  const keys = {
    flow: sla === undefined ? flow : `${flow}/${sla}`,
    cause: cause?.groupId ?? `${flow}/${state ?? sla}`,
    rule: '',
    none: flow,
  };
  return {
    key: keys[rule.groupBy],
    title: sla === undefined ? `${flow} is ${state}` : `SLA "${sla}" of ${flow} is violated`,
    recoveredTitle: sla === undefined ? `${flow} (was ${state})` : `SLA "${sla}" of ${flow} (was violated)`,
    at: event.at,
    namespace,
    flowId,
    taskId: cause?.taskId,
    executionId: id,
    ...(cause && cause.message !== '' ? { message: cause.message } : {}),
  };
}
