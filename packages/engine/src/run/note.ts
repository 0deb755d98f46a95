import type { Actor, Label, StateType, TaskRunRecord } from '@millrace/contract';
import type { Event } from './event.ts';

/**
 * A decision of the engine, recorded after the event that led to it. Notes explain an execution to users; the
 * events alone lead to the same execution again, so nothing reads notes back.
 */
export type Note =
  /** The execution moved. */
  | { readonly type: 'state'; readonly state: StateType }
  /** A task run moved without a report of a worker: a control task, or the effect of an action. */
  | {
      readonly type: 'taskState';
      readonly taskRunId: string;
      readonly taskId: string;
      readonly from: StateType;
      readonly state: StateType;
    }
  /** A task run was taken out of the execution because its task may run again; with all that its views showed. */
  | {
      readonly type: 'removed';
      readonly taskRunId: string;
      readonly taskId: string;
      readonly taskRun: RemovedTaskRun;
    }
  /** An expression decided what runs. */
  | {
      readonly type: 'decided';
      readonly taskRunId: string;
      readonly taskId: string;
      readonly property: string;
      readonly expression: string;
      readonly value: string;
    }
  | {
      readonly type: 'retryPlanned';
      readonly taskRunId: string;
      readonly taskId: string;
      /** The number of the next attempt, counted from 1. */
      readonly attempt: number;
      readonly max?: number;
      readonly until: number;
      /** The next attempt is a new execution. */
      readonly byExecution?: true;
    }
  | { readonly type: 'paused'; readonly taskRunId: string; readonly taskId: string; readonly until?: number }
  | {
      readonly type: 'slaViolated';
      readonly slaId: string;
      readonly behavior: string;
      /** The duration or the assertion that did not hold. */
      readonly rule: string;
    }
  | { readonly type: 'labels'; readonly added: readonly Label[]; readonly removed: readonly Label[] }
  /** The variables that changed, by name; a name that is absent from a side did not exist there. */
  | {
      readonly type: 'variables';
      readonly before: Readonly<Record<string, unknown>>;
      readonly after: Readonly<Record<string, unknown>>;
    };

export type RemovedTaskRun = Pick<
  TaskRunRecord,
  'parentId' | 'value' | 'iteration' | 'order' | 'state' | 'attempts' | 'dynamic' | 'copied'
>;

/** An entry of the stored record. */
export type RecordedEvent = (Event | Note) & {
  /** Absent when it is the time of the entry before. */
  readonly at?: number;
  readonly taskId?: string;
  /** The user who asked for it; also of notes about what the request itself changed. */
  readonly by?: Actor;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const noteTypes: ReadonlySet<string> = new Set<Note['type']>([
  'state',
  'taskState',
  'removed',
  'decided',
  'retryPlanned',
  'paused',
  'slaViolated',
  'labels',
  'variables',
]);

/** True for an entry that only explains, and is not applied when events are replayed. */
export const isNote = (entry: RecordedEvent): entry is RecordedEvent & Note => noteTypes.has(entry.type);

/** Events and notes since they were last taken, in the order in which they happened. */
export class EventRecord {
  #entries: RecordedEvent[] = [];
  #at: number | undefined;
  /** The event that is being applied, and its position. */
  #current: Event | undefined;
  #start = 0;

  begin(event: Event, now: number, taskId: string | undefined): void {
    this.#current = event;
    this.#start = this.#entries.length;
    const entry: Mutable<RecordedEvent> = { ...event };
    if (taskId !== undefined) entry.taskId = taskId;
    this.#push(entry, now);
  }

  add(note: Note, now: number, by: Actor | undefined): void {
    this.#push(by ? { ...note, by } : { ...note }, now);
  }

  /** Removes the current event and everything recorded since. */
  takeBack(): void {
    this.#entries.length = this.#start;
    this.#at = undefined;
    this.#current = undefined;
  }

  /** Whether the current event itself says that the task run got this state. */
  says(taskRunId: string, state: StateType): boolean {
    const event = this.#current;
    return event?.type === 'taskEnded' && event.taskRunId === taskRunId && event.state === state;
  }

  take(): readonly RecordedEvent[] {
    const entries = this.#entries;
    this.#entries = [];
    this.#at = undefined;
    this.#current = undefined;
    this.#start = 0;
    return entries;
  }

  #push(entry: Mutable<RecordedEvent>, now: number): void {
    if (now !== this.#at) entry.at = now;
    this.#at = now;
    this.#entries.push(entry);
  }
}
