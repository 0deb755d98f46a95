import type { Flow } from '@millrace/contract';
import { useMemo } from 'react';
import { LogSearch } from '../../logs/index.ts';

/** What the executions and triggers of one flow have written. */
export function FlowLogs({ flow: { namespace, id } }: { flow: Flow }) {
  const of = useMemo(() => ({ namespace, flowId: id }), [namespace, id]);
  return <LogSearch name="flow-logs" of={of} />;
}
