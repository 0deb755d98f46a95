import { type LogEntry, type LogLevel, logs } from '@millrace/contract';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, urlOf } from './call.ts';
import { openStream, throttle } from './streams.ts';
import { currentTenant } from './tenant.ts';

const redrawEveryMs = 100;

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
    const shown = throttle<LogEntry[]>(redrawEveryMs, (all) => client.setQueryData(queryKey, [...all]));
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
