import {
  type Execution,
  executions,
  isTerminal,
  type LogEntry,
  type LogLevel,
  logs,
  type TaskRun,
} from '@millrace/contract';
import { unpackTaskRuns } from '@millrace/engine';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type CallArgs, call, urlOf } from './call.ts';
import { openStream, throttle } from './streams.ts';
import { currentTenant } from './tenant.ts';

const redrawEveryMs = 200;

export const executionQuery = (executionId: string) =>
  queryOptions({
    queryKey: ['execution', currentTenant(), executionId],
    queryFn: ({ signal }) => readExecution(executionId, { signal }),
    // While the stream is open it is the fresher truth; reading again would only race with it.
    staleTime: Number.POSITIVE_INFINITY,
    // `as`, twice: only executions are stored under this key.
    structuralSharing: (before, now) => shareTaskRuns(before as Execution | undefined, now as Execution),
  });

/** An execution with its task runs. */
export async function readExecution(
  executionId: string,
  options: Pick<CallArgs<typeof executions.getExecution>, 'signal' | 'failures'>,
): Promise<Execution> {
  const request = { params: { executionId }, query: { packed: true }, ...options };
  return unpackExecution(await call(executions.getExecution, request));
}

/** Task runs travel by column, because thousands of them as a list are many megabytes. */
export function unpackExecution({ packedTaskRuns, ...execution }: Execution): Execution {
  if (!packedTaskRuns) return execution;
  const { id, tenantId = '', namespace, flowId } = execution;
  return { ...execution, taskRunList: unpackTaskRuns(packedTaskRuns, { id, tenantId, namespace, flowId }) };
}

/**
 * Keeps the task runs that have ended and did not change since, so that nothing of them is drawn again. Comparing all
 * values of thousands of task runs would take longer than drawing them.
 */
function shareTaskRuns(before: Execution | undefined, now: Execution): Execution {
  if (!before?.taskRunList || !now.taskRunList || before.id !== now.id) return now;
  const known = new Map(before.taskRunList.map((run) => [run.id, run]));
  return { ...now, taskRunList: now.taskRunList.map((run) => sameRun(known.get(run.id), run)) };
}

function sameRun(before: TaskRun | undefined, now: TaskRun): TaskRun {
  const isSame =
    before !== undefined &&
    isTerminal(now.state.current) &&
    before.state.current === now.state.current &&
    before.state.histories.length === now.state.histories.length &&
    before.state.histories.at(-1)?.date === now.state.histories.at(-1)?.date &&
    before.attempts?.length === now.attempts?.length;
  return isSame ? before : now;
}
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
      (frame) => client.setQueryData(queryKey, unpackExecution(JSON.parse(frame) as Execution)), // As getExecution replies.
    );
    const request = { params: { executionId }, query: { history: false, packed: true } };
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

const redrawLogEveryMs = 100;

export const logsQuery = (executionId: string, minLevel?: LogLevel) =>
  queryOptions({
    queryKey: ['logs', currentTenant(), executionId, minLevel ?? 'TRACE'],
    queryFn: ({ signal }) =>
      call(logs.listLogs, { params: { executionId }, query: { ...(minLevel && { minLevel }) }, signal }),
  });

/**
 * The log of an execution, oldest first. While `live`, entries stream in; when it stops being live the log is
 * read once more, because the last lines may have been written after the stream closed.
 */
export function useFollowedLogs({
  executionId,
  minLevel,
  live,
}: {
  executionId: string;
  minLevel?: LogLevel | undefined;
  live: boolean;
}) {
  const client = useQueryClient();
  const options = logsQuery(executionId, minLevel);
  const query = useQuery({ ...options, enabled: !live });

  useEffect(() => {
    if (!live) return;
    const { queryKey } = logsQuery(executionId, minLevel);
    let entries: LogEntry[] = [];
    const shown = throttle<LogEntry[]>(redrawLogEveryMs, (all) => client.setQueryData(queryKey, [...all]));
    const url = urlOf(logs.followLogs, { params: { executionId }, query: { minLevel } });
    const close = openStream(url, {
      onData: (data) => {
        entries.push(JSON.parse(data) as LogEntry); // One entry per frame, as listLogs sends them.
        shown.push(entries);
      },
      // The server sends the whole log again.
      onReopen: () => {
        entries = [];
      },
    });
    return () => {
      close();
      shown.cancel();
      void client.invalidateQueries({ queryKey });
    };
  }, [client, executionId, minLevel, live]);

  return query;
}
