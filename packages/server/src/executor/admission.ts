import type { Concurrency } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { FlowKey } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';

export type Verdict = Extract<Event, { type: 'start' | 'refused' }>;

/** States of an execution that occupies a concurrency slot. */
export const holding = ['RUNNING', 'PAUSED', 'BREAKPOINT', 'RESTARTED', 'RETRYING', 'KILLING'];

/**
 * Enforces the concurrency limits of flows. The limit of the current revision counts for executions of every revision.
 */
export interface Admission {
  /** Decides whether an execution can start. Without a limit it always can. */
  admit(flow: FlowKey, executionId: string): Promise<Verdict>;
  /**
   * Reserves a slot beyond the limit, for an execution that a user unqueues, forces or restarts. Reserve it before the
   * change, because the execution can end as soon as the change is made. Returns a function that releases the slot when the
   * change is refused; it returns the executions that can start instead.
   */
  reserveSlot(flow: FlowKey, executionId: string): Promise<() => Promise<string[]>>;
  /** Releases the slot of an execution that ended. Returns the executions that can start now. */
  release(flow: FlowKey, executionId: string): Promise<string[]>;
  /** Returns the executions that can start although none ended: after a restart, or when the limit was raised or removed. */
  fill(flow: FlowKey): Promise<string[]>;
}

/** The current limit of a flow, and the revision that sets it. */
export interface LimitNow {
  readonly revision: number;
  readonly concurrency: Concurrency;
}

export async function limitOf(
  flows: Pick<FlowCache, 'find'>,
  { namespace, id }: FlowKey,
): Promise<LimitNow | undefined> {
  const latest = await flows.find(namespace, id);
  const concurrency = latest?.flow.concurrency;
  return latest && concurrency && { revision: latest.record.revision, concurrency };
}
