import type { TriggerDefinition } from '@millrace/contract';
import type { Variables } from '@millrace/expression';
import type { Metric } from '@millrace/plugin-kit';

/** One evaluation of a polling or realtime trigger. Plain data, so that any worker can run it. */
export interface EvaluationJob {
  /** The id of the execution that a poll may start; a listener has its own id. */
  readonly executionId: string;
  readonly flow: {
    readonly tenantId: string;
    readonly namespace: string;
    readonly id: string;
    readonly revision: number;
  };
  /** With plugin defaults filled in. */
  readonly trigger: TriggerDefinition;
  readonly variables: Variables;
  /** The memory that the last evaluation stored. */
  readonly memory?: unknown;
}

/** The metrics and logs of an event, as plain data. */
export interface RecordedWith {
  readonly metrics?: readonly Metric[];
  readonly logFile?: string;
}

/** The result of a poll, as plain data: outputs start an execution. */
export interface PollResult extends RecordedWith {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly memory?: unknown;
}

/** One event that a listener has heard. */
export interface ReceivedEvent extends PollResult {
  /** The id of the execution that it may start. */
  readonly executionId: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The id of the event at its source. */
  readonly key?: string;
}
