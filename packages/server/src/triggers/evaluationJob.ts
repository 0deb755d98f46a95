import type { TriggerDefinition } from '@millrace/contract';
import type { Variables } from '@millrace/expression';
import type { Metric } from '@millrace/plugin-kit';

/** One evaluation of a trigger that looks or listens. Plain data, so that any worker can do it. */
export interface EvaluationJob {
  /** The id of the execution that a look may start; a listener has one of its own. */
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
  /** What the last evaluation has left. */
  readonly memory?: unknown;
}

/** What comes with an event: plain data. */
export interface RecordedWith {
  readonly metrics?: readonly Metric[];
  readonly logFile?: string;
}

/** What came of a look: outputs start an execution. Plain data as well. */
export interface LookResult extends RecordedWith {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly memory?: unknown;
}

/** One event that a listener has heard. */
export interface HeardEvent extends LookResult {
  /** The id of the execution that it may start. */
  readonly executionId: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** What names the event at its source. */
  readonly key?: string;
}
