import type { ExecutionRecord } from '@millrace/contract';
import type { FlowEventRecord } from '@millrace/store';

/** Reacts to committed steps. The executor calls it after the commit, and again after a restart: it must be idempotent. */
export interface StepSubscriber {
  /** State changes that flow triggers subscribed to, stored by the same commit. */
  flowEvents?(events: readonly FlowEventRecord[]): void;
  /** The execution ended. Retried while the database is unavailable. */
  ended?(execution: ExecutionRecord): Promise<void>;
  /** Another execution replaces this one, as its retry policy asks. Retried while the database is unavailable. */
  replaced?(execution: ExecutionRecord, replacementId: string): Promise<void>;
}
