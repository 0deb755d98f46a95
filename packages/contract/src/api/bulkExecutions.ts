import { z } from 'zod';
import { BulkResponse } from '../bulk.ts';
import { endpoint, type Method } from '../endpoint.ts';
import { LabelsToSet } from '../label.ts';
import { flag } from '../paging.ts';
import { StateType, UnqueueState } from '../state.ts';
import { ExecutionFilters } from './executions.ts';

/** Both forms of a bulk action on executions: by ids and by query. */
const bulk = <const Options extends z.ZodRawShape>(
  method: Method,
  action: string,
  summary: string,
  options: Options,
) => ({
  byIds: endpoint({
    method,
    path: `/executions${action}/by-ids`,
    summary: `${summary} with these ids`,
    query: z.looseObject(options),
    body: z.array(z.string()),
    reply: BulkResponse,
  }),
  byQuery: endpoint({
    method,
    path: `/executions${action}/by-query`,
    summary: `${summary} that match`,
    query: z.looseObject({ ...ExecutionFilters.shape, ...options }),
    reply: BulkResponse,
  }),
});

export const restart = bulk('POST', '/restart', 'Restarts the failed executions', {});
export const resume = bulk('POST', '/resume', 'Resumes the paused executions, without inputs,', {});
export const pause = bulk('POST', '/pause', 'Pauses the running executions', {});
export const replay = bulk('POST', '/replay', 'Replays the executions', { latestRevision: flag(false) });
export const changeStatus = bulk('POST', '/change-status', 'Changes the state of the ended executions', {
  newStatus: StateType.optional(),
});
const unqueueBoth = bulk('POST', '/unqueue', 'Unqueues the executions', {
  newState: UnqueueState.optional(),
});
/** In the form with a query `state` selects the executions, so the new state has another name there. */
export const unqueue = {
  ...unqueueBoth,
  byIds: { ...unqueueBoth.byIds, query: z.looseObject({ state: UnqueueState.optional() }) },
};
export const forceRun = bulk('POST', '/force-run', 'Forces the executions to run', {});
export const kill = bulk('DELETE', '/kill', 'Kills the executions', {});
export const remove = bulk('DELETE', '', 'Purges the executions', {
  includeNonTerminated: flag(false),
  deleteLogs: flag(true),
  deleteMetrics: flag(true),
  deleteStorage: flag(true),
});

export const labelsByIds = endpoint({
  method: 'POST',
  path: '/executions/labels/by-ids',
  summary: 'Adds labels to the ended executions with these ids; the same keys are overwritten',
  body: z.object({ executionsId: z.array(z.string()), executionLabels: LabelsToSet }),
  reply: BulkResponse,
});

/** The `labels` of the query select the executions; those of the body are set. */
export const labelsByQuery = endpoint({
  method: 'POST',
  path: '/executions/labels/by-query',
  summary: 'Adds labels to the ended executions that match; the same keys are overwritten',
  query: ExecutionFilters,
  body: LabelsToSet,
  reply: BulkResponse,
});
