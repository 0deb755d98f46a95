import { type Execution, executions, isTerminal } from '@millrace/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, urlOf } from './call.ts';
import { openStream, throttle } from './streams.ts';
import { currentTenant } from './tenant.ts';

const redrawEveryMs = 200;

export const executionQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['execution', currentTenant(), executionId],
    queryFn: ({ signal }) => call(executions.getExecution, { params: { executionId }, signal }),
    // While the stream is open it is the fresher truth; reading again would only race with it.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** An execution that stays up to date: read once, then followed until it ends. */
export function useFollowedExecution(executionId: string) {
  const client = useQueryClient();
  const query = useQuery(executionQuery(executionId));
  const [connected, setConnected] = useState(true);
  const state = query.data?.state.current;
  // A restarted execution leaves its final state again, so "over" is asked of the data, not remembered.
  const isLive = state !== undefined && !(isTerminal(state) && isEveryTaskRunFinished(query.data));

  useEffect(() => {
    if (!isLive) return;
    const { queryKey } = executionQuery(executionId);
    // Of a large execution, reading a frame costs much: only those that are shown are read.
    const shown = throttle<string>(
      redrawEveryMs,
      (frame) => client.setQueryData(queryKey, JSON.parse(frame) as Execution), // As getExecution replies.
    );
    const request = { params: { executionId }, query: { history: false } };
    const close = openStream(urlOf(executions.followExecution, request), {
      onData: shown.push,
      onEnd: shown.flush,
      onConnection: setConnected,
    });
    return () => {
      close();
      shown.cancel();
    };
  }, [client, executionId, isLive]);

  return { ...query, isLive, isConnected: connected };
}

const isEveryTaskRunFinished = (execution: Execution | undefined): boolean =>
  (execution?.taskRunList ?? []).every((run) => isTerminal(run.state.current));
