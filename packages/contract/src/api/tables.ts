import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { Paging } from '../paging.ts';

/** The rows of a list, all of them, as one file; the query is that of the list. */
const exportOf = (resource: string, format: 'csv' | 'json') =>
  endpoint({
    method: 'GET',
    path: `/${resource}/export/by-query/${format}`,
    summary: `Downloads the ${resource} of a query as ${format.toUpperCase()}`,
    query: z.looseObject({ sort: Paging.shape.sort }),
    replyKind: 'file',
  });

export const exportExecutionsAsCsv = exportOf('executions', 'csv');
export const exportExecutionsAsJson = exportOf('executions', 'json');
export const exportTaskRunsAsCsv = exportOf('taskruns', 'csv');
export const exportTaskRunsAsJson = exportOf('taskruns', 'json');
/** Oldest first, whatever the order of the list: new entries are written at the end. */
export const exportLogsAsCsv = exportOf('logs', 'csv');
export const exportLogsAsJson = exportOf('logs', 'json');
export const exportFlowsAsCsv = exportOf('flows', 'csv');
export const exportTriggersAsCsv = exportOf('triggers', 'csv');
