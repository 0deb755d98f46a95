import type { ExecutionRecord } from '@millrace/contract';
import type { FlowEventRecord } from '@millrace/store';

/** State changes for flow triggers, as the code that starts executions uses them. */
export interface FlowEvents {
  /** The events to commit with the last `count` state changes of an execution. */
  eventsOf(execution: ExecutionRecord, count: number): readonly FlowEventRecord[];
  /** Evaluates the triggers of events that are durable. */
  process(events: readonly FlowEventRecord[]): void;
  /** Evaluates stored events that an earlier process left behind. */
  resume(before: number): Promise<void>;
  /** Reads the triggers of a saved flow again. */
  refresh(namespace: string, flowId: string): Promise<void>;
}
