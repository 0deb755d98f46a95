import { type EventKind, executionReads, requestedKinds } from '@millrace/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import type { EventGroup } from '../search.ts';

const pageSize = 500;

/** The kinds of each group. Actions of users are all those that a user can ask for. */
export const kindsOf: Record<EventGroup, readonly EventKind[]> = {
  manual: requestedKinds,
  state: ['created', 'refused', 'start', 'state', 'paused', 'labels', 'variables', 'slaViolated', 'broken'],
  task: [
    'taskStarted',
    'taskEnded',
    'taskState',
    'removed',
    'workerLost',
    'retryPlanned',
    'childCreated',
    'childEnded',
    'childRefused',
  ],
  decision: ['decided', 'retryPlanned', 'refused', 'slaViolated', 'listenersChosen', 'woken'],
};

interface EventsSearch {
  readonly taskRunId?: string | undefined;
  readonly group?: EventGroup | undefined;
  /** Changes when the execution does, so that new events are read. */
  readonly revision: string;
}

export const eventsQuery = (executionId: string, { taskRunId, group, revision }: EventsSearch) =>
  infiniteQueryOptions({
    queryKey: ['execution', currentTenant(), executionId, 'events', taskRunId, group, revision],
    queryFn: ({ pageParam, signal }) =>
      call(executionReads.listExecutionEvents, {
        params: { executionId },
        query: {
          size: pageSize,
          ...(pageParam === '' ? {} : { after: pageParam }),
          ...(taskRunId === undefined ? {} : { taskRunId }),
          ...(group ? { kind: [...kindsOf[group]] } : {}),
        },
        signal,
        failures: 'handled',
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
  });

/** The changes of labels and variables, which the rows of an execution do not keep. */
export const changesQuery = (executionId: string, revision: string) =>
  queryOptions({
    queryKey: ['execution', currentTenant(), executionId, 'changes', revision],
    queryFn: ({ signal }) =>
      call(executionReads.listExecutionEvents, {
        params: { executionId },
        query: { size: 1_000, kind: ['labels', 'variables'] },
        signal,
        failures: 'handled',
      }),
    placeholderData: (previous) => previous,
    retry: false,
  });
