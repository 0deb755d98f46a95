import type { Concurrency } from '@millrace/contract';
import type { Event } from '@millrace/engine';
import type { FlowKey } from '@millrace/store';
import type { FlowCache } from '../actions/flowCache.ts';

export type Verdict = Extract<Event, { type: 'start' | 'refused' }>;

/** What an execution is in while it holds a place. */
export const holding = ['RUNNING', 'PAUSED', 'BREAKPOINT', 'RESTARTED', 'RETRYING', 'KILLING'];

/**
 * Who may run under a flow's concurrency limit. The limit that counts is the one of the flow as it is now, whatever the
 * revision of an execution says; without one nobody waits.
 */
export interface Admission {
  /** Decides whether an execution may start. Without a limit the answer is always yes. */
  admit(flow: FlowKey, executionId: string): Promise<Verdict>;
  /**
   * Someone left the queue or was put back to work by hand: it runs beyond the limit, and holds a place too. Take the
   * place before the change, since the execution may be over as soon as the change is made. Answers how to give it back
   * when the change was refused; giving back tells who may start instead.
   */
  holdPlace(flow: FlowKey, executionId: string): Promise<() => Promise<string[]>>;
  /** An execution is over, in whatever way: answers who may start now, as long as there is room. */
  release(flow: FlowKey, executionId: string): Promise<string[]>;
  /** Who may start without anyone having ended: after a restart, or when the limit was raised or removed. */
  fill(flow: FlowKey): Promise<string[]>;
}

/** The limit of a flow as it is now, and the revision that says so. */
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
