import type { ExecutionRecord, StateType } from '@millrace/contract';
import type { FlowEventRecord } from '@millrace/store';

/*
 * State changes that alerts and the inbox react to travel as flow events: the commit that changes the state
 * stores them, and the commit of their result removes them. A crash in between loses nothing, because the
 * scheduler resumes stored events. Flow events of alerts have empty names, which no flow can have.
 */

const names = { namespace: '', flowId: '', triggerId: 'alerts' } as const;

export const isWatchedEvent = (event: FlowEventRecord): boolean =>
  event.namespace === '' && event.triggerId === names.triggerId;

/** The positions of SLA violations are negative; those of states count from 0. */
export const slaPosition = (index: number): number => -1 - index;

export interface SlaBreach {
  readonly id: string;
  readonly at: number;
}

// `as`: written by the engine.
export const breachesOf = ({ memo }: ExecutionRecord): readonly SlaBreach[] =>
  (memo?.breaches ?? []) as readonly SlaBreach[];

/** Failures are always recorded, for the inbox. */
const always: readonly StateType[] = ['FAILED'];

/**
 * Steps store the violations of the last minutes again, in case the commit of an earlier one failed. The
 * record of their result prevents a second alert.
 */
const repeatForMs = 600_000;

/** Finds the events of a step. Every step of every execution asks, so it only compares values in memory. */
export class WatchedEvents {
  readonly #clock: () => number;
  #states: ReadonlySet<StateType> = new Set(always);
  #watchesSlas = false;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** The rules have changed. */
  watch(states: Iterable<StateType>, slas: boolean): void {
    this.#states = new Set([...always, ...states]);
    this.#watchesSlas = slas;
  }

  /** The events to store with the last `count` state changes of an execution. */
  eventsOf(execution: ExecutionRecord, count: number): readonly FlowEventRecord[] {
    const { histories } = execution.state;
    let events: FlowEventRecord[] | undefined;
    for (let position = histories.length - count; position < histories.length; position++) {
      const history = histories[position];
      if (!history || !this.#states.has(history.state)) continue;
      events ??= [];
      events.push({ ...names, executionId: execution.id, position, at: history.date });
    }
    if (this.#watchesSlas && execution.memo?.breaches !== undefined) {
      events ??= [];
      events.push(...this.#breaches(execution));
    }
    return events ?? none;
  }

  #breaches(execution: ExecutionRecord): FlowEventRecord[] {
    const since = execution.closedAt === undefined ? this.#clock() - repeatForMs : 0;
    return breachesOf(execution).flatMap(({ at }, index) =>
      at < since ? [] : [{ ...names, executionId: execution.id, position: slaPosition(index), at }],
    );
  }
}

const none: readonly FlowEventRecord[] = [];
